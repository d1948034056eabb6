// Reads how many of today's requests remain, without taking any.
import { sql } from 'kysely';
import { dayMs } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { type DayLimits, type DaySettings, dayRenewal, reserveOf } from './ledger.ts';

interface HourUse {
  /** Start of the hour, UTC. */
  readonly hour: Date;
  readonly jobs: number;
  readonly people: number;
  /** Minimum number of requests that the server counted but the ledger did not grant. */
  readonly other_users: number;
}

export interface StreamUse {
  readonly stream: string;
  readonly requests: number;
}

interface BudgetUse {
  readonly hours: readonly HourUse[];
  /** Today's streams, the most expensive first. */
  readonly streams: readonly StreamUse[];
}

export async function readBudgetUse(
  db: Executor,
  account: string,
  settings: DaySettings,
): Promise<BudgetUse> {
  const today = sql`sync.budget_day(now(), ${dayRenewal(account, settings)})`;
  const hours = await sql<HourUse>`
    select hour,
      coalesce(sum(requests) filter (where purpose = 'job'), 0) as jobs,
      coalesce(sum(requests) filter (where purpose = 'people'), 0) as people,
      coalesce(sum(requests) filter (where purpose = 'other_users'), 0) as other_users
    from sync.budget_hour where account = ${account} and day = ${today}
    group by hour order by hour`.execute(db);
  const streams = await sql<StreamUse>`
    select stream, sum(requests) as requests
    from sync.budget_hour where account = ${account} and day = ${today} and purpose <> 'other_users'
    group by stream order by requests desc, stream`.execute(db);
  return { hours: hours.rows, streams: streams.rows };
}

export interface BudgetState {
  readonly usedToday: number;
  /** Requests that jobs may still spend today; the reserve for people is not included. */
  readonly remainingToday: number;
  readonly renewsAt: Date;
  /** Time at which the server last showed when its day renews; undefined if never, or if the setting applies. */
  readonly renewalLearnedAt: Date | undefined;
  /** The server said that the day is used up; learned from its retryAfter. */
  readonly closedUntil: Date | undefined;
}

type NamedAccount = DayLimits & { readonly name: string };

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

/** Returns today's budget of an account that has no ledger yet. */
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

interface Reopened {
  readonly closedUntil: Date;
  /** UTC time of day, `HH:MM`, that the refusal gave for the day's renewal; it no longer counts. */
  readonly forgottenRenewal: string | undefined;
}

/** Opens a key that the server closed; undefined if it is not closed. */
export async function reopenAccount(
  db: Executor,
  account: string,
  settings: DaySettings,
): Promise<Reopened | undefined> {
  const fallback = dayRenewal(account, { ...settings, learnDayRenewal: false });
  const result = await sql<{ closed_until: Date; forgotten: string | null }>`
    select closed_until, to_char(forgotten, 'HH24:MI') as forgotten
    from sync.reopen_account(${account}, ${fallback})`.execute(db);
  const row = result.rows[0];
  if (row === undefined) return undefined;
  return { closedUntil: row.closed_until, forgottenRenewal: row.forgotten ?? undefined };
}
