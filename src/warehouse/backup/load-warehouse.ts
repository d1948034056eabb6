// The parts of a backup into a database, in one transaction: it is a warehouse with all of its data, or empty as before.
import type pg from 'pg';
import { logicalSources } from '../logical/logical-sources.ts';
import type { BackupEnd, BackupHeader, BackupPart, SavedTable, TableEnd } from './backup-parts.ts';
import { copyIn } from './copy-in.ts';
import { copyOut } from './copy-out.ts';
import { prepareSession, qualifiedName } from './copy-text.ts';
import { isUnequal, LoadError } from './load-error.ts';
import { prepareTarget } from './prepare-target.ts';

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
  await settle(client, header, loadable);
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

/** What is beside the rows: numbers that were given, and what the installed code makes by itself. */
async function settle(
  client: pg.ClientBase,
  header: BackupHeader,
  loadable: ReadonlySet<SavedTable>,
): Promise<void> {
  for (const table of header.tables) {
    if (table.identity === undefined) continue;
    const { column, last } = table.identity;
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
      qualifiedName(table),
      column,
      last,
    ]);
  }
  // So every function and view is installed anew, over these tables.
  await client.query(`delete from sync.code; delete from sync.typed_table where is_next`);
  const known = logicalSources.map(({ name, stream }) => ({ name, stream }));
  const loaded = [...loadable].filter(({ schema }) => schema === 'typed').map(({ table }) => table);
  await client.query(`delete from sync.typed_table where source <> all ($1)`, [loaded]);
  await client.query(
    `insert into sync.typed_table (source, is_next, stream, hash)
    select k ->> 'name', false, k ->> 'stream', '' from jsonb_array_elements($1::jsonb) as k
    where to_regclass(format('typed.%I', k ->> 'name')) is not null
    on conflict do nothing`,
    [JSON.stringify(known)],
  );
  const names = header.tables.filter((table) => loadable.has(table)).map(qualifiedName);
  await client.query(`analyze ${[...names, 'snapshot.record'].join(', ')}`);
}
