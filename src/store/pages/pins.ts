// What is found in the data of a stream once and then stays fixed: the key of its list, and the paths that identify
// its records.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { SliceKey } from '../slices/slices.ts';
import { findRecordKey, firstCandidate, isCandidate, type KeyChoice } from './find-record-key.ts';
import type { RecordKey } from './incoming.ts';

export interface Pins {
  /** Undefined: not found yet, or the API reference gives it. */
  readonly listKey: string | undefined;
  /** Undefined: no record seen yet; []: content is the identity. */
  readonly recordKey: RecordKey | undefined;
}

/** The pins of an account, by stream name. */
export async function readPins(db: Executor, account: string): Promise<Map<string, Pins>> {
  const rows = await db
    .selectFrom('sync.stream')
    .modifyFront(prepared)
    .select(['stream', 'list_key', 'record_key'])
    .where('account', '=', account)
    .execute();
  return new Map(
    rows.map((row) => [
      row.stream,
      { listKey: row.list_key ?? undefined, recordKey: row.record_key ?? undefined },
    ]),
  );
}

/** A stream of an account. */
interface StreamOf {
  readonly account: string;
  readonly stream: string;
}

export interface PinnedStream {
  readonly stream: string;
  /** Keys of the list, by account: usually one. */
  readonly listKeys: readonly string[];
  readonly recordKey: RecordKey | undefined;
}

/** The pins of all accounts, for people: a stream comes once for each record key that an account has. */
export async function readAllPins(db: Executor): Promise<PinnedStream[]> {
  const result = await sql<{ stream: string; list_keys: string[]; record_key: RecordKey | null }>`
    select stream, record_key,
      coalesce(array_agg(distinct list_key order by list_key) filter (where list_key is not null), '{}') as list_keys
    from sync.stream
    group by stream, record_key
    order by stream, record_key`.execute(db);
  return result.rows.map((row) => ({
    stream: row.stream,
    listKeys: row.list_keys,
    recordKey: row.record_key ?? undefined,
  }));
}

/**
 * Pins the key of a stream's list for an account. The first writer wins; returns what is pinned.
 * @param instead of the one that is pinned now, because the server confirmed that the list moved
 */
export async function pinList(
  db: Executor,
  scope: StreamOf,
  listKey: string,
  instead?: string,
): Promise<string> {
  const result = await sql<{ list_key: string }>`
    insert into sync.stream as s (account, stream, list_key) values (${scope.account}, ${scope.stream}, ${listKey})
    on conflict (account, stream) do update set
      list_key = case when s.list_key = ${instead ?? null} then excluded.list_key else coalesce(s.list_key, excluded.list_key) end
    returning list_key`.execute(db);
  return result.rows[0]?.list_key ?? listKey;
}

/**
 * The pinned record key of an account's stream, pinned now if it is not yet: the first candidate that is
 * present, scalar and unique in every record of the slice, else [] (content). A pin that is no longer a
 * candidate (the configuration changed) is replaced. Undefined while no record was seen.
 */
export async function pinRecordKey(
  db: Executor,
  slice: SliceKey & { readonly stream: string },
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const pinned = await readRecordKey(db, slice);
  if (pinned !== undefined && isCandidate(pinned, choice)) return pinned;
  const found = await findRecordKey(db, slice, choice);
  if (found === undefined) return undefined;
  await replaceRecordKey(db, slice, pinned, found);
  return await readRecordKey(db, slice);
}

/** Pins another key, unless another process has pinned one since. */
export async function replaceRecordKey(
  db: Executor,
  { account, stream }: StreamOf,
  before: RecordKey | undefined,
  key: RecordKey,
): Promise<void> {
  await sql`
    insert into sync.stream as s (account, stream, record_key)
    values (${account}, ${stream}, ${JSON.stringify(key)}::jsonb)
    on conflict (account, stream) do update set record_key = excluded.record_key, updated_at = now()
    where s.record_key is not distinct from ${before === undefined ? null : JSON.stringify(before)}::jsonb`.execute(
    db,
  );
}

/**
 * The candidate that the first record of a stream without a pin suggests; undefined where there is a pin
 * or nothing to suggest. Publishing shows whether it fits, so the records need not be read before.
 */
export async function suggestRecordKey(
  db: Executor,
  slice: SliceKey & { readonly stream: string },
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  if ((await readRecordKey(db, slice)) !== undefined) return undefined;
  return await firstCandidate(db, slice, choice);
}

/**
 * Pins a key that every record of a slice fits; false: another one was pinned since. Only the first publish of an
 * account's stream comes here, and no other account waits for its row.
 */
export async function pinFitting(
  tx: Executor,
  { account, stream }: StreamOf,
  key: RecordKey,
): Promise<boolean> {
  const wanted = JSON.stringify(key);
  const result = await sql<{ is_pinned: boolean }>`
    insert into sync.stream as s (account, stream, record_key) values (${account}, ${stream}, ${wanted}::jsonb)
    on conflict (account, stream)
    do update set record_key = coalesce(s.record_key, excluded.record_key), updated_at = now()
    returning record_key = ${wanted}::jsonb as is_pinned`.execute(tx);
  return result.rows[0]?.is_pinned === true;
}

async function readRecordKey(db: Executor, { account, stream }: StreamOf): Promise<RecordKey | undefined> {
  const row = await db
    .selectFrom('sync.stream')
    .select('record_key')
    .where('account', '=', account)
    .where('stream', '=', stream)
    .executeTakeFirst();
  return row?.record_key ?? undefined;
}
