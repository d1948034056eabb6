// Records from which a source's mapping is learned, and identifiers to compare their values with.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import type { LogicalSource } from './logical/logical-source.ts';
import { readMapping } from './mapping-rows.ts';
import type { SampleRecord } from './matching/match.ts';
import { type Neighbours, neighboursOf } from './matching/neighbours.ts';

/** Maximum records in a sample; more would show nothing new. */
export const enoughRecords = 1_000;
/** Minimum records from each scope, if there is room. */
const fewestOfScope = 100;
/** Maximum identifiers to compare; longer lists are cut. */
const mostKeys = 10_000;

interface Sample {
  readonly records: readonly SampleRecord[];
  readonly neighbours: Neighbours;
}

/**
 * Reads versions of the records, some from each scope, newest first, with the fields now beside their list.
 * @param referred what fields refer to: streams, of which it reads the keys, those of clients as used in requests too; or
 *   `clients.name`
 */
export async function readSample(
  db: Executor,
  { name, stream, envelope }: LogicalSource,
  referred: readonly string[] = [],
): Promise<Sample> {
  const of = envelope ? 'envelope' : stream;
  // Reads envelopes once per scope, because many records share one.
  const { rows } = await sql<
    | { kind: 'record' | 'envelope'; payload: unknown; account: string; client_id: string }
    | { kind: 'keys'; payload: readonly string[]; account: string; client_id: string }
  >`
    with known as (
      select stream, account, client_id from sync.newest
      union
      -- What is being published, and clients that are about to be asked for.
      select stream, account, client_id from sync.slice where status in ('planned', 'walking', 'deferred', 'failed')
    ), scope as (
      select n.account, n.client_id from known as n
      where n.stream = ${stream} and exists (
        select from snapshot.record as v
        where v.stream = ${of} and v.account = n.account and v.client_id = n.client_id
          and (${!envelope} or v.record_key = ${stream})
      )
      order by n.account, n.client_id limit 200
    ), sample as (
      select r.payload, s.account, s.client_id from scope as s
      cross join lateral (
        select v.payload from snapshot.record as v
        where v.stream = ${of} and v.account = s.account and v.client_id = s.client_id
          and (${!envelope} or v.record_key = ${stream})
        order by v.until desc, v.record_key desc
        limit greatest(${enoughRecords} / (select count(*) from scope), ${fewestOfScope})
      ) as r
      limit ${enoughRecords}
    )
    select 'record' as kind, payload, account, client_id from sample
    union all
    select 'envelope', r.payload, s.account, s.client_id from scope as s
    join snapshot.envelope as r on r.account = s.account and r.client_id = s.client_id
      and r.record_key = ${stream} and r.until = 'infinity'
    where ${!envelope}
    union all
    select 'keys', to_jsonb(array(
        (select record_key from snapshot.record as r where r.stream = s.stream limit ${mostKeys})
        union
        (select distinct client_id from known where s.stream = 'clientes' and client_id <> '' limit ${mostKeys})
        union
        (select distinct name from typed.clients where s.stream = 'clients.name' limit ${mostKeys})
      )), s.stream, ''
    from unnest(${[...new Set(referred)]}::text[]) as s (stream)
    where exists (select from sample)`.execute(db);
  const around = new Map<string, unknown>();
  const keys = new Map<string, ReadonlySet<string>>();
  for (const { kind, payload, account, client_id } of rows) {
    if (kind === 'envelope') around.set(JSON.stringify([account, client_id]), payload);
    if (kind === 'keys') keys.set(account, new Set(payload.flatMap((key) => [key, ...asRead(key)])));
  }
  const records = rows.flatMap(({ kind, payload, account, client_id }) =>
    kind === 'record'
      ? [{ record: payload, envelope: around.get(JSON.stringify([account, client_id])) }]
      : [],
  );
  const mapped = (await readMapping(db)).filter(({ source }) => source !== name);
  return { records, neighbours: neighboursOf((stream) => keys.get(stream) ?? new Set(), mapped) };
}

/** Counts the versions of each source's records, up to `most`; leaves out a source without any. */
export async function countRecords(
  db: Executor,
  sources: readonly LogicalSource[],
  most: number,
): Promise<ReadonlyMap<string, number>> {
  const of = sources.map(({ name, stream, envelope }) => ({ name, stream, envelope }));
  const { rows } = await sql<{ name: string; count: number }>`
    select s.name, count(*)::integer as count
    from jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as s (name text, stream text, envelope boolean)
    cross join lateral (
      select from snapshot.record as r
      where r.stream = case when s.envelope then 'envelope' else s.stream end
        and (not s.envelope or r.record_key = s.stream)
      limit ${most}
    ) as r
    group by s.name`.execute(db);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Returns the key as a sample shows it, if that differs: a number past 2^53 loses digits. */
function asRead(key: string): string[] {
  return /^\d{16,}$/.test(key) ? [String(Number(key))] : [];
}
