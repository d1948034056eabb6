// How many of today's requests remain, read without taking any.
import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { type DayLimits, reserveOf } from './ledger.ts';

export interface BudgetState {
  readonly usedToday: number;
  /** What jobs may still spend today, without the reserve for people. */
  readonly remainingToday: number;
  /** When the day renews: by the setting, or as learned. */
  readonly renewsAt: Date;
  /** When the server last told the time of day at which it renews; undefined: never, or the setting applies. */
  readonly renewalLearnedAt: Date | undefined;
  /** The server said the day is used up; learned from its retryAfter. */
  readonly closedUntil: Date | undefined;
}

export interface DaySettings {
  readonly dayRenewsAtMinutes: number;
  /** That time is not set: the time that the server told applies. */
  readonly learnDayRenewal: boolean;
}

/** SQL for the UTC time of day at which an account's day renews. */
export const dayRenewal = (account: string | RawBuilder<unknown>, settings: DaySettings) =>
  sql`sync.day_renewal(${account}, make_interval(mins => ${settings.dayRenewsAtMinutes}::integer), ${settings.learnDayRenewal}::boolean)`;

type NamedAccount = DayLimits & { readonly name: string };

/** Today's budget of an account. */
export async function readBudget(
  db: Executor,
  account: NamedAccount,
  settings: DaySettings,
): Promise<BudgetState> {
  const state = (await readBudgets(db, [account], settings)).get(account.name);
  if (state === undefined) throw new Error('the budget query returned no row');
  return state;
}

interface BudgetRow {
  account: string;
  used: number;
  renews_at: Date;
  closed_until: Date | null;
  learned_at: Date | null;
}

/** Today's budgets by account, in one query however many there are. */
export async function readBudgets(
  db: Executor,
  accounts: readonly NamedAccount[],
  settings: DaySettings,
): Promise<ReadonlyMap<string, BudgetState>> {
  const names = accounts.map(({ name }) => name);
  const result = await sql<BudgetRow>`
    with today as (
      select n.account, r.renews, sync.budget_day(now(), r.renews) as day
      from unnest(${names}::text[]) as n (account)
      cross join lateral (select ${dayRenewal(sql`n.account`, settings)} as renews) r
    )
    select t.account, coalesce(b.used, 0) as used, sync.budget_day_begins(t.day + 1, t.renews) as renews_at,
      case when ${settings.learnDayRenewal}::boolean then a.renews_learned_at end as learned_at,
      case when a.day_closed_until > now() then a.day_closed_until end as closed_until
    from today t
    left join sync.budget b on b.account = t.account and b.day = t.day
    left join sync.budget_account a on a.account = t.account`.execute(db);
  const rows = new Map(result.rows.map((row) => [row.account, row]));
  return new Map(
    accounts.flatMap((account) => {
      const row = rows.get(account.name);
      return row === undefined ? [] : [[account.name, stateOf(account, row)]];
    }),
  );
}

function stateOf(account: DayLimits, row: BudgetRow): BudgetState {
  const left = Math.max(account.perDay - reserveOf(account) - row.used, 0);
  return {
    usedToday: row.used,
    remainingToday: row.closed_until === null ? left : 0,
    renewsAt: row.renews_at,
    renewalLearnedAt: row.learned_at ?? undefined,
    closedUntil: row.closed_until ?? undefined,
  };
}

/** Today's budget of an account that has no ledger yet. */
export function freshBudget(
  account: DayLimits,
  settings: Pick<DaySettings, 'dayRenewsAtMinutes'>,
  now: Date,
): BudgetState {
  const renewsMs = settings.dayRenewsAtMinutes * 60_000;
  const today = Math.floor((now.getTime() - renewsMs) / dayMs);
  return {
    usedToday: 0,
    remainingToday: account.perDay - reserveOf(account),
    renewsAt: new Date((today + 1) * dayMs + renewsMs),
    renewalLearnedAt: undefined,
    closedUntil: undefined,
  };
}
