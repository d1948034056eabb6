// What is found in the data of a stream once and then stays fixed: the key of its list, and the paths that identify
// its records.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { pagesOf, type SliceKey } from '../slices/slices.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage } from './incoming.ts';

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
 * @param instead of the one that is pinned now, because the server was believed that the list moved
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

export interface KeyChoice {
  /** Candidates in order of preference. */
  readonly keys: readonly RecordKey[];
  /** The user named them: the first one is taken even where it is missing or repeated. */
  readonly keysConfigured: boolean;
  /** Pages moved under the walk: a record that came again unchanged does not count twice. Default false. */
  readonly storesOnce?: boolean;
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
  { keys }: KeyChoice,
): Promise<RecordKey | undefined> {
  if ((await readRecordKey(db, slice)) !== undefined) return undefined;
  const first = await firstRecord(db, slice);
  return first && spelledKeys(keys, first.record)[0];
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

/** Content as identity is what any list of candidates may end in, unless the user named them. */
export function isCandidate(key: RecordKey, choice: KeyChoice): boolean {
  const wanted = normalized(key);
  if (key.length === 0) return !choice.keysConfigured;
  return choice.keys.some((candidate) => normalized(candidate) === wanted);
}

/** Names that differ only in letter case, `_` and `-` are the same field. */
function normalized(key: RecordKey): string {
  return JSON.stringify(key.map((path) => path.map(normalizedName)));
}

function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** The first candidate that is unique in every record of a walked slice, else [] (content); undefined without a record. */
export async function findRecordKey(
  db: Executor,
  slice: SliceKey,
  { keys: candidates, keysConfigured, storesOnce = false }: KeyChoice,
): Promise<RecordKey | undefined> {
  const first = await firstRecord(db, slice);
  if (first === undefined) return undefined;
  for (const key of spelledKeys(candidates, first.record)) {
    const value = keyExpression(key);
    const all = await sql<{ fits: boolean }>`
      select coalesce(bool_and(key is not null and times = 1), true) as fits
      from (
        select key, ${storesOnce ? sql`count(distinct hash)` : sql`count(*)`} as times
        from (select ${value} as key, ${storesOnce ? hashOf(sql`e.value`) : sql`null`} as hash ${recordsOf(slice)}) as keys
        group by key
      ) as each_key`.execute(db);
    if (all.rows[0]?.fits === true) return key;
  }
  return keysConfigured ? (candidates[0] ?? []) : [];
}

const recordsOf = (slice: SliceKey) => sql`
  from sync.page p cross join lateral ${recordsOfPage} as e
  where ${pagesOf(slice)} and p.record_key is null`;

async function firstRecord(db: Executor, slice: SliceKey): Promise<{ record: unknown } | undefined> {
  const sample = await sql<{ record: unknown }>`
    select e.value as record ${recordsOf(slice)} limit 1`.execute(db);
  return sample.rows[0];
}

/** Candidates that the record has, as it spells them. */
function spelledKeys(candidates: readonly RecordKey[], record: unknown): RecordKey[] {
  return candidates.flatMap((candidate) => {
    const paths = candidate.map((path) => spelledAs(path, record));
    const key = paths.filter((path) => path !== undefined);
    return key.length === paths.length ? [key] : [];
  });
}

/** The path with its names as the record spells them; undefined when the record has no such field. */
export function spelledAs(path: readonly string[], record: unknown): readonly string[] | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const fields = Object.entries(record);
  const field =
    fields.find(([key]) => key === name) ??
    fields.find(([key]) => normalizedName(key) === normalizedName(name));
  if (field === undefined) return undefined;
  const below = spelledAs(rest, field[1]);
  return below === undefined ? undefined : [field[0], ...below];
}
