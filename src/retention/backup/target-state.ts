// Whether a backup may go into a database: into an empty one, or a warehouse without data.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { warehouseSchemas } from '../../db/schemas.ts';
import { appliedMigrations } from '../../install/migration-files.ts';
import { savedTableName } from './backup-parts.ts';
import { qualifiedName } from './copy-text.ts';

/** Rows of these come with `airank migrate`, or with a scheduler that has nothing to do yet. */
const comesByItself = [
  ...['code', 'migration', 'migration_lock', 'logical_field', 'typed_table', 'source', 'view', 'view_column'],
  ...['fleet', 'job_begin', 'notice', 'refresh', 'worker'],
].map((name) => `sync.${name}`);

export interface Target {
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
