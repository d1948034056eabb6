// The data in the warehouse, by account: its age, its last walks and its drift. Reads only bookkeeping, so
// that it is quick however many versions there are.
import { sql } from 'kysely';
import type { Executor, RunStatus, SliceStatus, WalkKind } from '../db/database.ts';
import type { DriftKind } from '../store/fields/learn-fields.ts';

/** Age of the data of each stream, by a few index probes, however much there is. */
export interface Freshness {
  readonly account: string;
  readonly stream: string;
  /** Last publish for the account itself or, if there are only clients, for the first one found. */
  readonly completedAt: Date;
}

/** SQL over n (sync.newest): the client of the scope has left, and nothing more is published of it. */
export const hasLeft = sql`exists (
  select from sync.slice as l
  where l.stream = n.stream and l.account = n.account and l.client_id = n.client_id and l.run_date = n.run_date and l.walk = 'left'
)`;

/** Leaves out streams that were never published, and streams of which every client left. */
export async function readFreshness(
  db: Executor,
  accounts: readonly string[],
  streams: readonly string[],
): Promise<Freshness[]> {
  const result = await sql<{ account: string; stream: string; completed_at: Date }>`
    select a.account, s.stream, newest.completed_at
    from unnest(${[...accounts]}::text[]) as a (account)
    cross join unnest(${[...streams]}::text[]) as s (stream)
    cross join lateral (
      select n.completed_at from sync.newest as n
      where n.account = a.account and n.stream = s.stream and not ${hasLeft}
      order by n.client_id limit 1
    ) as newest`.execute(db);
  return result.rows.map((row) => ({
    account: row.account,
    stream: row.stream,
    completedAt: row.completed_at,
  }));
}

export const driftTexts = {
  new_field: 'new field',
  new_type: 'new type',
  field_gone: 'field not seen any more',
  identity_conflict: 'missing or repeated keys',
} as const;

/** A change in the shape of the data, and the run dates that showed it. */
export interface DriftStatus {
  readonly source: string;
  readonly kind: DriftKind;
  /** `detalle.fuentes[].url` */
  readonly path: string;
  readonly type: string;
  readonly first_run_date: string;
  readonly last_run_date: string;
  readonly example: string | null;
}

export interface ViewFault {
  readonly source: string;
  readonly error: string;
}

/** The newest first. */
export async function readDrift(db: Executor): Promise<DriftStatus[]> {
  return await selectDrift(db).orderBy('last_run_date', 'desc').orderBy('id', 'desc').execute();
}

/** Drift as people read it, in no order. */
function selectDrift(db: Executor) {
  const path = sql<string>`sync.path_text(path)`.as('path');
  return db
    .selectFrom('sync.drift')
    .select(['source', 'kind', path, 'type', 'first_run_date', 'last_run_date', 'example']);
}

/** Sources whose views are stale, or whose fields could not be read. */
export async function readViewFaults(db: Executor): Promise<ViewFault[]> {
  const result = await sql<ViewFault>`
    select source, coalesce(view_error, 'fields of ' || learn_error) as error
    from sync.source where coalesce(view_error, learn_error) is not null order by source`.execute(db);
  return result.rows;
}

/** Days for which drift counts as recent: a scheduler that was away this long still reports it. */
const recentDays = 3;

/** The oldest first. */
export async function readRecentDrift(db: Executor): Promise<DriftStatus[]> {
  return await selectDrift(db)
    .where('detected_at', '>', sql<Date>`now() - make_interval(days => ${recentDays})`)
    .orderBy('id')
    .execute();
}

export interface StreamStatus {
  readonly account: string;
  readonly stream: string;
  /** Newest run date of which anything is published; null: never published. */
  readonly run_date: string | null;
  readonly slices: number;
  readonly complete: number;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly vanished: number;
  readonly versions: number;
  /** Every client that it was published for has left: nothing new is expected. */
  readonly ended: boolean;
}

/** Every stream that an account has slices of. */
export async function readStreamStatus(db: Executor): Promise<StreamStatus[]> {
  // A publish writes one version for each record that it inserted or changed.
  const result = await sql<StreamStatus>`
    with total as (
      select account, stream, max(run_date) filter (where completed_at is not null) as run_date,
        coalesce(sum(inserted + changed) filter (where completed_at is not null), 0)::bigint as versions
      from sync.slice group by account, stream
    ), newest as (
      select s.account, s.stream, count(*) as slices, count(*) filter (where s.status = 'complete') as complete,
        coalesce(sum(s.records) filter (where s.status = 'complete'), 0)::bigint as records, sum(s.inserted)::bigint as inserted,
        sum(s.changed)::bigint as changed, sum(s.vanished)::bigint as vanished
      from total as t
      join sync.slice as s on s.account = t.account and s.stream = t.stream and s.run_date = t.run_date
      group by s.account, s.stream
    )
    select t.account, t.stream, t.run_date, t.versions, coalesce(c.slices, 0) as slices, coalesce(c.complete, 0) as complete,
      coalesce(c.records, 0) as records, coalesce(c.inserted, 0) as inserted, coalesce(c.changed, 0) as changed,
      coalesce(c.vanished, 0) as vanished,
      t.run_date is not null and not exists (
        select from sync.newest n where n.account = t.account and n.stream = t.stream and not ${hasLeft}
      ) as ended
    from total as t
    left join newest as c on c.account = t.account and c.stream = t.stream
    order by t.account, t.stream`.execute(db);
  return result.rows;
}

