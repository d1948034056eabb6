// The state of one account, as `airank status` shows it, and its problems with what to do. Pure.

import { groupBy } from '../core/group-by.ts';
import type { RunDate } from '../core/run-date.ts';
import { count, momentIn, named } from '../core/text.ts';
import type { SliceStatus } from '../db/database.ts';
import type { LostDates } from './missing-dates.ts';
import type { OpenRun } from './open-runs.ts';
import { type AccountScopes, daysBetween, isFine, type ScopeState } from './read-scopes.ts';
import type { DayStatus, IncompleteSlice, IncrementalWalks, StreamStatus } from './status-report.ts';
import { viewsFromStreams } from './view-readiness.ts';

/** Why a warehouse is not fine, as one row of the screen and one sentence of the JSON. */
export interface Problem {
  readonly account: string;
  /** Empty: it is about the account. */
  readonly streams: readonly string[];
  /** `waits`: for requests, and goes on by itself. */
  readonly kind: 'failed' | 'waits';
  readonly text: string;
  readonly fix: string;
}

/** A problem of no account and no stream. */
export const generalProblem = (text: string, fix: string): Problem => {
  return { account: '', streams: [], kind: 'failed', text, fix };
};

/** @param timeZone of the moments that are named */
export function problemsOf(account: AccountStatus, timeZone: string): Problem[] {
  const { account: name, runs, run_date: date, lacking } = account;
  const of = (streams: readonly string[], kind: Problem['kind'], text: string, fix: string): Problem => {
    return { account: name, streams, kind, text, fix };
  };
  // While another run works on the account it goes on where the dead one stopped.
  const dead = runs.some((run) => run.is_alive) ? [] : runs;
  const died = dead.map(({ job, started_at: begun }) =>
    of([], 'failed', `a run of ${job}, started ${momentIn(timeZone, begun)}, died before it finished`, goOn),
  );
  if (date === null) return lacking.length === 0 ? died : [...died, of([], 'failed', 'never synced', goOn)];
  const byState = [...lacking].sort((a, b) => worst.indexOf(a.state) - worst.indexOf(b.state));
  const reasons = byState.map((one) => ({ ...reasonOf(one, account, date, timeZone), one }));
  const found = [...groupBy(reasons, ({ text }) => text).values()].flatMap((group) => {
    const those = group.map(({ one }) => one);
    const shown = shownText(those, account);
    return group.slice(0, 1).map(({ kind, text, fix }) => {
      return of(those.map(nameOf), kind, shown === '' ? text : `${text.replace(/\.$/, '')}. ${shown}`, fix);
    });
  });
  return [...died, ...found];
}

/** One sentence for JSON: `Account a: citas: nothing newer than 2026-07-12 is published. Run: airank plan`. */
export const problemText = ({ account, streams, text, fix }: Problem): string =>
  `${account === '' ? '' : `Account ${account}: `}${streams.length === 0 ? '' : `${streams.join(', ')}: `}${text}${fix === '' ? '' : `. Run: ${fix}`}`;

/** The more urgent states, the first one first. */
const worst: readonly ScopeState[] = ['failed', 'future', 'unfinished', 'stale', 'never_synced', 'deferred'];

const goOn = 'airank sync';

type Reason = Pick<Problem, 'kind' | 'text' | 'fix'>;

/** `demand (3 of 12)`: some of its clients. */
const nameOf = ({ stream, slices, of }: LackingStream) =>
  slices === of ? stream : `${stream} (${count(slices)} of ${count(of)})`;

const mostNames = 3;

function reasonOf(
  { stream, state, of }: LackingStream,
  { budget, waiting, ...account }: AccountStatus,
  date: string,
  timeZone: string,
): Reason {
  const failed = (text: string, fix = goOn): Reason => ({ kind: 'failed', text, fix });
  const published = account.streams.find((one) => one.stream === stream)?.run_date ?? null;
  switch (state) {
    case 'deferred': {
      const until =
        budget === null ? '' : ` until ${momentIn(timeZone, budget.closed_until ?? budget.renews_at)}`;
      const never = waiting.some((one) => one.stream === stream && !one.has_data);
      return {
        kind: 'waits',
        text: `waits for requests${until}${never ? '; never fetched yet' : ''}`,
        fix: goOn,
      };
    }
    case 'failed': {
      const slices = account.failed.filter((one) => one.stream === stream);
      const clients = slices.length === of ? [] : slices.map((one) => one.client_id || 'the account');
      const errors = new Set(slices.map((one) => routeless(one.error)));
      const whose = clients.length === 0 ? '' : `${named(clients, mostNames)}: `;
      return failed(`failed: ${whose}${named([...errors], mostNames) || 'unknown'}`);
    }
    case 'future':
      return failed(
        `run date ${published !== null && published > date ? published : date} is in the future: today is unknown, and syncs of earlier dates are refused once ` +
          'it is published',
        'airank doctor',
      );
    case 'never_synced':
      return failed('never fetched; to switch one off, set streams.NAME.enabled: false');
    case 'stale':
      return failed(`nothing newer than ${published ?? date} is published`, 'airank plan');
    default:
      return failed(`${date} is not finished, and no process works on it`);
  }
}

/** `products, product_attributes show 2026-07-14`: what is published of streams that failed or wait. */
function shownText(lacking: readonly LackingStream[], { failed, streams, run_date: today }: AccountStatus) {
  const late = lacking.filter(({ state }) => state !== 'stale' && state !== 'future');
  const dates = new Set(
    late.flatMap(({ stream, state }) => {
      const newest = streams.find((one) => one.stream === stream)?.run_date ?? null;
      const slices = state === 'failed' ? failed.filter((one) => one.stream === stream) : [];
      const published = slices.length === 0 ? [newest] : slices.map((one) => one.published);
      return published.flatMap((date) => (date === null || date === today ? [] : [date]));
    }),
  );
  const views = viewsFromStreams(late.map(({ stream }) => stream));
  if (dates.size === 0 || views.length === 0) return '';
  const what = dates.size === 1 ? [...dates][0] : 'earlier dates';
  return `${named(views, mostNames)} ${views.length === 1 ? 'shows' : 'show'} ${what}`;
}

/** Errors that differ only in the route are one. */
export const routeless = (error: string | null) => (error ?? 'unknown').replace(/^GET \S+ /, '');

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
  /** Set when the server said that the day is used up. */
  readonly closed_until: string | null;
}

interface StreamLine extends Omit<StreamStatus, 'account'> {
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
    /** True if something of the stream was published before. */
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
  /** Days that the budget needs for a round over all slices, by account. */
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
