// The records of a slice's pages with their record keys, in a temporary table of the connection: the result of a walk,
// ready to be compared with what is stored.
import { type RawBuilder, sql } from 'kysely';
import { ahead, type Executor } from '../../db/database.ts';
import { pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';

/** SQL for each content of a walk, with the first page that holds it. */
const firstPages = (slice: SliceKey) => sql`
  select ${hashOf(sql`e.value`)} as hash, min(p.page_no) as page_no
  from sync.page p cross join lateral ${recordsOfPage} as e
  where ${pagesOf(slice)}
  group by 1`;

/** True if every record of the pages after `pageNo` is also on an earlier page of the walk. */
export async function holdNothingNew(db: Executor, slice: SliceKey, pageNo: number): Promise<boolean> {
  const result = await sql<{ nothing_new: boolean }>`
    with record as (${firstPages(slice)})
    select not exists (select from record where page_no > ${pageNo}) as nothing_new`.execute(db);
  return result.rows[0]?.nothing_new === true;
}

/**
 * Finds records that came again unchanged on another page of the walk, named as by `repeatName`, except those already
 * published as repeated. They show that pages shifted during the walk, which then missed as many records.
 */
export async function findShifted(db: Executor, slice: Scope & SliceKey, key: RecordKey): Promise<string[]> {
  const result = await sql<{ name: string }>`
    with repeated as (
      select ${shortened(keyExpression(key))} as key, ${hashOf(sql`e.value`)} as hash
      from sync.page p cross join lateral ${recordsOfPage} as e
      where ${pagesOf(slice)}
      group by 1, 2
      having count(distinct p.page_no) > 1
    ), named as (
      select ${repeatName(sql`key`, sql`hash`)} as name from repeated where key is not null
    )
    select name from named n
    where not exists (
      select from snapshot.record r
      where r.stream = ${slice.stream} and r.account = ${slice.account} and r.client_id = ${slice.clientId}
        and r.until = 'infinity' and r.record_key = n.name
    )`.execute(db);
  return result.rows.map((row) => row.name);
}

/** Counts the records of a page that no earlier page of the walk holds with this content. */
export async function countUnseen(db: Executor, slice: SliceKey, pageNo: number): Promise<number> {
  const result = await sql<{ unseen: number }>`
    with record as (${firstPages(slice)})
    select count(*) as unseen from record where page_no = ${pageNo}`.execute(db);
  return result.rows[0]?.unseen ?? 0;
}

/** Paths that identify a record, as [["id"]]; [] if its content does. */
export type RecordKey = readonly (readonly string[])[];

/** Index rows hold at most 2,704 bytes; a longer key is cut and gets its hash appended. */
const maxKeyBytes = 512;

/** The records of a page `p`, as `e (value)`. */
export const recordsOfPage = sql`jsonb_array_elements(p.list)`;

const scalarTypes = sql`('string', 'number', 'boolean')`;

/**
 * SQL for the value at a path of `e.value`. Uses -> only, because #> would read a number in a path as a position in a
 * list.
 */
function valueAt(path: readonly string[]): RawBuilder<unknown> {
  return path.reduce<RawBuilder<unknown>>((value, name) => sql`${value} -> ${name}::text`, sql`e.value`);
}

/** SQL for the key of `e.value`; null if missing or not a scalar. Of several paths, one may be null or missing. */
export function keyExpression(key: RecordKey): RawBuilder<string | null> {
  const [first, ...others] = key;
  if (first === undefined) return sql<string | null>`null::text`;
  if (others.length === 0) {
    const value = valueAt(first);
    return sql<
      string | null
    >`case when jsonb_typeof(${value}) in ${scalarTypes} then (${value}) #>> '{}' end`;
  }
  const parts = key.map(valueAt);
  const types = sql.join(parts.map((part) => sql`coalesce(jsonb_typeof(${part}), 'null')`));
  return sql<string | null>`case
    when not array[${types}] && '{array,object}' and 1 >= cardinality(array_positions(array[${types}], 'null'))
    then jsonb_build_array(${sql.join(parts)})::text
  end`;
}

export const hashOf = (value: RawBuilder<unknown>) =>
  sql`substring(sha256(convert_to(${value}::text, 'UTF8')) for 16)`;

/** SQL for the records `r` of a slice's pages: page_no, payload, hash, and key, which is null if there is none. */
export const keyedRecords = (slice: SliceKey, key: RecordKey) => sql`(
  select p.page_no, e.value as payload, ${hashOf(sql`e.value`)} as hash,
    coalesce(p.record_key, ${keyExpression(key)}) as key
  from sync.page p cross join lateral ${recordsOfPage} as e
  where ${pagesOf(slice)}
  -- Without it key and hash are computed again wherever they are named.
  offset 0
) as r`;

/** Creates the connection's table, empty; `on commit delete rows` empties it for the next publish. */
export async function createIncoming(tx: Executor): Promise<void> {
  await sql`
    create temporary table if not exists incoming (
      stream text not null,
      record_key text not null,
      -- Whether the key was in the record; false: its content is its identity.
      keyed boolean not null,
      hash bytea not null,
      payload jsonb not null,
      -- Where the walk found it; null for what no page of a list held.
      page_no integer
    ) on commit delete rows ${ahead}`.execute(tx);
}

export async function fillIncoming(
  tx: Executor,
  slice: SliceKey & { readonly stream: string },
  key: RecordKey,
): Promise<number> {
  const result = await sql`
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload, page_no)
    select ${slice.stream}, coalesce(${shortened(sql`r.key`)}, '~' || encode(r.hash, 'hex')), r.key is not null,
      r.hash, r.payload, r.page_no
    from ${keyedRecords(slice, key)}`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

/** SQL for the name shared by records with the same key and content; they are stored under it. */
const repeatName = (key: RawBuilder<unknown>, hash: RawBuilder<unknown>) =>
  sql<string>`${key} || '~' || encode(${hash}, 'hex')`;

/**
 * Drops all but the first of the records that came again unchanged on another page; repeats on one page all stay. Pages
 * read a second time keep only records that no page of the walk held.
 * @param real repeats to keep, named as by `repeatName`
 */
export async function dropShifted(tx: Executor, slice: SliceKey, real: readonly string[]): Promise<void> {
  await sql`
    with walk as (
      select max(page_no) as pages from sync.page p where ${pagesOf(slice)} and not is_reread
    )
    delete from pg_temp.incoming i using walk w
    where i.page_no > w.pages and exists (
      select from pg_temp.incoming f where f.hash = i.hash and f.page_no < i.page_no
    )`.execute(tx);
  await sql`
    delete from pg_temp.incoming i
    using (
      select record_key, hash, min(page_no) as page_no from pg_temp.incoming
      where keyed and ${repeatName(sql`record_key`, sql`hash`)} <> all(${[...real]}::text[])
      group by record_key, hash having count(distinct page_no) > 1
    ) as r
    where i.keyed and i.record_key = r.record_key and i.hash = r.hash and i.page_no > r.page_no`.execute(tx);
}

/** SQL for a key in the form in which it is stored. */
export function shortened(key: RawBuilder<string | null>): RawBuilder<string | null> {
  return sql<string | null>`case
    when octet_length(${key}) <= ${maxKeyBytes} then ${key}
    else left(${key}, 100) || '~' || encode(sha256(convert_to(${key}, 'UTF8')), 'hex')
  end`;
}

/**
 * Gives every record its own key: a repeated one gets the content hash appended, exact duplicates are numbered. Returns
 * the number of records whose key was missing or repeated; 0 if content is the identity, as that is no conflict.
 */
export async function settleKeys(tx: Executor, key: RecordKey, records: number): Promise<number> {
  // A single record cannot repeat.
  if (key.length === 0 && records < 2) return 0;
  const { repeated, settled, unkeyed } = await separateRepeated(tx);
  // A key made here may equal another record's real key, which is then a repeat too.
  for (let left = settled; left > 0; ) left = (await separateRepeated(tx)).settled;
  return key.length === 0 ? 0 : repeated + unkeyed;
}

interface Separated {
  readonly repeated: number;
  /** Includes repeated records without a key. */
  readonly settled: number;
  readonly unkeyed: number;
}

async function separateRepeated(tx: Executor): Promise<Separated> {
  const counts = await sql<Separated>`
    with repeated as (
      select record_key from pg_temp.incoming group by record_key having count(*) > 1
    ), numbered as (
      select i.ctid as place, i.keyed, i.record_key, i.hash,
        row_number() over (partition by i.record_key, i.keyed, i.hash) as number
      from pg_temp.incoming i join repeated r on r.record_key = i.record_key
    ), settled as (
      update pg_temp.incoming i
      set record_key = n.record_key
        || case when n.keyed then '~' || encode(n.hash, 'hex') else '' end
        || case when n.number > 1 then '~' || n.number else '' end
      from numbered n where n.place = i.ctid
      returning n.keyed
    )
    select (select count(*) from settled where keyed) as repeated, (select count(*) from settled) as settled,
      (select count(*) from pg_temp.incoming where not keyed) as unkeyed`.execute(tx);
  return counts.rows[0] ?? { repeated: 0, settled: 0, unkeyed: 0 };
}
