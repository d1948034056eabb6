// Keeps bi_map.rank_kept: the comparable points of the AI Rank, which come from four streams and are asked
// for by date, client and method.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { rankPointSources } from './logical-rank.ts';
import { keptTable } from './map-sql.ts';

export const rankStreams: readonly string[] = rankPointSources.map((source) => source.stream);

/**
 * To be called before the kept tables of the rank streams are brought up to date; what it returns, after they
 * are and their scopes are marked. Points of a client change from the earliest date on that a version brings
 * which was removed or added; those without a date of their own stand for run dates, which change from
 * kept_date on.
 */
export async function updateRankPoints(tx: Executor): Promise<() => Promise<void>> {
  await sql`
    create temporary table rank_touched (account text, client_id text, since date) on commit drop`.execute(
    tx,
  );
  await noteTouched(tx);
  return async () => {
    await noteTouched(tx);
    await sql`
      create temporary table rank_since on commit drop as
      select account, client_id, min(since) as since from pg_temp.rank_touched group by account, client_id`.execute(
      tx,
    );
    await sql`analyze pg_temp.rank_since`.execute(tx);
    await sql`
      delete from bi_map.rank_kept as k using pg_temp.rank_since as s
      where k.account = s.account and k.client_id = s.client_id and k.date >= s.since`.execute(tx);
    await sql`
      insert into bi_map.rank_kept (account, client_id, method, date, score, position, dimensions, source)
      select p.account, p.client_id, p.method, p.date, p.score, p.position, p.dimensions, p.source
      from pg_temp.rank_since as s
      cross join lateral (
        select * from bi_map.rank_series_live as l
        where l.account = s.account and l.client_id = s.client_id and l.date >= s.since
        offset 0
      ) as p`.execute(tx);
  };
}

async function noteTouched(tx: Executor): Promise<void> {
  for (const source of rankPointSources) {
    const others = ['v1_date', 'v2_date'].filter((field) => field in source.fields);
    const dates = [
      "coalesce(t.date, (t.measured_at at time zone 'UTC')::date)",
      ...others.map((one) => `t.${one}`),
    ];
    await sql
      .raw(`
        insert into pg_temp.rank_touched (account, client_id, since)
        select t.account, t.client_id, min(least(t.from_date, ${dates.join(', ')}))
        from pg_temp.kept_scope as s
        join ${keptTable(source)} as t on t.account = s.account and t.slice_client_id = s.client_id and t.from_date >= s.kept_date
        where s.stream = '${source.stream}'
        group by t.account, t.client_id
        union all
        select t.account, t.client_id, min(s.kept_date)
        from pg_temp.kept_scope as s
        join ${keptTable(source)} as t on t.account = s.account and t.slice_client_id = s.client_id and t.until >= s.kept_date
        where s.stream = '${source.stream}' and t.date is null and t.measured_at is null
        group by t.account, t.client_id`)
      .execute(tx);
  }
}
