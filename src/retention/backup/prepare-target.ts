// Whether a backup may go into a database, and the empty tables that take its rows.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/files.ts';
import { plural } from '../../core/text.ts';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { curatedSchemas, warehouseSchemas } from '../../db/schemas.ts';
import { appliedMigrations, readMigrationFiles } from '../../install/migration-files.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { createTyped } from '../../publish/tables/typed-sql.ts';
import { type BackupHeader, qualifiedName, type SavedTable, savedTableName } from './backup-parts.ts';
import { listTables } from './saved-tables.ts';

/** Tables as Kysely makes them, which goes on from there. */
const ledger = `
  create schema if not exists sync;
  create table sync.migration (name varchar(255) not null primary key, "timestamp" varchar(255) not null);
  create table sync.migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
  insert into sync.migration_lock (id, is_locked) values ('migration_lock', 0)`;

/** @throws WarehouseError when this release does not know one of them, or one fails */
export async function createTables(client: pg.ClientBase, migrations: readonly string[]): Promise<void> {
  const files = (await readMigrationFiles()).filter(({ name }) => migrations.includes(name));
  await client.query(ledger);
  for (const { name, text } of files) {
    try {
      await client.query(text);
    } catch (error) {
      throw new WarehouseError(
        `Migration ${name} failed: ${messageOf(error)}. Nothing was changed; check that the role may create schemas ` +
          'in the target database',
        {},
        { cause: error },
      );
    }
    await client.query('insert into sync.migration (name, "timestamp") values ($1, $2)', [
      name,
      new Date().toISOString(),
    ]);
  }
}

/** @throws WarehouseError when a later release made it */
async function refuseLaterSchema(header: {
  readonly migrations: readonly string[];
  readonly airank_version: string;
}): Promise<void> {
  const known = (await readMigrationFiles()).map(({ name }) => name);
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const { airank_version: version } = header;
  // A release before this check also wrote backups of a schema that it did not know itself.
  const fix =
    version === packageVersion()
      ? 'a development version made that schema, and only that can restore it'
      : `update airank-warehouse to ${version} or later`;
  throw new WarehouseError(
    `Expected a backup whose schema this release knows, got one with migration ${unknown}, which airank-warehouse ` +
      `${version} wrote. Nothing was changed; ${fix}`,
  );
}

/** Rows of these come with `airank migrate`, or with a scheduler that has nothing to do yet. */
const comesByItself = [
  ...['code', 'migration', 'migration_lock', 'logical_field', 'typed_table', 'source', 'view', 'view_column'],
  ...['fleet', 'job_begin', 'notice', 'refresh', 'worker'],
].map((name) => `sync.${name}`);

interface Target {
  /** Of a warehouse without data; undefined: there is no table of one. */
  readonly migrations: readonly string[] | undefined;
}

interface FoundTable {
  readonly schema: string;
  readonly table: string;
  readonly comes_by_itself: boolean;
}

/** @throws WarehouseError where there is anything that a restore could lose */
export async function readTarget(client: pg.ClientBase): Promise<Target> {
  await refuseServer(client);
  const { rows: tables } = await client.query<FoundTable>(
    `select n.nspname as schema, c.relname as "table", format('%s.%s', n.nspname, c.relname) = any ($1) as comes_by_itself
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($2) and c.relkind = 'r' order by 1, 2`,
    [comesByItself, warehouseSchemas],
  );
  if (tables.length === 0) return { migrations: undefined };
  if (!tables.some(({ schema, table }) => schema === 'sync' && table === 'migration')) {
    throw refused(
      `tables that are not of a warehouse, such as ${tables.slice(0, 1).map(savedTableName).join('')}`,
    );
  }
  const holding = await holdingRows(client, tables);
  const [first, second, ...more] = holding;
  if (first !== undefined) {
    const names = [first, ...(second === undefined ? [] : [second])].join(', ');
    throw refused(`rows in ${names}${more.length === 0 ? '' : ` and ${plural(more.length, 'more table')}`}`);
  }
  return { migrations: await appliedMigrations(client) };
}

async function holdingRows(client: pg.ClientBase, tables: readonly FoundTable[]): Promise<string[]> {
  const asked = tables.filter((table) => !table.comes_by_itself);
  const questions = asked.map((table, index) => {
    // What the configuration maps is noted without any data.
    const which = savedTableName(table) === 'sync.mapping' ? ` where origin <> 'configuration'` : '';
    return `select ${index} as index where exists (select from ${qualifiedName(table)}${which})`;
  });
  const { rows } = await client.query<{ index: number }>(`${questions.join(' union all ')} order by 1`);
  return asked.filter((_, index) => rows.some((row) => row.index === index)).map(savedTableName);
}

/** Where not every text of the data fits, or the server lacks what the schema needs. */
async function refuseServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string; version: string; number: number }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
      current_setting('server_version_num')::integer as number`,
  );
  const [server] = rows;
  if (server !== undefined && server.number < 140_000) {
    throw new WarehouseError(
      `Expected a target of Postgres 14 or later, got ${server.version}. Nothing was changed`,
    );
  }
  if (server !== undefined && server.encoding !== 'UTF8') {
    throw new WarehouseError(
      `Expected a target with the encoding UTF8, got ${server.encoding}. Nothing was changed; make it by: ` +
        `create database … encoding 'UTF8' template template0`,
    );
  }
}

function refused(got: string): WarehouseError {
  return new WarehouseError(
    `Expected a target without data, got ${got}. Nothing was changed; make a new database for it, or set AIRANK_DATA_DIR ` +
      'to another folder for an embedded one',
  );
}

const schemas = warehouseSchemas.join(', ');

/**
 * Drops a warehouse without data that has another schema than the backup, in the caller's transaction. What people
 * built upon it would go with it, so it is looked for first.
 * @throws WarehouseError where others made something in it or upon it
 */
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
