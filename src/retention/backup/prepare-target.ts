// Makes every table that a backup has rows of, empty, and says which of them can take those rows.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { curatedSchemas, warehouseSchemas } from '../../db/schemas.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { createTyped } from '../../publish/tables/typed-sql.ts';
import { type BackupHeader, type SavedTable, savedTableName } from './backup-parts.ts';
import { qualifiedName } from './copy-text.ts';
import { createTables, refuseLaterSchema } from './create-tables.ts';
import { listTables } from './saved-tables.ts';
import { readTarget } from './target-state.ts';

// A warehouse without data that has another schema than a backup: it is taken away in the caller's transaction, so that
// the backup's own tables can be made. What people built upon it would go with it, so it is looked for first.
const schemas = warehouseSchemas.join(', ');

/** @throws WarehouseError where others made something in it or upon it */
async function dropEmptyWarehouse(client: pg.ClientBase): Promise<void> {
  const found = await madeByOthers(client);
  if (found !== undefined) {
    throw new WarehouseError(
      `Expected an empty database, or a warehouse without data upon which nothing is built, got ${found}, which would go ` +
        'with the older tables that this backup needs. Nothing was changed; make a new database for it, or drop what is ' +
        `there: drop schema ${schemas} cascade`,
    );
  }
  await client.query(`drop schema if exists ${schemas} cascade`);
}

/** A view elsewhere that reads the warehouse, or one among the curated ones that airank did not make. */
async function madeByOthers(client: pg.ClientBase): Promise<string | undefined> {
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
    order by 1 limit 1`,
    [warehouseSchemas, curatedSchemas],
  );
  return rows[0]?.name;
}

/**
 * In the caller's transaction. Typed tables of another release have other columns: they stay empty, and are filled
 * from the versions.
 * @returns the tables whose rows are loaded
 * @throws WarehouseError when the target holds data, or is a warehouse of another schema upon which others built
 */
export async function prepareTarget(
  client: pg.ClientBase,
  header: BackupHeader,
): Promise<ReadonlySet<SavedTable>> {
  await refuseLaterSchema(header);
  const { migrations } = await readTarget(client);
  const isOther = migrations !== undefined && migrations.join() !== header.migrations.join();
  if (isOther) await dropEmptyWarehouse(client);
  if (migrations === undefined || isOther) {
    await createTables(client, header.migrations);
    await makeTyped(client, header.tables);
  } else {
    await emptyTables(client);
  }
  await makePartitions(client, header.tables);
  const there = new Map((await listTables(client)).map((table) => [savedTableName(table), table]));
  const fitting = header.tables.filter((table) => fits(table, there.get(savedTableName(table))));
  const lacking = header.tables.find((table) => table.schema !== 'typed' && !fitting.includes(table));
  if (lacking !== undefined) throw isUnlike(lacking);
  return new Set(fitting);
}

async function makeTyped(client: pg.ClientBase, tables: readonly SavedTable[]): Promise<void> {
  const saved = new Set(tables.map(savedTableName));
  for (const source of logicalSources) {
    if (saved.has(`typed.${source.name}`)) await client.query(createTyped({ source, isShadow: false }));
  }
}

/** What is there came by itself. Emptied in this transaction, a table can be filled as if it were new. */
async function emptyTables(client: pg.ClientBase): Promise<void> {
  const tables = await listTables(client);
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`);
  await client.query('truncate sync.typed_scope');
}

async function makePartitions(client: pg.ClientBase, tables: readonly SavedTable[]): Promise<void> {
  const { functions } = await readCodeFiles();
  const ensureStream = functions.find((file) => file.name === 'code/sync/ensure_stream.sql');
  if (ensureStream === undefined) throw new Error('sql/code/sync/ensure_stream.sql is missing');
  await client.query(ensureStream.text);
  const streams = tables.filter(({ schema }) => schema === 'snapshot').map(({ table }) => table);
  await client.query('select sync.ensure_stream(name) from unnest($1::text[]) as name', [streams]);
}

function fits(saved: SavedTable, there: SavedTable | undefined): boolean {
  const types = new Map(there?.columns.map(({ name, type }) => [name, type]));
  return saved.columns.every(({ name, type }) => types.get(name) === type);
}

function isUnlike(table: SavedTable): WarehouseError {
  return new WarehouseError(
    `Expected table ${savedTableName(table)} to have the columns that this release gives it, got others in the backup: a ` +
      'development version made it. Nothing was changed',
  );
}
