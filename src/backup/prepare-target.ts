// Prepares a database for a backup: checks that it has no data, and makes the empty tables.
import { sql } from 'kysely';
import type pg from 'pg';
import { escapeLiteral } from 'pg';
import { WarehouseError } from '../core/errors.ts';
import { plural } from '../core/text.ts';
import { readCodeFiles } from '../db/code/code-files.ts';
import { installFunctions } from '../db/code/install-code.ts';
import type { Executor } from '../db/database.ts';
import { lockKeys } from '../db/lock-keys.ts';
import { curatedSchemas, warehouseSchemas } from '../db/schemas.ts';
import { refuseForeignObjects } from '../install/foreign-objects.ts';
import { applyMigrations, ensureStreams, refuseEncoding } from '../install/migrate.ts';
import { readMigrations } from '../install/migration-files.ts';
import { type BackupHeader, type SavedTable, savedTableName } from './backup-file.ts';
import { comesByItself, leftOut, listTables, quotedName } from './saved-tables.ts';

/**
 * Keeps a warehouse without data, with its roles' rights and its processes, if it has the backup's schema; drops one
 * of another schema and makes it again.
 * @param client in a transaction
 * @param db on the client's connection
 * @param folder of the migrations
 * @throws WarehouseError when the target holds data, or others built upon what would be dropped
 */
export async function prepareTarget(
  client: pg.ClientBase,
  db: Executor,
  { migrations, tables }: BackupHeader,
  folder: string | undefined,
): Promise<void> {
  await refuseEncoding(db);
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'restore')})`.execute(db);
  const known = await readMigrations(db, folder);
  const { done } = known;
  await refuseForeignObjects(db, known);
  if (done.size > 0) await refuseData(client);
  if ([...done].sort().join() === migrations.join()) {
    await client.query(`truncate ${(await listTables(client)).map(quotedName).join(', ')}`);
  } else {
    if (done.size > 0) await dropWarehouse(client);
    await applyMigrations(db, folder, migrations.at(-1));
  }
  const files = await readCodeFiles();
  const functions = files.functions.filter(({ name }) => name === 'code/sync/ensure_stream.sql');
  await installFunctions(db, { ...files, functions });
  await ensureStreams(
    db,
    tables.flatMap(({ schema, table }) => (schema === 'snapshot' ? [table] : [])),
  );
}

async function refuseData(client: pg.ClientBase): Promise<void> {
  const { rows: tables } = await client.query<Pick<SavedTable, 'schema' | 'table'>>(
    `select n.nspname as schema, c.relname as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1) and c.relkind = 'r' order by 1, 2`,
    [warehouseSchemas],
  );
  const mayHoldRows = new Set([...Object.keys(leftOut), ...Object.keys(comesByItself)]);
  const asked = tables.filter((table) => !mayHoldRows.has(savedTableName(table)));
  // Nobody can write a row after the check.
  await client.query(`lock table ${asked.map(quotedName).join(', ')}`);
  const questions = asked.map((table) => {
    const name = savedTableName(table);
    // Mappings from the configuration are stored before there is any data.
    const which = name === 'sync.mapping' ? ` where origin <> 'configuration'` : '';
    return `select ${escapeLiteral(name)} as name where exists (select from ${quotedName(table)}${which})`;
  });
  const { rows } = await client.query<{ name: string }>(`${questions.join(' union all ')} order by 1`);
  if (rows.length === 0) return;
  const [first, ...more] = rows.map(({ name }) => name);
  throw new WarehouseError(
    `Expected a database without data, got rows in ${first}${more.length === 0 ? '' : ` and ${plural(more.length, 'more table')}`}. ` +
      'Nothing was changed. Create a new database, or set AIRANK_DATA_DIR to another folder for an embedded one',
  );
}

/**
 * @throws WarehouseError where somebody works with it, or others made something in it or upon it: a view elsewhere that
 * reads it, or one among the curated ones
 */
async function dropWarehouse(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($2) and c.relkind in ('r', 'v', 'm')
      and not exists (select from sync.code as i where i.name = format('%s/%s.sql', n.nspname, c.relname))
    union
    select format('%s.%s', n.nspname, c.relname)
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class c on c.oid = w.ev_class
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class r on r.oid = d.refobjid join pg_namespace rn on rn.oid = r.relnamespace
    where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
      and rn.nspname = any ($1) and n.nspname <> all ($1)
    union
    select format('a process that works with it, %s on %s', pid, host) from sync.worker
    where sync.lock_is_held(sync.worker_lock_class(), id)
    order by 1 limit 1`,
    [warehouseSchemas, curatedSchemas],
  );
  const schemas = warehouseSchemas.join(', ');
  if (rows[0] === undefined) {
    await client.query(`drop schema if exists ${schemas} cascade`);
    return;
  }
  throw new WarehouseError(
    `Expected an empty database, or a warehouse without data that nothing else uses, got ${rows[0].name}. The tables are ` +
      'of another version than the backup, so they would be dropped, and that with them. Nothing was changed. Create a new ' +
      `database, or stop what uses this one and drop what is there: drop schema ${schemas} cascade`,
  );
}
