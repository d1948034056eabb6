// Points that changes of bi.rank_latest, and of the account itself, are compared with, and whether pruning takes them away.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../../store/slices/slices.ts';

interface ComparedPoint {
  readonly date: string;
  /** Every version that says it; a history says more of them for ever, and its points are not here. */
  readonly versions: readonly (Scope & { readonly from: string; readonly until: string })[];
}

export async function readComparedPoints(
  db: Executor,
  account: string | undefined,
): Promise<readonly ComparedPoint[]> {
  const { rows } = await sql<ComparedPoint>`
    select c.date::text as date, json_agg(json_build_object('stream', p.source, 'account', p.account, 'clientId', p.slice_client_id,
      'from', case when p.is_standing then c.date else p.from_date end,
      'until', case when p.is_standing then c.date + 1 else p.until end)) as versions
    from (
      select distinct l.account, l.client_id, l.method, d.date
      from bi_map.rank_latest as l
      left join bi_map.client as a on a.account = l.account and a.client_id = l.client_id
      cross join lateral (values (l.date_7d), (l.date_28d)) as d (date)
      where d.date is not null and a.left_on is null and l.account = coalesce(${account ?? null}::text, l.account)
    ) as c
    join typed.rank_point as p on p.account = c.account and p.client_id = c.client_id and p.method = c.method
      and p.excluded_reason is null and (p.date = c.date or p.is_standing and c.date >= p.from_date and c.date < p.until)
    group by c.account, c.client_id, c.method, c.date
    having not bool_or(p.source_rank > 3 and p.until = 'infinity')`.execute(db);
  return rows;
}

/** The dates that go. @param staysOf dates of a scope that stay; undefined: all of them */
export function comparedDatesThatGo(
  points: readonly ComparedPoint[],
  staysOf: (scope: Scope) => readonly string[] | undefined,
): readonly string[] {
  const goes = ({ versions }: ComparedPoint) =>
    versions.every(({ from, until, ...scope }) => {
      const stays = staysOf(scope);
      return (
        stays !== undefined && !stays.some((date) => date >= from && (until === 'infinity' || date < until))
      );
    });
  return points.filter(goes).map(({ date }) => date);
}
