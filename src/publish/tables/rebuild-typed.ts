// Rebuilds a table of typed rows in a shadow table beside the current one, after the mapping or this release's reading
// of it changed. Works block by block of scopes, so that it can resume after a stop; one transaction then swaps the
// tables. Until then the views show the old mapping, and publishes write both tables.

import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { refuseUnmarked } from '../../db/code/mark.ts';
import type { Executor } from '../../db/database.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';
import { derivedFrom, insertDerived } from './derived.ts';
import { showTable } from './install-map-views.ts';
import { rewriteDerived, rewriteTyped, type ScopeOfStream } from './rewrite-scopes.ts';
import { createTyped, type TypedTable, tableName, versionRows } from './typed-sql.ts';
import { lockFreeScopes, lockStream, noteTables, readTables, tableHash } from './typed-tables.ts';

interface OpenScope extends ScopeOfStream {
  readonly records: number;
}

/** Records filled per transaction, unless one scope has more. Publishes of its scopes wait for it. */
const recordsAtOnce = 5_000;
const scopesAtOnce = 50;

/** Called before each block of scopes. If it throws, the work ends, and resumes there next time. */
type RebuildListener = (progress: { readonly source: string; readonly open: number }) => void;

/** Rebuilds tables; several processes may call it and share the work. */
export async function rebuildTyped(
  db: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
  listen: RebuildListener = () => undefined,
): Promise<void> {
  const shadow = { source, isShadow: true };
  const hash = tableHash(source, mapping);
  await openShadow(db, shadow, mapping);
  for (;;) {
    const scopes = await openScopes(db, source);
    let open = scopes.length;
    for (const block of blocksOf(scopes)) {
      listen({ source: source.name, open });
      if (!(await fillScopes(db, shadow, block, hash))) return;
      open -= block.length;
    }
    // Busy scopes are waited for before the swap, as waiting for its lock holds up all publishes of the stream.
    if (scopes.length > 0 && (await openScopes(db, source)).length > 0) continue;
    listen({ source: source.name, open: 0 });
    // A scope first published since then is filled, too.
    if (await swap(db, shadow, hash, mapping)) return;
  }
}

async function openShadow(db: Executor, shadow: TypedTable, mapping: readonly Mapped[]): Promise<void> {
  const hash = tableHash(shadow.source, mapping);
  const isOpen = async (at: Executor) =>
    (await readTables(at, [shadow.source])).some((table) => table.isShadow && table.hash === hash);
  // The process that resumes the work does not wait for others.
  if (await isOpen(db)) return;
  await db.transaction().execute(async (tx) => {
    await lockStream(tx, shadow.source.stream);
    if (await isOpen(tx)) return;
    await tx.deleteFrom('sync.typed_scope').where('source', '=', shadow.source.name).execute();
    await dropTable(tx, shadow);
    await sql.raw(createTyped(shadow)).execute(tx);
    await noteTables(tx, [shadow], mapping);
  });
}

/** Fills a table that nobody sees yet, without locking scopes: there may be more than a server has locks for. */
export async function fillTyped(
  db: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
): Promise<void> {
  const table = { source, isShadow: false };
  const scopes = await openScopes(db, source);
  await rewriteTyped(db, table, mapping, scopes);
  await sql.raw(`analyze ${tableName(table)}`).execute(db);
  await rewriteDerived(db, table, mapping, scopes);
  await noteTables(db, [table], mapping);
  await showTable(db, table, mapping);
}

/** Drops a new table that is not needed any more, as the mapping is again that of the current one. */
export async function abandonRebuild(db: Executor, source: LogicalSource): Promise<void> {
  const shadow = { source, isShadow: true };
  await db.transaction().execute(async (tx) => {
    await lockStream(tx, source.stream);
    await forgetTable(tx, shadow);
    await dropTable(tx, shadow);
  });
}

async function forgetTable(tx: Executor, { source, isShadow }: TypedTable): Promise<void> {
  await tx.deleteFrom('sync.typed_scope').where('source', '=', source.name).execute();
  await tx
    .deleteFrom('sync.typed_table')
    .where('source', '=', source.name)
    .where('is_next', '=', isShadow)
    .execute();
}

