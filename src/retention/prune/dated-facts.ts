// Facts with a date of their own: the AI Rank of Sunday may be read on Monday. Where a date stays, so does the run date
// that brought its facts.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../../store/slices/slices.ts';

/** Of each stream the typed rows whose `date` a curated view shows, of versions that ended too. */
const tables: Readonly<Record<string, string>> = {
  visibility: 'rank_point',
  airank: 'rank_point',
  rank2: 'rank2',
  competitors: 'competitor_alerts',
};

export const factStreams: readonly string[] = Object.keys(tables);

/**
 * Run dates that have to stay as well: they brought facts of dates that stay, and no version in `pg_temp.thinned` that
 * stays says the same.
 */
export async function factDates(tx: Executor, scope: Scope, stays: readonly string[]): Promise<string[]> {
  const table = tables[scope.stream];
  if (table === undefined) return [];
  const ofStream = table === 'rank_point' ? sql`and x.source = ${scope.stream}` : sql``;
  const { rows } = await sql<{ run_date: string }>`
    select distinct min(f.from_date) as run_date
    from (
      select to_jsonb(x) - array['until', 'from_date', 'record_key', 'row_no'] as fact, x.from_date, coalesce(t.is_removed, false) as is_removed
      from ${sql.id('typed', table)} as x
      left join pg_temp.thinned as t on t.stream = ${scope.stream} and t.record_key = x.record_key and t.run_date = x.from_date
      where x.account = ${scope.account} and x.slice_client_id = ${scope.clientId} and x.date = any(${[...stays]}::date[]) ${ofStream}
    ) as f
    group by f.fact
    having bool_and(f.is_removed)`.execute(tx);
  return rows.map((row) => row.run_date);
}
