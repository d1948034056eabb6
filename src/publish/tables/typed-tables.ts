// The tables that hold a stream's typed rows, their mappings, and the locks for writing them. A publish holds the
// stream's lock shared and its scope's lock exclusive. Filling a new table takes free scopes, as a publish does.
// Creating that table and swapping it in take the stream's lock exclusive.
import { sql } from 'kysely';
import { WarehouseError } from '../../core/errors.ts';
import { textHash } from '../../db/code/code-files.ts';
import { ahead, anyOf, type Executor, type Row } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import { isLockTimeout } from '../../db/sqlstate.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';
import { envelopeFields } from '../../mapping/version-sql.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { derivedFrom, insertDerived } from './derived.ts';
import { createTyped, insertTyped, type TypedTable, versionRows } from './typed-sql.ts';

export interface MappedTable extends TypedTable {
  /** Undefined if nothing was published yet. */
  readonly mapping: readonly Mapped[] | undefined;
  readonly hash: string;
}

const sharedLock = (stream: string) => sql`pg_advisory_xact_lock_shared(${lockKeys('stream', stream)})`;

/** Keeps every table of the stream in place until the end of the transaction. */
export async function shareStream(tx: Executor, stream: string): Promise<void> {
  await sql`select ${sharedLock(stream)} ${ahead}`.execute(tx);
}

/** SQL that takes the locks for publishing a scope or filling its typed rows, until the end of the transaction. */
export const scopeLocks = (scope: Scope) => sql`
  ${sharedLock(scope.stream)},
  pg_advisory_xact_lock(${lockKeys('scope', scopeKey(scope))})`;

const scopeKey = ({ stream, account, clientId }: Scope) => JSON.stringify([stream, account, clientId]);

/**
 * Locks the scopes that nobody else holds, and returns them; if there are none, waits for the first. A scope that takes
 * long to publish then holds up no other.
 */
export async function lockFreeScopes<One extends Omit<Scope, 'stream'>>(
  tx: Executor,
  stream: string,
  scopes: readonly One[],
): Promise<readonly One[]> {
  const keys = scopes.map((scope) => scopeKey({ stream, ...scope }));
  // Same order as in publishes.
  await shareStream(tx, stream);
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key
    where pg_try_advisory_xact_lock(${lockKeys('scope', sql`key`)})`.execute(tx);
  const [first] = scopes;
  if (rows.length > 0 || first === undefined) {
    const free = new Set(rows.map(({ key }) => key));
    return scopes.filter((_, index) => free.has(keys[index] ?? ''));
  }
  await sql`select ${scopeLocks({ stream, ...first })}`.execute(tx);
  return [first];
}

/** Waits for publishes of the stream that have begun; later ones wait for the end of this transaction. */
export async function lockStream(tx: Executor, stream: string, waitMs = 30_000): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, true)`.execute(tx);
  try {
    await sql`select pg_advisory_xact_lock(${lockKeys('stream', stream)})`.execute(tx);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new WarehouseError(
      `Waited ${waitMs / 1000} s for the typed rows of ${stream}, which another process is still writing: a sync, or a ` +
        'rebuild (airank views shows how far it is). Nothing was changed. Run this again later',
      {},
      { cause: error },
    );
  }
}

/** The first publish of a source makes its mapping, and others wait here for it. */
export async function lockMapping(tx: Executor, source: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys('mapping', source)}) ${ahead}`.execute(tx);
}

export async function readTables(
  db: Executor,
  sources: readonly LogicalSource[],
): Promise<readonly MappedTable[]> {
  return tablesOf((await storedTables(sources).execute(db)).rows);
}

export type StoredTable = Pick<Row<'sync.typed_table'>, 'source' | 'is_next' | 'mapping' | 'hash'>;

export const storedTables = (sources: readonly LogicalSource[]) => sql<StoredTable>`
  select source, is_next, mapping, hash from sync.typed_table
  where source = ${anyOf(sources.map(({ name }) => name))} order by source, is_next`;

export function tablesOf(rows: readonly StoredTable[]): readonly MappedTable[] {
  return rows.flatMap(({ source: name, is_next: isShadow, mapping, hash }) => {
    const source = logicalSources.find((one) => one.name === name);
    return source === undefined ? [] : [{ source, isShadow, mapping: mapping ?? undefined, hash }];
  });
}

/** Hashes everything that decides the table's rows; when the hash differs, the table is filled again. */
export function tableHash(source: LogicalSource, mapping: readonly Mapped[]): string {
  const table = { source, isShadow: false };
  const derived = derivedFrom(source.name).map((one) => insertDerived(one, { from: 'typed', where: 'true' }));
  // Fields beside the list are in no row, but decide what the views and derived rows say.
  const beside = envelopeFields(source, mapping).length === 0 ? [] : [versionRows(table, mapping)];
  const texts = [
    createTyped(table),
    insertTyped(table, mapping, (from) => ({ from, where: 'true' })),
    ...derived,
    ...beside,
  ];
  return textHash(JSON.stringify(texts));
}

/** @param mapping of each source; undefined if nothing was published yet */
export async function noteTables(
  db: Executor,
  tables: readonly TypedTable[],
  mapping: readonly Mapped[] | undefined,
): Promise<void> {
  const rows = tables.map(({ source, isShadow }) => ({
    source: source.name,
    is_next: isShadow,
    stream: source.stream,
    mapping: mapping === undefined ? null : JSON.stringify(mapping),
    hash: mapping === undefined ? '' : tableHash(source, mapping),
  }));
  await db
    .insertInto('sync.typed_table')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['source', 'is_next']).doUpdateSet((eb) => ({
        mapping: eb.ref('excluded.mapping'),
        hash: eb.ref('excluded.hash'),
        made_at: sql`now()`,
      })),
    )
    .modifyEnd(ahead)
    .execute();
}