export interface DayStatus {
  readonly account: string;
  readonly run_date: string;
  readonly slices: Readonly<Partial<Record<SliceStatus, number>>>;
}

export async function readNewestDays(db: Executor): Promise<DayStatus[]> {
  const result = await sql<DayStatus>`
    select account, run_date, jsonb_object_agg(status, slices) as slices
    from (
      select s.account, s.run_date, s.status, count(*) as slices
      from sync.slice s
      join (select account, max(run_date) as run_date from sync.slice group by account) as newest
        using (account, run_date)
      group by s.account, s.run_date, s.status
    ) as counted
    group by account, run_date
    order by account`.execute(db);
  return result.rows;
}

export interface IncompleteSlice {
  readonly account: string;
  readonly stream: string;
  readonly client_id: string;
  readonly status: SliceStatus;
  readonly walk: WalkKind;
  readonly error: string | null;
  readonly published: string | null;
  readonly stored_pages: number;
  readonly walking: boolean;
}

/** Slices of each account's newest run date that are not complete. */
export async function readIncompleteSlices(db: Executor): Promise<IncompleteSlice[]> {
  const result = await sql<IncompleteSlice>`
    select s.account, s.stream, s.client_id, s.status, s.walk, s.error,
      (select n.run_date from sync.newest n
        where n.stream = s.stream and n.account = s.account and n.client_id = s.client_id) as published,
      (select count(*) from sync.page p where p.account = s.account and p.slice_id = s.id) as stored_pages,
      s.status = 'walking' and coalesce(sync.run_is_alive(s.account, s.run_id), false) as walking
    from sync.slice s
    join (select account, max(run_date) as run_date from sync.slice group by account) as newest
      using (account, run_date)
    where s.status <> 'complete'
    order by s.account, s.stream, s.client_id`.execute(db);
  return result.rows;
}

export interface IncrementalWalks {
  readonly account: string;
  readonly slices: number;
  readonly pages_saved: number;
  readonly oldest_full_refresh: string;
  /** Records of the last 30 days that only full refreshes saw. */
  readonly late: number;
}

/** Archives that were refreshed incrementally on each account's newest run date; none: no row. */
export async function readIncrementalWalks(db: Executor): Promise<IncrementalWalks[]> {
  const result = await sql<IncrementalWalks>`
    select s.account, count(*) as slices, sum(s.pages_saved)::bigint as pages_saved,
      min(s.full_run_date) as oldest_full_refresh,
      (select coalesce(sum(l.late), 0)::bigint from sync.slice l
        where l.account = s.account and l.run_date > max(s.run_date) - 30) as late
    from sync.slice s
    join (select account, max(run_date) as run_date from sync.slice group by account) as newest
      using (account, run_date)
    where s.walk = 'incremental' and s.completed_at is not null
    group by s.account order by s.account`.execute(db);
  return result.rows;
}

export interface BatchLine {
  readonly id: number;
  readonly job: string;
  readonly run_date: string | null;
  readonly accounts: number;
  /** `stopped` also if its process died. */
  readonly status: RunStatus;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly requests: number | null;
  /** Requests that its runs planned before their first one, and slices that fit. */
  readonly planned_requests: number | null;
  readonly planned_slices: number | null;
  /** Slices of the plans that were never synced before: each may take more than planned. */
  readonly planned_first_walks: number | null;
  readonly published_slices: number | null;
}

/** The newest batches first. */
export async function readLastBatches(db: Executor, most: number): Promise<BatchLine[]> {
  const result = await sql<BatchLine>`
    select b.id, b.job, r.run_date, r.accounts, b.started_at, b.finished_at,
      case when b.status = 'running' and not sync.batch_is_alive(b.id) then 'stopped' else b.status end as status,
      r.requests, r.planned_requests, r.planned_slices, r.planned_first_walks, r.published_slices
    from (select * from sync.batch order by id desc limit ${most}) as b
    cross join lateral (
      select max(run_date) as run_date, count(*) as accounts, sum((summary ->> 'requests')::integer) as requests,
        sum((plan ->> 'requests_today')::integer) as planned_requests, sum((plan ->> 'fits')::integer) as planned_slices,
        sum((plan ->> 'first_walks')::integer) as planned_first_walks,
        sum((summary #>> '{slices,complete}')::integer - (summary ->> 'already_complete')::integer) as published_slices
      from sync.run where batch_id = b.id
    ) as r
    order by b.id desc`.execute(db);
  return result.rows;
}
