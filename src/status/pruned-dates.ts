// Run dates that were thinned out: gaps that no sync fills. From bi, which every reader may read.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

export interface PrunedDates {
  readonly account: string;
  /** Run dates of which something is pruned. */
  readonly dates: number;
  readonly slices: number;
  readonly first: string;
  readonly last: string;
}

/** Of each account that has some, between two dates, both included. */
export async function readPrunedDates(
  db: Executor,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<readonly PrunedDates[]> {
  const { rows } = await sql<PrunedDates>`
    select account, count(distinct run_date) as dates, count(*) as slices, min(run_date)::text as first, max(run_date)::text as last
    from bi_history.freshness
    where status = 'pruned' and run_date between ${from ?? '-infinity'}::date and ${to ?? 'infinity'}::date
    group by account order by account`.execute(db);
  return rows;
}
