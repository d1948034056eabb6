// Dates of which nothing is published and nothing can be: the API shows the states of its own day only. Archives bring
// what they missed with their next walk.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';

export interface LostDates {
  readonly account: string;
  /** Each date that some stream or client lacks, the oldest first. */
  readonly dates: readonly string[];
  readonly streams: readonly string[];
}

/**
 * From the first published date of each stream and client to yesterday; one that is pruned or had no data is none.
 * @param states streams whose records are replaced
 */
export async function readLostDates(
  db: Executor,
  { accounts, states, today }: { accounts: readonly string[]; states: readonly string[]; today: string },
): Promise<readonly LostDates[]> {
  const { rows } = await sql<LostDates>`
    select g.account, array_agg(distinct d.date::date::text order by d.date::date::text) as dates,
      array_agg(distinct g.stream order by g.stream) as streams
    from (
      select s.account, s.stream, s.run_date, s.walk, least(lead(s.run_date) over scope, ${today}::date) as next_date,
        min(s.run_date) filter (where s.status <> 'unavailable') over scope as first_date
      from sync.slice as s
      where s.account = any(${[...accounts]}::text[]) and s.stream = any(${[...states]}::text[])
        and (s.completed_at is not null or s.status in ('pruned', 'unavailable'))
      window scope as (partition by s.account, s.stream, s.client_id order by s.run_date)
    ) as g
    cross join lateral generate_series(g.run_date + 1, g.next_date - 1, interval '1 day') as d (date)
    where g.next_date > g.run_date + 1 and g.run_date >= g.first_date and g.walk <> 'left'
    group by g.account`.execute(db);
  return rows;
}
