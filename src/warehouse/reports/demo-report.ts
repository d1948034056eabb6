// What a demo's warehouse holds: one figure of each client by date, and what storing it takes.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';

/** Where a figure is in the data. */
export interface FigureFields {
  /** A stream with one record a client and date. */
  readonly stream: string;
  readonly name: readonly string[];
  readonly value: readonly string[];
  /** Figures of different methods cannot be compared. */
  readonly method: readonly string[];
}

export interface FigureOfDay {
  readonly client_id: string;
  readonly name: string | null;
  readonly date: string;
  /** Null: there was none on that date. */
  readonly value: number | null;
  readonly method: string | null;
}

/** The figure of every client on each date, as the snapshot of that date has it; oldest date first. */
export async function readFigures(
  db: Executor,
  fields: FigureFields,
  dates: { readonly from: string; readonly to: string },
): Promise<FigureOfDay[]> {
  const result = await sql<FigureOfDay>`
    with client as (
      select account, client_id, (array_agg(payload #>> ${[...fields.name]}::text[] order by run_date desc))[1] as name
      from snapshot.record where stream = ${fields.stream} group by account, client_id
    )
    select c.client_id, c.name, d.date::date as date, r.payload #>> ${[...fields.method]}::text[] as method,
      (r.payload #>> ${[...fields.value]}::text[])::float8 as value
    from client c
    cross join generate_series(${dates.from}::date, ${dates.to}::date, interval '1 day') as d (date)
    left join snapshot.record r on r.stream = ${fields.stream} and r.account = c.account
      and r.client_id = c.client_id and r.run_date <= d.date and d.date < r.until
    order by c.client_id, d.date`.execute(db);
  return result.rows;
}

export interface StorageFacts {
  readonly versions: number;
  /** Records on the last date. */
  readonly records: number;
  /** Rows that one copy of every record and date would be. */
  readonly copies: number;
  /** Tables, indexes and free space. */
  readonly disc_bytes: number;
  /** Rows alone, as they are. */
  readonly version_bytes: number;
  /** Rows alone, one for each record and date, each as large as the version it repeats. */
  readonly copy_bytes: number;
}

/** @param lastDate newest run date; run dates follow each other without a gap */
export async function readStorageFacts(db: Executor, lastDate: string): Promise<StorageFacts> {
  const result = await sql<StorageFacts>`
    with version as (
      select pg_column_size(r.*) as bytes, least(r.until, ${lastDate}::date + 1) - r.run_date as dates,
        r.until > ${lastDate}::date as current
      from snapshot.record r
    )
    select count(*) as versions, count(*) filter (where current) as records,
      coalesce(sum(dates), 0)::bigint as copies, coalesce(sum(bytes), 0)::bigint as version_bytes,
      coalesce(sum(bytes::bigint * dates), 0)::bigint as copy_bytes,
      (select sum(pg_total_relation_size(relid))::bigint from pg_partition_tree('snapshot.record')) as disc_bytes
    from version`.execute(db);
  const facts = result.rows[0];
  if (facts === undefined) throw new Error('the query of storage facts returned no row');
  return facts;
}
