// The parts of a backup into a database, in one transaction: it is a warehouse with all of its data, or empty as before.
import type pg from 'pg';
import type { BackupEnd, BackupHeader, BackupPart, SavedTable, TableEnd } from './backup-parts.ts';
import { copyIn } from './copy-in.ts';
import { copyOut } from './copy-out.ts';
import { prepareSession } from './copy-text.ts';
import { isUnequal, LoadError } from './load-error.ts';
import { prepareTarget } from './prepare-target.ts';
import { settleRows } from './settle-rows.ts';

export interface Loaded {
  readonly header: BackupHeader;
  readonly tables: readonly TableEnd[];
  readonly end: BackupEnd;
}

export interface LoadOptions {
  /** Reads each table again and compares it with what came. */
  readonly compare: boolean;
}

/** @throws WarehouseError when the target holds data, or what came does not fit; the target is then as it was */
export async function loadWarehouse(
  pool: pg.Pool,
  parts: AsyncIterable<BackupPart>,
  options: LoadOptions,
): Promise<Loaded> {
  const iterator = parts[Symbol.asyncIterator]();
  const client = await pool.connect();
  try {
    await prepareSession(client);
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('airank'), hashtext('restore'))`);
    const loaded = await load(client, iterator, options);
    await client.query('commit');
    return loaded;
  } finally {
    // A transaction that did not come to its commit ends with the connection.
    client.release(true);
    await iterator.return?.();
  }
}

async function load(
  client: pg.ClientBase,
  parts: AsyncIterator<BackupPart>,
  options: LoadOptions,
): Promise<Loaded> {
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
  if (options.compare) {
    for (const [index, table] of header.tables.entries()) {
      if (loadable.has(table)) await compare(client, table, tables[index]);
    }
  }
  await settleRows(client, header, loadable);
  return { header, tables, end: last.value.end };
}

async function compare(client: pg.ClientBase, table: SavedTable, came: TableEnd | undefined): Promise<void> {
  const pieces = copyOut(client, table);
  let piece = await pieces.next();
  while (piece.done !== true) piece = await pieces.next();
  const { rows, sha256 } = piece.value;
  if (came === undefined || rows !== came.rows || sha256 !== came.sha256)
    throw isUnequal(table, came, piece.value);
}
