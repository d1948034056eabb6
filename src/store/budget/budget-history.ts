// Who spent an account's requests over many days: by day, stream and job. The ledger tells days and streams; jobs are
// told by what their runs made, because a grant does not say for which job it is.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type DaySettings, dayRenewal } from './budget-report.ts';

export interface DaySpent {
  readonly day: string;
  /** Granted and not given back. */
  readonly used: number;
  readonly jobs: number;
  readonly people: number;
  /** Of somebody else on the key; at least. */
  readonly strangers: number;
}

export interface StreamSpent {
  readonly stream: string;
  readonly requests: number;
  /** Of the day on which it took most. */
  readonly most_in_a_day: number;
  /** Requests by day, days without any left out. */
  readonly by_day: Readonly<Record<string, number>>;
}

export interface JobSpent {
  readonly job: string;
  readonly runs: number;
  readonly requests: number;
  /** By the day on which its runs began. */
  readonly by_day: Readonly<Record<string, number>>;
}

export interface BudgetHistory {
  /** The first day that is looked at. */
  readonly since: string;
  /** Newest first, days without a request left out. */
  readonly days: readonly DaySpent[];
  /** The most expensive first. */
  readonly streams: readonly StreamSpent[];
  readonly jobs: readonly JobSpent[];
}

/** @param pastDays days of the budget, today included */
export async function readBudgetHistory(
  db: Executor,
  account: string,
  settings: DaySettings,
  pastDays: number,
): Promise<BudgetHistory> {
  const renews = dayRenewal(account, settings);
  const first = sql`sync.budget_day(now(), ${renews}) - ${pastDays - 1}::integer`;
  const since = await sql<{ since: string }>`select ${first} as since`.execute(db);
  const from = since.rows[0]?.since ?? '';
  const days = await sql<DaySpent>`
    select b.day, b.used, h.jobs, h.people, h.strangers
    from sync.budget as b
    cross join lateral (
      select coalesce(sum(requests) filter (where purpose = 'job'), 0) as jobs,
        coalesce(sum(requests) filter (where purpose = 'people'), 0) as people,
        coalesce(sum(requests) filter (where purpose = 'stranger'), 0) as strangers
      from sync.budget_hour where account = b.account and day = b.day
    ) as h
    where b.account = ${account} and b.day >= ${from}::date
    order by b.day desc`.execute(db);
  const streams = await sql<StreamSpent>`
    select stream, sum(requests)::bigint as requests, max(requests) as most_in_a_day,
      jsonb_object_agg(day, requests) as by_day
    from (
      select stream, day, sum(requests) as requests from sync.budget_hour
      where account = ${account} and day >= ${from}::date and purpose <> 'stranger'
      group by stream, day
    ) as d
    group by stream order by requests desc, stream`.execute(db);
  const jobs = await sql<JobSpent>`
    with run as (
      select b.job, sync.budget_day(r.started_at, ${renews}) as day,
        -- A run that has not ended, or died, has no summary: its slices say what it made.
        coalesce((r.summary ->> 'requests')::bigint, (
          select sum(s.requests) from sync.slice as s where s.account = r.account and s.run_id = r.id
        ), 0) as requests
      from sync.run as r join sync.batch as b on b.id = r.batch_id
      where r.account = ${account} and r.started_at >= ${from}::date::timestamp at time zone 'UTC'
    )
    select job, sum(runs)::bigint as runs, sum(requests)::bigint as requests, jsonb_object_agg(day, requests) as by_day
    from (
      select job, day, count(*) as runs, sum(requests)::bigint as requests
      from run where day >= ${from}::date group by job, day
    ) as d
    group by job order by requests desc, job`.execute(db);
  return { since: from, days: days.rows, streams: streams.rows, jobs: jobs.rows };
}
