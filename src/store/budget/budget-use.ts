// Who spent an account's requests: by hour, stream and purpose, and what strangers on the key took.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type DaySettings, dayRenewal } from './budget-report.ts';

export interface HourUse {
  /** Start of the hour, UTC. */
  readonly hour: Date;
  readonly jobs: number;
  readonly people: number;
  /** Requests that the server counted and the ledger did not grant; at least. */
  readonly strangers: number;
}

export interface StreamUse {
  readonly stream: string;
  readonly requests: number;
}

export interface DayUse {
  readonly day: string;
  readonly used: number;
  readonly strangers: number;
}

export interface BudgetUse {
  /** Of today, with the hours in which nothing happened left out. */
  readonly hours: readonly HourUse[];
  /** Of today, the most expensive first. */
  readonly streams: readonly StreamUse[];
  /** Newest first, today included. */
  readonly days: readonly DayUse[];
  /** When the server last said that the day is used up; undefined: never. */
  readonly refusedAt: Date | undefined;
}

export async function readBudgetUse(
  db: Executor,
  account: string,
  settings: DaySettings,
  pastDays: number,
): Promise<BudgetUse> {
  const today = sql`sync.budget_day(now(), ${dayRenewal(account, settings)})`;
  const hours = await sql<HourUse>`
    select hour,
      coalesce(sum(requests) filter (where purpose = 'job'), 0) as jobs,
      coalesce(sum(requests) filter (where purpose = 'people'), 0) as people,
      coalesce(sum(requests) filter (where purpose = 'stranger'), 0) as strangers
    from sync.budget_hour where account = ${account} and day = ${today}
    group by hour order by hour`.execute(db);
  const streams = await sql<StreamUse>`
    select stream, sum(requests) as requests
    from sync.budget_hour where account = ${account} and day = ${today} and purpose <> 'stranger'
    group by stream order by requests desc, stream`.execute(db);
  const days = await sql<DayUse>`
    select b.day, b.used, coalesce((
      select sum(h.requests) from sync.budget_hour h
      where h.account = b.account and h.day = b.day and h.purpose = 'stranger'
    ), 0) as strangers
    from sync.budget b where b.account = ${account} order by b.day desc limit ${pastDays}`.execute(db);
  const state = await db
    .selectFrom('sync.budget_account')
    .select('day_refused_at')
    .where('account', '=', account)
    .executeTakeFirst();
  return {
    hours: hours.rows,
    streams: streams.rows,
    days: days.rows,
    refusedAt: state?.day_refused_at ?? undefined,
  };
}
