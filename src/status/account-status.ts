// The state of one account, as `airank status` shows it, and its problems in sentences that end with what to
// do. Pure.

import { groupBy } from '../core/group-by.ts';
import type { RunDate } from '../core/run-date.ts';
import { count, moment, plural } from '../core/text.ts';
import type { SliceStatus } from '../db/database.ts';
import type { LostDates } from './missing-dates.ts';
import type { OpenRun } from './open-runs.ts';
import { type AccountScopes, daysBetween, isFine, type ScopeState } from './read-scopes.ts';
import type { DayStatus, IncompleteSlice, IncrementalWalks, StreamStatus } from './status-report.ts';

const mostNamed = 4;

/** Lists the problems of an account, in sentences that end with what to do. */
export function problemsOf(account: AccountStatus): string[] {
  const texts = [...deadRuns(account), ...lackingTexts(account)];
  return texts.map((text) => `Account ${account.account}: ${text}`);
}

/** None are reported while another run works on the account: it goes on where the dead one stopped. */
function deadRuns({ runs }: AccountStatus): string[] {
  if (runs.some((run) => run.is_alive)) return [];
  return runs.map(
    ({ job, started_at: begun }) =>
      `a run of ${job}, begun ${moment(begun)}, died on the way. ` +
      'Run: airank sync, which goes on where it stopped',
  );
}

function lackingTexts(account: AccountStatus): string[] {
  const { lacking, published, run_date: date, age_days: age, budget } = account;
  if (date === null) return lacking.length === 0 ? [] : ['never synced. Run: airank sync'];
  const of = (state: ScopeState) => lacking.filter((one) => one.state === state);
  const slices = (some: readonly LackingStream[]) => some.reduce((sum, one) => sum + one.slices, 0);
  const [future, failed, unfinished] = [of('future'), of('failed'), of('unfinished')];
  const [never, stale, waiting] = [of('never_synced'), of('stale'), of('deferred')];
  const isOld = age !== null && account.stale_after_days < age;
  return [
    ...(waiting.length === 0
      ? []
      : [
          `${plural(slices(waiting), 'slice')} of ${date} ${slices(waiting) === 1 ? 'waits' : 'wait'} for requests` +
            `${neverText(account.waiting)}: ${named(waiting)}. The next sync begins with them` +
            `${budget === null ? '' : `, from ${moment(budget.closed_until ?? budget.renews_at)} on`}`,
        ]),
    ...(future.length === 0
      ? []
      : [
          `${date > (published ?? '') ? `run date ${date}` : `published ${published}`} is in the future, so nothing says ` +
            'how today is, and syncs of earlier dates are refused once it is published',
        ]),
    ...(failed.length === 0
      ? []
      : [`${plural(slices(failed), 'slice')} of ${date} failed. Run: airank sync`]),
    ...(unfinished.length === 0
      ? []
      : [
          `${plural(slices(unfinished), 'slice')} of ${date} ${slices(unfinished) === 1 ? 'is' : 'are'} not finished, ` +
            `and nothing works on ${slices(unfinished) === 1 ? 'it' : 'them'}. Run: airank sync`,
        ]),
    ...(never.length === 0
      ? []
      : [
          `never synced: ${named(never)}. Run: airank sync, or switch off what is not wanted (streams.NAME.enabled: false)`,
        ]),
    ...(stale.length === 0
      ? []
      : isOld
        ? [`nothing newer than ${published} is published, ${plural(age, 'day')} ago. Run: airank sync`]
        : [`stale: ${named(stale)}. airank plan shows whether the budget has room for them`]),
  ];
}

function neverText(waiting: AccountStatus['waiting']): string {
  const never = waiting.filter(({ has_data }) => !has_data).length;
  return never === 0 ? '' : ` (${plural(never, 'stream')} never fetched yet)`;
}

/** `citas, demand (3 of 12 slices), prompts and 20 more`. */
function named(streams: readonly LackingStream[]): string {
  const shown = streams
    .slice(0, mostNamed)
    .map(({ stream, slices, of }) =>
      slices === of ? stream : `${stream} (${count(slices)} of ${plural(of, 'slice')})`,
    );
  const hidden = streams.length - shown.length;
  return `${shown.join(', ')}${hidden === 0 ? '' : ` and ${plural(hidden, 'more stream')}`}`;
}

/** Data older than this many days is stale, unless a job's deadline or the budget says otherwise. */
export const staleAfterDays = 2;

