// Makes every table that a backup has rows of, empty, and says which of them can take those rows.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { createTyped } from '../../publish/tables/typed-sql.ts';
import { type BackupHeader, type SavedTable, savedTableName } from './backup-parts.ts';
import { qualifiedName } from './copy-text.ts';
import { createTables, refuseLaterSchema } from './create-tables.ts';
import { dropEmptyWarehouse } from './drop-empty-warehouse.ts';
import { listTables } from './saved-tables.ts';
import { readTarget } from './target-state.ts';

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
    if (saved.has(`typed.${source.name}`)) await client.query(createTyped({ source, isNext: false }));
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
