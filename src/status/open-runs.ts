// Runs that have not ended, with their progress: those whose process lives, and those that died.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

/** Runs to look at: a job that takes only the rank several times a day must not hide the one that takes everything. */
const newestRuns = 10;

export interface OpenRun {
  readonly account: string;
  readonly run_id: number;
  readonly job: string;
  readonly run_date: string;
  readonly started_at: Date;
  /** False: its process is gone, and nothing has cleaned up after it yet. */
  readonly is_alive: boolean;
  readonly streams: readonly string[];
  /** Null: the account itself and every client. */
  readonly client_ids: readonly string[] | null;
  /** Slices of its streams and run date that are planned so far, and those that ended. */
  readonly slices: number;
  readonly ended: number;
  readonly requests: number;
}

/** The oldest first. @param account undefined: of every account */
export async function readOpenRuns(db: Executor, account?: string): Promise<OpenRun[]> {
  const result = await sql<OpenRun>`
    with open as (
      select r.account, r.id as run_id, b.job, r.run_date, r.started_at,
        sync.run_is_alive(r.account, r.id) as is_alive,
        array(select jsonb_array_elements_text(b.selection -> 'streams')) as streams,
        nullif(b.selection -> 'client_ids', 'null') as client_ids
      from sync.run as r join sync.batch as b on b.id = r.batch_id
      where r.status = 'running' and (${account ?? null}::text is null or r.account = ${account ?? null})
    )
    select o.*, s.slices, s.ended, coalesce(s.made, 0)::integer as requests
    from open as o
    cross join lateral (
      select count(*) as slices, count(*) filter (where s.status not in ('planned', 'walking')) as ended,
        sum(case when s.run_id <> o.run_id then 0 when s.status = 'walking' then (
          select sum(p.requests) from sync.page as p where p.account = s.account and p.slice_id = s.id
        ) else s.requests end) as made
      from sync.slice as s
      where s.account = o.account and s.run_date = o.run_date and s.stream = any(o.streams)
    ) as s
    order by o.started_at, o.run_id`.execute(db);
  return result.rows;
}

/** Reads the days of a round over all slices, by account, from the newest runs that planned it. */
export async function readDaysOfARound(
  db: Executor,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const result = await sql<{ account: string; days: number }>`
    select a.account, max((r.plan ->> 'all_within_days')::float8)::integer as days
    from unnest(${[...accounts]}::text[]) as a (account)
    cross join lateral (
      select plan from sync.run as r where r.account = a.account order by r.id desc limit ${newestRuns}
    ) as r
    where r.plan ->> 'all_within_days' is not null
    group by a.account`.execute(db);
  return new Map(result.rows.map((row) => [row.account, row.days]));
}

/** The living run that works on a stream of a client, or comes to it. */
export function runOn(
  runs: readonly OpenRun[],
  {
    account,
    stream,
    clientId,
  }: { readonly account: string; readonly stream: string; readonly clientId: string },
): OpenRun | undefined {
  return runs.find(
    (run) =>
      run.is_alive &&
      run.account === account &&
      run.streams.includes(stream) &&
      (run.client_ids === null || run.client_ids.includes(clientId)),
  );
}
