// What writes took of the limits of their kinds, read without taking any.
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Executor } from '../../db/database.ts';
import { dayRenewal } from '../../store/budget/budget-report.ts';
import { mostOf, type WriteKind, writeKinds } from './write-limits.ts';

export interface WriteUse {
  readonly account: string;
  readonly kind: WriteKind;
  /** Uploads in the last 60 minutes; questions and measurements of the day. */
  readonly used: number;
  readonly most: number;
  /** When there is more room; null: nothing is used of an hour. */
  readonly renews_at: Date | null;
  /** When one more may be sent; null: now. */
  readonly opens_at: Date | null;
  /** The service refused the kind until then. */
  readonly closed_until: Date | null;
  readonly closed_reason: string | null;
}

/** Of those accounts that ever planned a write, each kind. */
export async function readWriteUses(
  db: Executor,
  accounts: readonly string[],
  config: Pick<Config, 'writes' | 'dayRenewsAtMinutes' | 'learnDayRenewal'>,
): Promise<readonly WriteUse[]> {
  const most = writeKinds.map((kind) => mostOf(kind, config.writes));
  const { rows } = await sql<WriteUse>`
    select n.account, k.kind, k.most, u.used, u.renews_at, c.until as closed_until, c.reason as closed_reason,
      sync.write_opens_at(n.account, k.kind, 1, k.most, r.renews) as opens_at
    from unnest(${accounts}::text[]) with ordinality as n (account, place)
    cross join unnest(${writeKinds}::text[], ${most}::integer[]) with ordinality as k (kind, most, place)
    cross join lateral (
      select case when k.kind <> 'logs' then ${dayRenewal(sql`n.account`, config)} end as renews
    ) as r
    cross join lateral sync.writes_used(n.account, k.kind, r.renews) as u
    left join sync.budget_write_closed as c on c.account = n.account and c.kind = k.kind and c.until > now()
    where exists (select from sync.write as w where w.account = n.account)
    order by n.place, k.place`.execute(db);
  return rows;
}
