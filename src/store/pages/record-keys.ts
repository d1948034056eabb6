// Facts that are found once in the data of a stream and then stay fixed: the key of its list, and the paths
// that identify its records.

import { type RawBuilder, sql } from 'kysely';
import { valueAt } from '../../core/json.ts';
import type { Executor, Row } from '../../db/database.ts';
import { type IdentifierPath, identifierPaths, identifierShape } from '../../streams/identifier-paths.ts';
import { evidentKeys } from '../../streams/key-evidence.ts';
import { pagesOf, type SliceKey } from '../slices/slices.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage } from './incoming.ts';

/** Returns the path with its names as the record spells them; undefined if the record has no such field. */
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

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((name, index) => normalizedName(name) === normalizedName(other[index] ?? ''))
  );
}

/** Writes a record key for people. */
export function keyText(key: RecordKey): string {
  return key.length === 0 ? 'their content' : key.map((path) => path.join('.')).join(' and ');
}

function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Candidates for the paths that identify records: the named ones first, then fields named like an identifier. */
interface KeyChoice {
  /** Stream in whose records other identifiers are looked for. Undefined if only `keys` count. */
  readonly name?: string;
  readonly keys: readonly RecordKey[];
  /** The user named them: the first is taken even if it is missing or repeated, and no other field is. */
  readonly keysConfigured: boolean;
  /** Pages moved during the walk, so a record that came again unchanged does not count twice. Default: false. */
  readonly storesOnce?: boolean;
}

/** Number of records searched for a key; Postgres then checks whether it holds for all. */
const sampleSize = 200;

const fewRecords = 10;

/** True if a fixed key may stay: one of the user's keys, if the user named any; otherwise any key that was found. */
export function isCandidate(key: RecordKey, { keys, keysConfigured }: KeyChoice): boolean {
  return !keysConfigured || keys.some((candidate) => isSameKey(candidate, key));
}

function isSameKey(one: RecordKey, other: RecordKey): boolean {
  return one.length === other.length && one.every((path, index) => isSamePath(path, other[index] ?? []));
}

/** Returns the first candidate that is unique in each record of a walk, else [] (content); undefined if no records. */
async function keyOfAll(db: Executor, slice: SliceKey, choice: KeyChoice): Promise<RecordKey | undefined> {
  const records = await firstRecords(db, slice);
  const [first] = records;
  if (first === undefined) return undefined;
  const { keys, keysConfigured, name } = choice;
  let isNamed = false;
  for (const key of spelledKeys(keys, first)) {
    const { isEverywhere, isUnique } = await lookAt(db, slice, key, choice);
    if (isEverywhere && isUnique) return key;
    isNamed ||= isEverywhere;
  }
  if (keysConfigured) return keys[0] ?? [];
  // A client that is listed twice is still known by its identifier, not by another field.
  const others = name === 'clientes' && isNamed ? [] : identifiersIn(first, choice);
  for (const { path, isSafe } of others) {
    if (!isSafe && name === 'clientes') continue;
    const found = await lookAt(db, slice, [path], choice);
    const isProved = isSafe || (found.records >= fewRecords && !found.isClient);
    if (found.isEverywhere && found.isUnique && found.isIdentifier && isProved) return [path];
  }
  for (const key of name === undefined || name === 'clientes' ? [] : evidentKeys(records, name)) {
    const found = await lookAt(db, slice, key, choice);
    if (found.isEverywhere && found.isUnique && !found.isClient) return key;
  }
  return [];
}

/** Returns fields of the walk's first record that look like identifiers, as paths to read. */
export async function alikeInWalk(db: Executor, slice: SliceKey, choice: KeyChoice): Promise<string[]> {
  const [first] = await firstRecords(db, slice, 1);
  return identifiersIn(first, choice).map(({ path }) => path.join('.'));
}

