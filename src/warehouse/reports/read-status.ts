// Reads what `airank status` shows as one value, and decides whether everything is fine.

import type { Config } from '../../config/config.ts';
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/plural.ts';
import type { RunDate } from '../../core/run-date.ts';
import { runDateIn } from '../../core/run-date.ts';
import { countOpenAlerts } from '../alerts/list-alerts.ts';
import { readBudget } from '../budget/budget-report.ts';
import { reserveOf } from '../budget/ledger.ts';
import type { Executor, SliceStatus } from '../connection/database.ts';
import { type Pins, readAllPins } from '../pages/pins.ts';
import { type DriftStatus, readDrift, readViewTroubles, type ViewTrouble } from './drift-report.ts';
import {
  type BatchLine,
  type DayStatus,
  type HeadWalks,
  readHeadWalks,
  readLastBatches,
  readNewestDays,
  readStreamStatus,
  readTroubles,
  type StreamStatus,
  type TroubledSlice,
} from './status-report.ts';
import { type ReadinessSummary, readReadiness, summarize } from './view-readiness.ts';

/** Older than this many days is stale. */
const staleAfterDays = 2;
const lastBatches = 5;

export interface BudgetStatus {
  readonly used_today: number;
  readonly per_day: number;
  readonly reserved_for_people: number;
  readonly remaining_today: number;
  readonly renews_at: string;
  /** Where that time comes from: the setting, the server, or midnight if neither tells. */
  readonly renewal: 'set' | 'learned' | 'assumed';
  /** The server said that the day is used up. */
  readonly closed_until: string | null;
}

export interface StreamLine extends Omit<StreamStatus, 'account'> {
  /** Days between the newest published run date and today; null: never published. */
  readonly age_days: number | null;
  readonly stale: boolean;
}

export interface AccountStatus {
  readonly account: string;
  /** Newest run date that was planned; null: never synced. */
  readonly run_date: string | null;
  readonly slices: Readonly<Partial<Record<SliceStatus, number>>>;
  /** Newest run date of which anything is published. */
  readonly published: string | null;
  readonly age_days: number | null;
  readonly failed: readonly TroubledSlice[];
  readonly unavailable: readonly TroubledSlice[];
  /** Slices of the run date that wait for requests and were not begun, by stream. */
  readonly waiting: readonly { readonly stream: string; readonly slices: number }[];
  /** Walks that stopped on the way; the next sync of the run date goes on there. */
  readonly unfinished: readonly TroubledSlice[];
  readonly streams: readonly StreamLine[];
  /** Archives that were walked from the head on that run date; null: none. */
  readonly head_walks: Omit<HeadWalks, 'account'> | null;
  /** Null: the configuration does not have the account. */
  readonly budget: BudgetStatus | null;
}

export interface PinnedStream {
  readonly stream: string;
  /** Key of the list that was found in the answer; null: the API reference gives it, or there is none. */
  readonly list_key: string | null;
  /** Paths that identify a record; []: its content does; null: no record seen yet. */
  readonly record_key: Pins['recordKey'] | null;
}

export interface StatusReport {
  readonly fine: boolean;
  /** What is not fine, one sentence each. */
  readonly problems: readonly string[];
  readonly today: string;
  /** Migrations not applied yet, else functions to install. */
  readonly pending_schema: readonly string[];
  readonly accounts: readonly AccountStatus[];
  readonly batches: readonly BatchLine[];
  readonly pins: readonly PinnedStream[];
  /** How the data differs from what it held at first, the newest first. */
  readonly drift: readonly DriftStatus[];
  /** Sources whose views do not show everything yet. */
  readonly stale_views: readonly ViewTrouble[];
  /** Alerts on the figures of clients that last, and that nobody has seen. */
  readonly open_alerts: number;
  /** Null: the schema is not up to date. */
  readonly views: ReadinessSummary | null;
}

export interface StatusFacts {
  readonly streams: readonly StreamStatus[];
  readonly days: readonly DayStatus[];
  readonly troubles: readonly TroubledSlice[];
  readonly headWalks?: readonly HeadWalks[];
}

