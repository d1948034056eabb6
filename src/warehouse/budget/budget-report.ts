// How many of today's requests remain, read without taking any.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
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
export const dayRenewal = (account: string, settings: DaySettings) =>
  sql`sync.day_renewal(${account}, make_interval(mins => ${settings.dayRenewsAtMinutes}::integer), ${settings.learnDayRenewal}::boolean)`;

/** Today's budget of an account. */
export async function readBudget(
  db: Executor,
  account: DayLimits & { readonly name: string },
  settings: DaySettings,
): Promise<BudgetState> {
  const result = await sql<{
    used: number;
    renews_at: Date;
    closed_until: Date | null;
    learned_at: Date | null;
  }>`
    with renewal as (select ${dayRenewal(account.name, settings)} as renews),
    today as (select ((now() at time zone 'UTC') - renews)::date as day, renews from renewal)
    select
      coalesce((select used from sync.budget b where b.account = ${account.name} and b.day = today.day), 0) as used,
      ((today.day + 1)::timestamp + today.renews) at time zone 'UTC' as renews_at,
      (select renews_learned_at from sync.budget_account a
        where a.account = ${account.name} and ${settings.learnDayRenewal}::boolean) as learned_at,
      (select day_closed_until from sync.budget_account a
        where a.account = ${account.name} and a.day_closed_until > now()) as closed_until
    from today`.execute(db);
  const row = result.rows[0];
  if (row === undefined) throw new Error('the budget query returned no row');
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
  const dayMs = 86_400_000;
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