/** True if each record of a walk has its own identifier at these paths. */
export async function isKeyOfAll(
  db: Executor,
  slice: SliceKey,
  key: RecordKey,
  choice: KeyChoice,
): Promise<boolean> {
  const { isEverywhere, isUnique, isIdentifier } = await lookAt(db, slice, key, choice);
  return isEverywhere && isUnique && isIdentifier;
}

interface Found {
  readonly isEverywhere: boolean;
  readonly isUnique: boolean;
  /** True if every value is short and without spaces. */
  readonly isIdentifier: boolean;
  readonly isClient: boolean;
  readonly records: number;
}

async function lookAt(
  db: Executor,
  slice: SliceKey,
  key: RecordKey,
  { name = '', storesOnce = false }: KeyChoice,
): Promise<Found> {
  const clients = sql`
    select record_key from snapshot.record
    where stream = 'clientes' and account = ${slice.account} and client_id = '' and until = 'infinity'`;
  const hash = storesOnce ? hashOf(sql`e.value`) : sql`null`;
  const result = await sql<Found>`
    select coalesce(bool_and(key is not null), true) as "isEverywhere", coalesce(bool_and(times = 1), true) as "isUnique",
      coalesce(bool_and(key ~ ${identifierShape(name)}), false) as "isIdentifier",
      ${name === 'clientes' ? sql`false` : sql`coalesce(bool_or(key in (${clients})), false)`} as "isClient",
      coalesce(sum(times), 0)::integer as records
    from (
      select key, ${storesOnce ? sql`count(distinct hash)` : sql`count(*)`} as times
      from (select ${keyExpression(key)} as key, ${hash} as hash ${recordsOf(slice)}) as keys
      group by key
    ) as each_key`.execute(db);
  const [found] = result.rows;
  return found ?? { isEverywhere: true, isUnique: true, isIdentifier: false, isClient: false, records: 0 };
}

const recordsOf = (slice: SliceKey) => sql`
  from sync.page p cross join lateral ${recordsOfPage} as e
  where ${pagesOf(slice)} and p.record_key is null`;

/** Reads the first records of a walk, as a sample of all. */
export async function firstRecords(
  db: Executor,
  slice: SliceKey,
  limit = sampleSize,
  condition = sql`true`,
): Promise<unknown[]> {
  const sample = await sql<{ record: unknown }>`
    select e.value as record ${recordsOf(slice)} and ${condition} limit ${limit}`.execute(db);
  return sample.rows.map(({ record }) => record);
}

function identifiersIn(record: unknown, { name, keysConfigured }: KeyChoice): readonly IdentifierPath[] {
  return name === undefined || keysConfigured ? [] : identifierPaths(record, name);
}

/** Returns the candidates that the record has, as it spells them. */
function spelledKeys(candidates: readonly RecordKey[], record: unknown): RecordKey[] {
  return candidates.flatMap((candidate) => {
    const paths = candidate.map((path) => spelledAs(path, record));
    const key = paths.filter((path) => path !== undefined);
    return key.length === paths.length ? [key] : [];
  });
}

export interface FixedKeys {
  /** Undefined if not found yet, or given by the API reference. */
  readonly listKey: string | undefined;
  /** Undefined if no record was seen yet; [] if content is the identity. */
  readonly recordKey: RecordKey | undefined;
}

export type StreamKeys = Pick<Row<'sync.stream'>, 'stream' | 'list_key' | 'record_key'>;

export const streamKeys = (account: string) =>
  sql<StreamKeys>`select stream, list_key, record_key from sync.stream where account = ${account}`;

export async function readFixedKeys(db: Executor, account: string): Promise<ReadonlyMap<string, FixedKeys>> {
  return fixedKeysOf((await streamKeys(account).execute(db)).rows);
}

export function fixedKeysOf(rows: readonly StreamKeys[]): ReadonlyMap<string, FixedKeys> {
  return new Map(
    rows.map((row) => [
      row.stream,
      { listKey: row.list_key ?? undefined, recordKey: row.record_key ?? undefined },
    ]),
  );
}

