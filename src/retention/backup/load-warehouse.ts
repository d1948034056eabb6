// The parts of a backup into a database, in one transaction: it is a warehouse with all of its data, or empty as before.

import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AirankError, messageOf, WarehouseError } from '../../core/errors.ts';
import { count, plural } from '../../core/text.ts';
import { createDatabase } from '../../db/database.ts';
import { migrate } from '../../install/migrate.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupPart,
  copyInText,
  prepareSession,
  qualifiedName,
  type SavedTable,
  savedTableName,
  type TableEnd,
} from './backup-parts.ts';
import { prepareTarget } from './prepare-target.ts';

/** What follows once the rows are in: later migrations, functions, and every view over the tables. */
export interface Finished {
  /** Migrations that the backup did not have yet. */
  readonly applied: readonly string[];
  /** Sources whose views could not be made, with the reason; the next sync tries again. */
  readonly failed: readonly { readonly source: string; readonly error: string }[];
}

/** Safe to do again: `airank migrate` does the same. @param streams those that must have a table */
export async function finishRestore(pool: pg.Pool, streams: readonly string[]): Promise<Finished> {
  const { applied } = await migrate(pool, streams);
  const { failed } = await refreshViews(createDatabase(pool), { all: true });
  return { applied, failed };
}

/** What can go wrong with the rows of a backup on their way into a database. */
const unchanged = 'The target is as it was';

class LoadError extends WarehouseError {
  constructor(what: string, why: string, cause?: unknown) {
    super(`${what} could not be restored: ${why}. ${unchanged}`, {}, { cause });
  }
}

function isRefused(table: SavedTable, error: unknown): LoadError {
  return new LoadError(`Table ${savedTableName(table)}`, messageOf(error), error);
}

/** Takes parts up to the end of the table. @param table undefined: its rows are not wanted */
async function copyIn(
  client: pg.ClientBase,
  parts: AsyncIterator<BackupPart>,
  table: SavedTable | undefined,
): Promise<TableEnd> {
  if (table === undefined) {
    for (;;) {
      const part = await nextPart(parts);
      if (part.kind === 'table') return part.end;
    }
  }
  const into = client.query(copyFrom(copyInText(table)));
  const done = finished(into);
  // Awaited below; Postgres may refuse a row while the next part is on its way.
  done.catch(() => undefined);
  // Where that fails the copy stays open, and ends with the connection.
  const end = await fill(into, parts, done).catch((error: unknown) => {
    throw error instanceof AirankError ? error : isRefused(table, error);
  });
  if (into.rowCount !== end.rows) {
    const why = `${count(into.rowCount)} of ${plural(end.rows, 'row')} came in`;
    throw new LoadError(`Table ${end.table}`, why);
  }
  return end;
}

async function fill(
  into: NodeJS.WritableStream,
  parts: AsyncIterator<BackupPart>,
  done: Promise<void>,
): Promise<TableEnd> {
  for (;;) {
    const part = await nextPart(parts);
    if (part.kind === 'table') {
      into.end();
      await done;
      return part.end;
    }
    if (part.kind !== 'rows') throw new LoadError('A table', `${part.kind} came in the middle of it`);
    const { bytes } = part;
    await Promise.race([
      done,
      new Promise<void>((resolve) => {
        into.write(bytes, () => resolve());
      }),
    ]);
  }
}

async function nextPart(parts: AsyncIterator<BackupPart>): Promise<BackupPart> {
  const next = await parts.next();
  if (next.done === true) throw new LoadError('A table', 'its end never came');
  return next.value;
}

/** In the caller's transaction, at the backup's schema. @param loaded the tables whose rows are in */
async function settleRows(
  client: pg.ClientBase,
  header: BackupHeader,
  loaded: ReadonlySet<SavedTable>,
): Promise<void> {
  for (const { column, last, ...table } of header.numbers) {
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
      qualifiedName(table),
      column,
      last,
    ]);
  }
  await endWhatRan(client, header);
  await settleTyped(client, loaded);
  // So every function and view is installed anew, over these tables.
  await client.query('delete from sync.code');
  await client.query(`analyze ${[...[...loaded].map(qualifiedName), 'snapshot.record'].join(', ')}`);
}

/** The processes are elsewhere, if they live. A walk goes on at its newest page. */
async function endWhatRan(client: pg.ClientBase, header: BackupHeader): Promise<void> {
  const batch = header.tables.find((table) => savedTableName(table) === 'sync.batch');
  const isOld = !batch?.columns.some(({ name }) => name === 'settled_at');
  await client.query(`
    update sync.slice s set status = 'planned', run_id = null from sync.run r
    where r.status = 'running' and s.account = r.account and s.run_id = r.id and s.status = 'walking';
    update sync.run set status = 'stopped', finished_at = now() where status = 'running';
    update sync.batch set status = 'stopped', finished_at = now() where status = 'running'`);
  if (!isOld) {
    await client.query('update sync.batch set settled_at = now() where is_queued and settled_at is null');
  }
}

/** Tables that are filled anew beside others begin again; those that could not be loaded are noted as not filled. */
async function settleTyped(client: pg.ClientBase, loaded: ReadonlySet<SavedTable>): Promise<void> {
  const filled = [...loaded].filter(({ schema }) => schema === 'typed').map(({ table }) => table);
  await client.query('delete from sync.typed_table where is_next or source <> all ($1)', [filled]);
  const known = logicalSources.map(({ name, stream }) => ({ name, stream }));
  await client.query(
    `insert into sync.typed_table (source, is_next, stream, hash)
    select k ->> 'name', false, k ->> 'stream', '' from jsonb_array_elements($1::jsonb) as k
    where to_regclass(format('typed.%I', k ->> 'name')) is not null
    on conflict do nothing`,
    [JSON.stringify(known)],
  );
}

export interface Loaded {
  readonly header: BackupHeader;
  readonly tables: readonly TableEnd[];
  readonly end: BackupEnd;
}

/** @throws WarehouseError when the target holds data, or what came does not fit; the target is then as it was */
export async function loadWarehouse(pool: pg.Pool, parts: AsyncIterable<BackupPart>): Promise<Loaded> {
  const iterator = parts[Symbol.asyncIterator]();
  const client = await pool.connect();
  try {
    await prepareSession(client);
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('airank'), hashtext('restore'))`);
    const loaded = await load(client, iterator);
    await client.query('commit');
    return loaded;
  } finally {
    // A transaction that did not come to its commit ends with the connection.
    client.release(true);
    await iterator.return?.();
  }
}

async function load(client: pg.ClientBase, parts: AsyncIterator<BackupPart>): Promise<Loaded> {
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'header') throw new LoadError('the header', 'nothing came');
  const { header } = first.value;
  const loadable = await prepareTarget(client, header);
  const tables: TableEnd[] = [];
  for (const table of header.tables) {
    const end = await copyIn(client, parts, loadable.has(table) ? table : undefined);
    tables.push(end);
  }
  const last = await parts.next();
  if (last.done === true || last.value.kind !== 'end') throw new LoadError('the end', 'it never came');
  await settleRows(client, header, loadable);
  return { header, tables, end: last.value.end };
}
