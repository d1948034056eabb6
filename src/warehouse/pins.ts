// What is found in the data of a stream once and then stays: the key of its list, and the paths
// that identify its records.
import { sql } from 'kysely';
import type { Executor } from './database.ts';
import { keyExpression, type RecordKey, recordsOfPage } from './incoming.ts';

export interface Pins {
  /** Undefined: not found yet, or the API reference gives it. */
  readonly listKey: string | undefined;
  /** Undefined: no record seen yet; []: content is the identity. */
  readonly recordKey: RecordKey | undefined;
}

/** The pins of every stream, by stream name. */
export async function readPins(db: Executor): Promise<Map<string, Pins>> {
  const rows = await db.selectFrom('sync.stream').select(['stream', 'list_key', 'record_key']).execute();
  return new Map(
    rows.map((row) => [
      row.stream,
      { listKey: row.list_key ?? undefined, recordKey: row.record_key ?? undefined },
    ]),
  );
}

/** Pins the key of a stream's list. The first one to say so wins; returns what is pinned. */
export async function pinList(db: Executor, stream: string, listKey: string): Promise<string> {
  const result = await sql<{ list_key: string }>`
    insert into sync.stream as s (stream, list_key) values (${stream}, ${listKey})
    on conflict (stream) do update set list_key = coalesce(s.list_key, excluded.list_key)
    returning list_key`.execute(db);
  return result.rows[0]?.list_key ?? listKey;
}

export interface KeyChoice {
  /** Candidates in order of preference. */
  readonly keys: readonly RecordKey[];
  /** The user named them: the first one is taken even where it is missing or repeated. */
  readonly keysConfigured: boolean;
}

/**
 * The pinned record key of a stream, pinned now if it is not yet: the first candidate that is
 * present, scalar and unique in every record of the slice, else [] (content). A pin that is no
 * candidate any more (the configuration changed) is replaced. Undefined while no record was seen.
 */
export async function pinRecordKey(
  db: Executor,
  slice: { id: number; stream: string },
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const pinned = await readRecordKey(db, slice.stream);
  if (pinned !== undefined && isCandidate(pinned, choice)) return pinned;
  const found = await findRecordKey(db, slice.id, choice);
  if (found === undefined) return undefined;
  const before = pinned === undefined ? null : JSON.stringify(pinned);
  await sql`
    insert into sync.stream as s (stream, record_key) values (${slice.stream}, ${JSON.stringify(found)}::jsonb)
    on conflict (stream) do update set record_key = excluded.record_key, updated_at = now()
    where s.record_key is not distinct from ${before}::jsonb`.execute(db);
  return await readRecordKey(db, slice.stream);
}

async function readRecordKey(db: Executor, stream: string): Promise<RecordKey | undefined> {
  const row = await db
    .selectFrom('sync.stream')
    .select('record_key')
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

async function findRecordKey(
  db: Executor,
  sliceId: number,
  { keys: candidates, keysConfigured }: KeyChoice,
): Promise<RecordKey | undefined> {
  const records = sql`
    from sync.page p cross join lateral ${recordsOfPage} as e
    where p.slice_id = ${sliceId} and p.record_key is null`;
  const sample = await sql<{ record: unknown }>`select e.value as record ${records} limit 1`.execute(db);
  const first = sample.rows[0];
  if (first === undefined) return undefined;
  for (const candidate of candidates) {
    const spelled = candidate.map((path) => spelledAs(path, first.record));
    if (spelled.some((path) => path === undefined)) continue;
    const key = spelled.filter((path) => path !== undefined);
    const value = keyExpression(key);
    const all = await sql<{ fits: boolean }>`
      select count(*) = count(key) and count(*) = count(distinct key) as fits
      from (select ${value} as key ${records}) as keys`.execute(db);
    if (all.rows[0]?.fits === true) return key;
  }
  return keysConfigured ? (candidates[0] ?? []) : [];
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
