// Missing run dates: dates that are lost, and accounts whose newest date is in the future.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

/** An account whose newest published run date is in the future: until then no other date can be published. */
export interface FutureDate {
  readonly account: string;
  readonly newest: string;
}

/** @param latest the last run date that is right anywhere on earth */
export async function readFutureDates(db: Executor, latest: string): Promise<readonly FutureDate[]> {
  const rows = await db
    .selectFrom('sync.slice')
    .select((eb) => ['account', eb.fn.max('run_date').as('newest')])
    .where('completed_at', 'is not', null)
    .where('run_date', '>', latest)
    .groupBy('account')
    .orderBy('account')
    .execute();
  return rows.flatMap(({ account, newest }) => (newest === null ? [] : [{ account, newest }]));
}

/**
 * Dates that were never published and never can be: the API shows states of its own day only. Archives bring
 * what they missed with their next walk. From bi, which every reader may read.
 */
export interface LostDates {
  readonly account: string;
  readonly dates: readonly string[];
  readonly streams: readonly string[];
}

interface LostDatesQuestion {
  readonly accounts: readonly string[];
  /** Streams whose records are replaced. */
  readonly states: readonly string[];
  readonly today: string;
  /** Limits the search to streams of this client and of its account. */
  readonly clientId?: string;
  /** Both dates included. Data published more than 31 days before them is not looked at. */
  readonly period?: { readonly from: string; readonly to: string };
}

/**
 * Looks from the first published date of each stream and client to yesterday. A date without data to get is not lost.
 */
export async function readLostDates(
  db: Executor,
  { accounts, states, today, clientId = '', period }: LostDatesQuestion,
): Promise<readonly LostDates[]> {
  const { from, to } = period ?? { from: '-infinity', to: 'infinity' };
  const end = sql`least(${today}::date, ${to}::date + 1)`;
  const { rows } = await sql<LostDates>`
    select g.account, array_agg(distinct d.date::date::text order by d.date::date::text) as dates,
      array_agg(distinct g.stream order by g.stream) as streams
    from (
      select s.account, s.stream,
        datemultirange(daterange(min(s.run_date) filter (where s.status <> 'unavailable'), ${end}))
          - range_agg(daterange(s.run_date, case when s.walk <> 'left' then s.run_date + 1 else coalesce((
              select min(n.run_date) from bi_history.freshness as n
              where n.account = s.account and n.stream = s.stream and n.client_id = s.client_id
                and n.run_date > s.run_date and n.is_complete
            ), ${end}) end)) as gaps
      from bi_history.freshness as s
      where s.account = any(${[...accounts]}::text[]) and s.stream = any(${[...states]}::text[])
        and (${clientId} = '' or s.client_id in ('', ${clientId}))
        and s.run_date >= ${from}::date - 31 and s.run_date < ${end}
        and (s.is_complete or s.status = 'unavailable')
      group by s.account, s.stream, s.client_id
      having min(s.run_date) filter (where s.status <> 'unavailable') is not null
    ) as g
    cross join lateral unnest(g.gaps) as gap
    cross join lateral generate_series(lower(gap), upper(gap) - 1, interval '1 day') as d (date)
    where d.date >= ${from}::date
    group by g.account`.execute(db);
  return rows;
}
