// Keeps bi_map.rank_kept and bi_map.rank_excluded_kept: the comparable points of the AI Rank, which come from
// four streams and are asked for by date, client and method, and those that are in no trend.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { rankPointSources } from './logical-rank.ts';
import { keptTable } from './version-sql.ts';

export const rankStreams: readonly string[] = rankPointSources.map((source) => source.stream);

export const rankTables: readonly string[] = ['bi_map.rank_kept', 'bi_map.rank_excluded_kept'];

/**
 * To be called before the kept tables of the rank streams are brought up to date; what it returns, after they
 * are and their scopes are marked. Points of a client change from the earliest date on that a version brings
 * which was removed, added, ended or reopened; those without a date of their own stand for run dates, which
 * change from kept_date on. Points without any date are all read again.
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
    await readPoints(tx);
    await sql`
      delete from bi_map.rank_kept as k using pg_temp.rank_since as s
      where k.account = s.account and k.client_id = s.client_id and k.date >= s.since`.execute(tx);
    // As bi_map.rank_series_live has them.
    await sql`
      insert into bi_map.rank_kept (account, client_id, method, date, score, position, dimensions, source)
      select distinct on (account, client_id, date, method)
        account, client_id, method, date, score, position, dimensions, source
      from pg_temp.rank_read
      where excluded_reason is null
      order by account, client_id, date, method, source_rank, measured_at desc nulls last, score, position, dimensions`.execute(
      tx,
    );
    await sql`
      delete from bi_map.rank_excluded_kept as k using pg_temp.rank_since as s
      where k.account = s.account and k.client_id = s.client_id and (k.date >= s.since or k.date is null)`.execute(
      tx,
    );
    await sql`
      insert into bi_map.rank_excluded_kept (account, client_id, date, method, score, excluded_reason, reasons, source)
      select account, client_id, date, method, score, excluded_reason, reasons, source
      from pg_temp.rank_read
      where excluded_reason is not null`.execute(tx);
  };
}

/** The routes are read once for both tables. */
async function readPoints(tx: Executor): Promise<void> {
  const points = (date: string) => `
    select p.*
    from pg_temp.rank_since as s
    cross join lateral (
      select * from bi_map.rank_point as l where l.account = s.account and l.client_id = s.client_id and ${date}
      offset 0
    ) as p`;
  // Both conditions in one would keep the dates from being found through an index.
  await sql
    .raw(`
      create temporary table rank_read on commit drop as
      ${points('l.date >= s.since')}
      union all
      ${points('l.date is null')}`)
    .execute(tx);
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
        join ${keptTable(source)} as t on t.account = s.account and t.slice_client_id = s.client_id
          and t.until >= s.kept_date and (t.from_date >= s.kept_date or t.until < 'infinity')
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
