// Facts about a demo's warehouse: the AI Rank of each client as the curated views have it, and the storage
// that it takes.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

export interface ClientRank {
  readonly client_key: string;
  readonly client_name: string;
  readonly date: string | null;
  readonly method: string | null;
  readonly score: number | null;
  readonly change_7d: number | null;
  readonly change_28d: number | null;
  /** Tells whether change_28d is clear, and its direction; null: it cannot be judged. */
  readonly change_28d_direction: 'rose' | 'fell' | 'usual' | null;
  /** The least change of 28 days that is clear for this client, in points; null: unknown. */
  readonly usual_change: number | null;
  /** The comparable points of the method on each date of the period, oldest first; null: there is none. */
  readonly trend: readonly (number | null)[];
}

/**
 * Reads the AI Rank of every client from bi.rank_latest and bi.rank_trend, those that fell first. The account
 * itself is among them if it has a rank of its own.
 */
export async function readRanks(
  db: Executor,
  dates: { readonly from: string; readonly to: string },
): Promise<ClientRank[]> {
  const result = await sql<ClientRank>`
    select c.client_key, c.client_name, l.date, l.method, l.score::float8 as score, l.change_7d::float8 as change_7d,
      l.change_28d::float8 as change_28d, l.change_28d_direction, l.usual_change::float8 as usual_change,
      array(
        select t.method_score::float8
        from generate_series(${dates.from}::date, ${dates.to}::date, interval '1 day') as d (date)
        left join bi.rank_trend t on t.account = c.account and t.client_id = c.client_id and t.method = l.method and t.date = d.date
        order by d.date
      ) as trend
    from bi.clients c
    left join bi.rank_latest l on l.account = c.account and l.client_id = c.client_id
    where c.left_on is null and (not c.is_account or l.date is not null)
    order by l.change_28d_direction is not distinct from 'fell' desc, l.change_28d nulls last, c.client_id`.execute(
    db,
  );
  return result.rows;
}

export interface StorageFacts {
  readonly versions: number;
  readonly records: number;
  /** Rows if every record were copied for every date. */
  readonly copies: number;
  /** Tables, indexes and free space; without the pages of walks, which are deleted and whose space is used again. */
  readonly disc_bytes: number;
  /** Rows alone, as they are stored. */
  readonly version_bytes: number;
  /** Rows alone, if every record were copied for every date at the size of the version that it repeats. */
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
      (
        select sum(pg_total_relation_size(c.oid))::bigint from pg_class as c
        where c.relkind = 'r' and c.oid <> 'sync.page'::regclass
          and c.relnamespace in ('snapshot'::regnamespace, 'typed'::regnamespace, 'sync'::regnamespace)
      ) as disc_bytes
    from version`.execute(db);
  const facts = result.rows[0];
  if (facts === undefined) throw new Error('the query of storage facts returned no row');
  return facts;
}
