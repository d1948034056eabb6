// Which paths identify the records of a walk: the named candidates, then what is named like an identifier.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import {
  type IdentifierPath,
  identifierPaths,
  identifierShape,
  isIdentifierPath,
} from '../../streams/fields/identifier-paths.ts';
import { pagesOf, type SliceKey } from '../slices/slices.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage } from './incoming.ts';
import { isSamePath, spelledAs, valueAt } from './spelled-path.ts';

export interface KeyChoice {
  /** The stream, whose records may hold identifiers that no candidate names. Undefined: only `keys` count. */
  readonly name?: string;
  /** Candidates in order of preference. */
  readonly keys: readonly RecordKey[];
  /** The user named them: the first one is taken even where it is missing or repeated, and nothing else is. */
  readonly keysConfigured: boolean;
  /** Pages moved under the walk: a record that came again unchanged does not count twice. Default false. */
  readonly storesOnce?: boolean;
}

/** So many records must be there before a name that may be another thing's identifies them. */
const fewRecords = 10;

/** Content as identity is what any list of candidates may end in, unless the user named them. */
export function isCandidate(key: RecordKey, { keys, keysConfigured, name }: KeyChoice): boolean {
  if (key.length === 0) return !keysConfigured;
  if (keys.some((candidate) => isSameKey(candidate, key))) return true;
  const [path, ...more] = key;
  if (keysConfigured || name === undefined || path === undefined || more.length > 0) return false;
  return isIdentifierPath(path, name);
}

function isSameKey(one: RecordKey, other: RecordKey): boolean {
  return one.length === other.length && one.every((path, index) => isSamePath(path, other[index] ?? []));
}

/** What the first record suggests, for a publish that shows whether it fits. Clients are looked at before. */
export async function firstCandidate(
  db: Executor,
  slice: SliceKey,
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const first = await firstRecord(db, slice);
  if (first === undefined) return undefined;
  const { record } = first;
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

/** The first candidate that is unique in every record of a walked slice, else [] (content); undefined without a record. */
export async function findRecordKey(
  db: Executor,
  slice: SliceKey,
  choice: KeyChoice,
): Promise<RecordKey | undefined> {
  const first = await firstRecord(db, slice);
  if (first === undefined) return undefined;
  const { keys, keysConfigured, name } = choice;
  let isNamed = false;
  for (const key of spelledKeys(keys, first.record)) {
    const { isEverywhere, isUnique } = await lookAt(db, slice, key, choice);
    if (isEverywhere && isUnique) return key;
    isNamed ||= isEverywhere;
  }
  // A client that is listed twice is known by its identifier all the same, not by another field.
  const others = name === 'clientes' && isNamed ? [] : identifiersIn(first.record, choice);
  for (const { path, isSafe } of others) {
    if (!isSafe && name === 'clientes') continue;
    const found = await lookAt(db, slice, [path], choice);
    const isProved = isSafe || (found.records >= fewRecords && !found.isClient);
    if (found.isEverywhere && found.isUnique && found.isIdentifier && isProved) return [path];
  }
  return keysConfigured ? (keys[0] ?? []) : [];
}

/** Fields of the walk's first record that look like identifiers, as paths to read. */
export async function alikeInWalk(db: Executor, slice: SliceKey, choice: KeyChoice): Promise<string[]> {
  const first = await firstRecord(db, slice);
  return first === undefined ? [] : identifiersIn(first.record, choice).map(({ path }) => path.join('.'));
}

interface Found {
  readonly isEverywhere: boolean;
  readonly isUnique: boolean;
  /** Every value is short and without spaces. */
  readonly isIdentifier: boolean;
  /** A value is the identifier of one of the account's clients. */
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

async function firstRecord(db: Executor, slice: SliceKey): Promise<{ record: unknown } | undefined> {
  const sample = await sql<{ record: unknown }>`
    select e.value as record ${recordsOf(slice)} limit 1`.execute(db);
  return sample.rows[0];
}

function identifiersIn(record: unknown, { name, keysConfigured }: KeyChoice): readonly IdentifierPath[] {
  return name === undefined || keysConfigured ? [] : identifierPaths(record, name);
}

/** Candidates that the record has, as it spells them. */
function spelledKeys(candidates: readonly RecordKey[], record: unknown): RecordKey[] {
  return candidates.flatMap((candidate) => {
    const paths = candidate.map((path) => spelledAs(path, record));
    const key = paths.filter((path) => path !== undefined);
    return key.length === paths.length ? [key] : [];
  });
}