/** `db` undefined: there is no warehouse yet. */
export async function readStatus(
  db: Executor | undefined,
  input: { config: Config; streams: ReadonlySet<string>; pending: readonly string[]; now: Date },
): Promise<StatusReport> {
  const { config, now } = input;
  const today = runDateIn(config.timeZone, now);
  const facts: StatusFacts =
    db === undefined
      ? { streams: [], days: [], troubles: [] }
      : {
          streams: await readStreamStatus(db),
          days: await readNewestDays(db),
          troubles: await readTroubles(db),
          headWalks: await readHeadWalks(db),
        };
  const budgets = db === undefined ? new Map<string, BudgetStatus>() : await readBudgets(db, config);
  const names = new Set(
    [...config.accounts, ...facts.days].map((one) => ('name' in one ? one.name : one.account)),
  );
  const accounts = [...names].map((account) =>
    accountStatus(account, facts, budgets.get(account) ?? null, today, input.streams),
  );
  const problems = accounts.flatMap((account) => problemsOf(account));
  return {
    fine: problems.length === 0,
    problems,
    today,
    pending_schema: input.pending,
    accounts,
    batches: db === undefined ? [] : await readLastBatches(db, lastBatches),
    pins: db === undefined ? [] : await pinnedStreams(db),
    // Tables of a migration that may not be applied yet.
    drift: db === undefined || input.pending.length > 0 ? [] : await readDrift(db),
    stale_views: db === undefined || input.pending.length > 0 ? [] : await readViewTroubles(db),
    open_alerts: db === undefined || input.pending.length > 0 ? 0 : await countOpenAlerts(db),
    views: db === undefined || input.pending.length > 0 ? null : summarize(await readReadiness(db)),
  };
}

/** @param enabled streams that the configuration has; others may be as old as they like */
export function accountStatus(
  account: string,
  facts: StatusFacts,
  budget: BudgetStatus | null,
  today: RunDate,
  enabled: ReadonlySet<string>,
): AccountStatus {
  const day = facts.days.find((one) => one.account === account);
  const troubles = facts.troubles.filter((slice) => slice.account === account);
  const unavailable = troubles.filter((slice) => slice.status === 'unavailable');
  const gone = new Set(unavailable.map((slice) => slice.stream));
  const streams = facts.streams
    .filter((stream) => stream.account === account)
    .map(({ account: _, ...stream }): StreamLine => {
      const age = stream.run_date === null ? null : daysBetween(stream.run_date, today);
      const watched = enabled.has(stream.stream) && !gone.has(stream.stream) && !stream.ended;
      return { ...stream, age_days: age, stale: watched && age !== null && age > staleAfterDays };
    });
  const published =
    streams
      .flatMap((stream) => stream.run_date ?? [])
      .sort()
      .at(-1) ?? null;
  return {
    account,
    run_date: day?.run_date ?? null,
    slices: day?.slices ?? {},
    published,
    age_days: published === null ? null : daysBetween(published, today),
    failed: troubles.filter((slice) => slice.status === 'failed'),
    unavailable,
    waiting: [
      ...groupBy(
        troubles.filter((slice) => slice.status === 'deferred' && slice.stored_pages === 0),
        (slice) => slice.stream,
      ),
    ].map(([stream, group]) => ({ stream, slices: group.length })),
    unfinished: troubles.filter((slice) => slice.stored_pages > 0 && !slice.walking),
    streams,
    head_walks: facts.headWalks?.find((one) => one.account === account) ?? null,
    budget,
  };
}

export function problemsOf(account: AccountStatus): string[] {
  const problems: string[] = [];
  const { failed, published, age_days: age } = account;
  if (failed.length > 0) {
    const slices = plural(failed.length, 'slice');
    problems.push(`Account ${account.account}: ${slices} of ${account.run_date} failed. Run: airank sync`);
  }
  if (age !== null && age > staleAfterDays) {
    problems.push(
      `Account ${account.account}: nothing newer than ${published} is published, ${age} days ago. Run: airank sync`,
    );
    return problems;
  }
  const stale = account.streams.filter((stream) => stream.stale).map((stream) => stream.stream);
  if (stale.length > 0) {
    problems.push(
      `Account ${account.account}: older than ${staleAfterDays} days: ${stale.join(', ')}. ` +
        'airank plan shows whether the budget has room for them',
    );
  }
  return problems;
}

/** Whole calendar days from one date to a later one. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

async function readBudgets(db: Executor, config: Config): Promise<Map<string, BudgetStatus>> {
  const budgets = new Map<string, BudgetStatus>();
  for (const account of config.accounts) {
    const budget = await readBudget(db, account, config);
    budgets.set(account.name, {
      used_today: budget.usedToday,
      per_day: account.perDay,
      reserved_for_people: reserveOf(account),
      remaining_today: budget.remainingToday,
      renews_at: budget.renewsAt.toISOString(),
      renewal: budget.renewalLearnedAt !== undefined ? 'learned' : config.learnDayRenewal ? 'assumed' : 'set',
      closed_until: budget.closedUntil?.toISOString() ?? null,
    });
  }
  return budgets;
}

async function pinnedStreams(db: Executor): Promise<PinnedStream[]> {
  return (await readAllPins(db)).map(({ stream, listKeys, recordKey }) => ({
    stream,
    list_key:
      listKeys.length === 0 ? null : listKeys.map((key) => (key === '' ? 'the body itself' : key)).join(', '),
    record_key: recordKey ?? null,
  }));
}