export interface BudgetStatus {
  readonly used_today: number;
  readonly per_day: number;
  readonly reserved_for_people: number;
  readonly remaining_today: number;
  readonly renews_at: string;
  /** The source of `renews_at`: the setting, the server, or midnight if neither is known. */
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
  readonly run_date: string | null;
  readonly slices: Readonly<Partial<Record<SliceStatus, number>>>;
  readonly published: string | null;
  readonly age_days: number | null;
  readonly failed: readonly IncompleteSlice[];
  readonly unavailable: readonly IncompleteSlice[];
  /** Slices of the run date that wait for requests and were not begun, by stream. */
  readonly waiting: readonly {
    readonly stream: string;
    readonly slices: number;
    /** Something of the stream was published before. */
    readonly has_data: boolean;
  }[];
  /** Walks that stopped on the way; the next sync of the run date goes on there. */
  readonly unfinished: readonly IncompleteSlice[];
  readonly streams: readonly StreamLine[];
  /** Archives that were refreshed incrementally on that run date; null: none. */
  readonly incremental_walks: Omit<IncrementalWalks, 'account'> | null;
  readonly lost: Omit<LostDates, 'account'> | null;
  readonly budget: BudgetStatus | null;
  readonly states: Readonly<Partial<Record<ScopeState, number>>>;
  readonly lacking: readonly LackingStream[];
  /** Most days of age for published data, by the budget. */
  readonly stale_after_days: number;
  readonly runs: readonly OpenRun[];
}

interface LackingStream {
  readonly stream: string;
  readonly state: ScopeState;
  readonly slices: number;
  readonly of: number;
}

export interface StatusFacts {
  readonly streams: readonly StreamStatus[];
  readonly days: readonly DayStatus[];
  readonly incomplete: readonly IncompleteSlice[];
  readonly incrementalWalks?: readonly IncrementalWalks[];
  readonly lost?: readonly LostDates[];
  /** By account; none: the configuration does not have the account. */
  readonly scopes?: ReadonlyMap<string, AccountScopes>;
  readonly runs?: readonly OpenRun[];
  /** Days within which the budget comes round to every slice, by account. */
  readonly withinDays?: ReadonlyMap<string, number>;
}

/** @param enabled streams that the configuration has; others may be as old as they like */
export function accountStatus(
  account: string,
  facts: StatusFacts,
  budget: BudgetStatus | null,
  today: RunDate,
  enabled: ReadonlySet<string>,
): AccountStatus {
  const mayBeDays = Math.max(staleAfterDays, facts.withinDays?.get(account) ?? 0);
  const scopes = facts.scopes?.get(account);
  const day = facts.days.find((one) => one.account === account);
  const incomplete = facts.incomplete.filter((slice) => slice.account === account);
  const unavailable = incomplete.filter((slice) => slice.status === 'unavailable');
  const gone = new Set(unavailable.map((slice) => slice.stream));
  const streams = facts.streams
    .filter((stream) => stream.account === account)
    .map(({ account: _, ...stream }): StreamLine => {
      const age = stream.run_date === null ? null : daysBetween(stream.run_date, today);
      const watched = enabled.has(stream.stream) && !gone.has(stream.stream) && !stream.ended;
      return { ...stream, age_days: age, stale: watched && age !== null && age > mayBeDays };
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
    failed: incomplete.filter((slice) => slice.status === 'failed'),
    unavailable,
    waiting: [
      ...groupBy(
        incomplete.filter((slice) => slice.status === 'deferred' && slice.stored_pages === 0),
        (slice) => slice.stream,
      ),
    ].map(([stream, group]) => ({
      stream,
      slices: group.length,
      has_data: streams.some((one) => one.stream === stream && one.run_date !== null),
    })),
    unfinished: incomplete.filter((slice) => slice.stored_pages > 0 && !slice.walking),
    streams,
    incremental_walks: facts.incrementalWalks?.find((one) => one.account === account) ?? null,
    lost: facts.lost?.find((one) => one.account === account) ?? null,
    budget,
    states: scopes?.states ?? {},
    lacking: scopes === undefined ? [] : lackingOf(scopes),
    stale_after_days: mayBeDays,
    runs: facts.runs?.filter((run) => run.account === account) ?? [],
  };
}

function lackingOf({ open, of }: AccountScopes): LackingStream[] {
  const lacking = open.filter(({ state }) => !isFine(state));
  const groups = groupBy(lacking, ({ stream, state }) => `${state} ${stream}`);
  return [...groups.values()].flatMap((group): LackingStream[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { stream, state } = first;
    return [{ stream, state, slices: group.length, of: of.get(stream) ?? group.length }];
  });
}