interface StreamOf {
  readonly account: string;
  readonly stream: string;
}

interface KeyedStream {
  readonly stream: string;
  readonly listKeys: readonly string[];
  readonly recordKey: RecordKey | undefined;
}

/** Reads the fixed keys of all accounts, for people: one entry per stream and record key. */
export async function readAllFixedKeys(db: Executor): Promise<KeyedStream[]> {
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
 * Fixes the key of a stream's list for an account. The first writer wins; returns the fixed key.
 * @param instead the key fixed now, to be replaced because the server confirmed that the list moved
 */
export async function fixListKey(
  db: Executor,
  scope: StreamOf,
  listKey: string,
  instead?: string,
): Promise<string> {
  return (
    (await fix<string>(db, scope, 'list_key', sql`${listKey}::text`, sql`${instead ?? null}::text`)) ??
    listKey
  );
}

/** Fixes the key of a stream's records in the same way. */
export async function fixRecordKey(
  db: Executor,
  scope: StreamOf,
  key: RecordKey,
  instead?: RecordKey,
): Promise<RecordKey> {
  const json = (one: RecordKey | undefined) => sql`${one === undefined ? null : JSON.stringify(one)}::jsonb`;
  return (await fix<RecordKey>(db, scope, 'record_key', json(key), json(instead))) ?? key;
}

async function fix<Value>(
  db: Executor,
  { account, stream }: StreamOf,
  column: 'list_key' | 'record_key',
  value: RawBuilder<unknown>,
  instead: RawBuilder<unknown>,
): Promise<Value | undefined> {
  const of = (row: 's' | 'excluded') => sql.ref(`${row}.${column}`);
  const result = await sql<{ fixed: Value }>`
    insert into sync.stream as s (account, stream, ${sql.ref(column)}) values (${account}, ${stream}, ${value})
    on conflict (account, stream) do update set updated_at = now(), ${sql.ref(column)} =
      case when ${of('s')} = ${instead} then ${of('excluded')} else coalesce(${of('s')}, ${of('excluded')}) end
    returning ${of('s')} as fixed`.execute(db);
  return result.rows[0]?.fixed;
}

/**
 * Finds and fixes the record key of an account's stream, unless it is fixed: the first candidate that is present,
 * scalar and unique in every record of the slice, else [] (content). Replaces a key that is no longer a candidate
 * because the configuration changed. Undefined while no record was seen.
 */
export async function findRecordKey(
  db: Executor,
  slice: SliceKey & { readonly stream: string },
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const fixed = (await readFixedKeys(db, slice.account)).get(slice.stream)?.recordKey;
  if (fixed !== undefined && isCandidate(fixed, choice)) return fixed;
  const found = await keyOfAll(db, slice, choice);
  return found && (await fixRecordKey(db, slice, found, fixed));
}

/**
 * Returns the candidate that the first record suggests while the stream's key is not fixed; undefined if it is fixed,
 * or nothing is suggested. Publishing shows whether it fits, so the records need not be read before. Clients only get a
 * named candidate.
 */
export async function suggestRecordKey(
  db: Executor,
  slice: SliceKey & { readonly stream: string },
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const isFixed = sql`exists (
    select from sync.stream as s
    where s.account = ${slice.account} and s.stream = ${slice.stream} and s.record_key is not null
  )`;
  const [record] = await firstRecords(db, slice, 1, sql`not ${isFixed}`);
  if (record === undefined) return undefined;
  const [named] = spelledKeys(choice.keys, record).filter(
    (key) => choice.keysConfigured || key.every((path) => typeof valueAt(record, path) !== 'object'),
  );
  if (named !== undefined || choice.name === 'clientes') return named;
  const shape = new RegExp(identifierShape(choice.name ?? ''));
  const safe = identifiersIn(record, choice).find(
    ({ path, isSafe }) => isSafe && shape.test(String(valueAt(record, path))),
  );
  return safe && [safe.path];
}
