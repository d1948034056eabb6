// Restores a backup in one transaction from the first table to the last view: until it ends nobody sees
// anything of it, and a failure or a kill leaves the database as it was.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AirankError, messageOf, WarehouseError } from '../core/errors.ts';
import { packageVersion } from '../core/files.ts';
import { count, plural } from '../core/text.ts';
import { createDatabase, poolOn } from '../db/database.ts';
import { type MigrateResult, migrate } from '../install/migrate.ts';
import { readMigrationFiles } from '../install/migration-files.ts';
import { fillTyped } from '../publish/tables/rebuild-typed.ts';
import { type Refreshed, refreshViews } from '../publish/views/refresh-views.ts';
import {
  type BackupHeader,
  type BackupPart,
  type SavedTable,
  savedTableName,
  type TableEnd,
} from './backup-file.ts';
import { prepareTarget } from './prepare-target.ts';
import { copyTarget, prepareTransaction, quotedName } from './saved-tables.ts';

/** `applied`: migrations that the backup did not have yet; `failed`: sources whose views the next sync makes. */
export type Restored = Pick<MigrateResult, 'applied'> & Pick<Refreshed, 'failed'>;

/**
 * @param streams those that must have a table
 * @param folder of the migrations, default: those of this version
 * @throws WarehouseError where the target holds data, or the backup does not fit
 */
export async function restore(
  pool: pg.Pool,
  parts: AsyncIterable<BackupPart>,
  streams: readonly string[],
  folder?: string,
): Promise<Restored> {
  const iterator = parts[Symbol.asyncIterator]();
  const client = await pool.connect();
  try {
    const first = await iterator.next();
    if (first.done === true || first.value.kind !== 'header')
      throw new Error('A backup begins with its header');
    const { header } = first.value;
    await refuseLater(header, folder);
    await client.query('begin');
    await prepareTransaction(client);
    const within = poolOn(pool, client);
    await prepareTarget(client, createDatabase(within), header, folder);
    for (const table of header.tables) await copyIn(client, iterator, table);
    // Only the end of the file proves that all of it came as it was written.
    await iterator.next();
    await settle(client, header);
    const { applied } = await migrate(within, streams, folder, fillTyped);
    const { failed } = await refreshViews(createDatabase(within), { all: true });
    await client.query('commit');
    return { applied, failed };
  } finally {
    // A transaction without a commit ends with the connection.
    client.release(true);
    await iterator.return?.();
  }
}

async function refuseLater(
  { migrations, airank_version: by }: BackupHeader,
  folder: string | undefined,
): Promise<void> {
  const known = (await readMigrationFiles(folder)).map(({ name }) => name);
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new WarehouseError(
    `Expected a backup of migrations that this version, ${packageVersion()}, knows, got one with ${unknown}, which ` +
      `airank-warehouse ${by} wrote. Nothing was changed; restore it with that version or a later one`,
  );
}

/** Copies a table, frozen, as it is new or emptied: no vacuum has to look at it again. */
async function copyIn(
  client: pg.ClientBase,
  parts: AsyncIterator<BackupPart>,
  table: SavedTable,
): Promise<void> {
  let end: TableEnd | undefined;
  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value: part } = await parts.next();
      if (part?.kind === 'rows') yield part.bytes;
      else {
        end = part?.end;
        return;
      }
    }
  }
  const into = client.query(copyFrom(`copy ${copyTarget(table)} from stdin with (freeze)`));
  try {
    await pipeline(rows, into);
  } catch (error) {
    throw error instanceof AirankError ? error : notRestored(table, messageOf(error), error);
  }
  if (into.rowCount === end?.rows) return;
  throw notRestored(table, `${count(into.rowCount)} of ${plural(end?.rows ?? 0, 'row')} came in`);
}

function notRestored(table: SavedTable, why: string, cause?: unknown): WarehouseError {
  const text = `Table ${savedTableName(table)} could not be restored: ${why}. The target is as it was`;
  return new WarehouseError(text, {}, { cause });
}

/**
 * Marks work that was under way as stopped: its processes, if they live, are elsewhere. A walk resumes at its
 * newest page.
 */
async function settle(client: pg.ClientBase, { tables, numbers }: BackupHeader): Promise<void> {
  for (const { table, column, last } of numbers) {
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
  }
  await client.query(`
    update sync.slice s set status = 'planned', run_id = null from sync.run r
    where r.status = 'running' and s.account = r.account and s.run_id = r.id and s.status = 'walking';
    update sync.run set status = 'stopped', finished_at = now() where status = 'running';
    update sync.batch set status = 'stopped', finished_at = now() where status = 'running';
    update sync.batch set settled_at = now() where is_queued and settled_at is null`);
  await client.query(`analyze ${[...tables.map(quotedName), 'snapshot.record'].join(', ')}`);
}