async function dropTable(tx: Executor, table: TypedTable): Promise<void> {
  await refuseUnmarked(tx, [`typed.${table.source.name}${table.isShadow ? '_next' : ''}`]);
  await sql.raw(`drop table if exists ${tableName(table)}`).execute(tx);
}

async function openScopes(db: Executor, source: LogicalSource): Promise<OpenScope[]> {
  const { rows } = await sql<OpenScope>`
    select n.account, n.client_id as "clientId", coalesce(s.records, 0) as records
    from sync.newest as n
    left join sync.slice as s on s.account = n.account and s.stream = n.stream and s.client_id = n.client_id
      and s.run_date = n.run_date
    where n.stream = ${source.stream} and not exists (
      select from sync.typed_scope as f
      where f.source = ${source.name} and f.account = n.account and f.client_id = n.client_id
    )
    order by n.account, n.client_id`.execute(db);
  return rows;
}

function blocksOf(scopes: readonly OpenScope[]): OpenScope[][] {
  const blocks: OpenScope[][] = [];
  let records = 0;
  for (const scope of scopes) {
    const block = blocks.at(-1);
    records += scope.records;
    if (block !== undefined && block.length < scopesAtOnce && records <= recordsAtOnce) block.push(scope);
    else {
      blocks.push([scope]);
      records = scope.records;
    }
  }
  return blocks;
}

/** False if another process swapped the table, or the mapping changed again. */
async function fillScopes(
  db: Executor,
  shadow: TypedTable,
  block: readonly OpenScope[],
  hash: string,
): Promise<boolean> {
  const { source } = shadow;
  return await db.transaction().execute(async (tx) => {
    await sql`set local jit = off`.execute(tx);
    const scopes = await lockFreeScopes(tx, source.stream, block);
    const table = (await readTables(tx, [source])).find((one) => one.isShadow && one.hash === hash);
    if (table?.mapping === undefined) return false;
    const noted = await tx
      .insertInto('sync.typed_scope')
      .values(scopes.map((one) => ({ source: source.name, account: one.account, client_id: one.clientId })))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['account', 'client_id as clientId'])
      .execute();
    if (noted.length > 0) await rewriteTyped(tx, shadow, table.mapping, noted);
    return true;
  });
}

/** False if a scope is missing. */
async function swap(
  db: Executor,
  shadow: TypedTable,
  hash: string,
  mapping: readonly Mapped[],
): Promise<boolean> {
  const { source } = shadow;
  const isSwapped = await db.transaction().execute(async (tx) => {
    await lockStream(tx, source.stream);
    const run = async (text: string) => await sql.raw(text).execute(tx);
    if (!(await readTables(tx, [source])).some((one) => one.isShadow && one.hash === hash)) return true;
    if ((await openScopes(tx, source)).length > 0) return false;
    await sql`set local jit = off`.execute(tx);
    await run(`analyze ${tableName(shadow)}`);
    for (const derived of derivedFrom(source.name)) {
      await run(`delete from ${derived.table} as d where ${derived.all}`);
      await run(insertDerived(derived, { from: versionRows(shadow, mapping), where: 'true' }));
    }
    await forgetTable(tx, { source, isShadow: false });
    await tx
      .updateTable('sync.typed_table')
      .set('is_next', false)
      .where('source', '=', source.name)
      .execute();
    await showTable(tx, shadow, mapping);
    await dropTable(tx, { source, isShadow: false });
    await run(`alter table ${tableName(shadow)} rename to ${escapeIdentifier(source.name)}`);
    return true;
  });
  return isSwapped;
}

export interface Rebuild {
  readonly source: string;
  readonly scopes: number;
  readonly filled: number;
}

export async function readRebuilds(db: Executor): Promise<readonly Rebuild[]> {
  const { rows } = await sql<Rebuild>`
    select t.source, count(n.*)::integer as scopes, count(f.*)::integer as filled
    from sync.typed_table as t
    left join sync.newest as n on n.stream = t.stream
    left join sync.typed_scope as f on f.source = t.source and f.account = n.account and f.client_id = n.client_id
    where t.is_next group by t.source order by t.source`.execute(db);
  return rows;
}
