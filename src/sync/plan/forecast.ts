// A plan in figures: the requests of a sync and how far the budget carries it. Pure. Figures are lower bounds where a
// stream was never synced, as its number of pages is then unknown.
import type { AccountConfig, Config } from '../../config/config.ts';
import { groupBy } from '../../core/group-by.ts';
import { dayMs } from '../../core/run-date.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Plan, PlannedWalk } from './plan.ts';
import { type PlanFacts, type PlanQuestion, planFrom } from './plan-facts.ts';
import { clientsStreamOf, type Phase, type Selected } from './selected-scopes.ts';

export interface AccountPlan extends Forecast {
  readonly clients: { readonly count: number; readonly run_date: string | null } | null;
  /** Requests that only a first sync can count, left out of `requests`; null if the clients are known. */
  readonly not_known: NotKnown | null;
  /** A newer published run date, because of which a sync refuses this one; null if there is none. */
  readonly refused_by: string | null;
  readonly budget: {
    readonly per_minute: number;
    readonly per_day: number;
    readonly reserved_for_people: number;
    readonly used_today: number;
    readonly remaining_today: number;
    readonly renews_at: string;
    readonly closed_until: string | null;
  };
}

export function accountPlan(
  facts: PlanFacts,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
  now: Date,
): { readonly summary: AccountPlan; readonly plan: Plan } {
  const { budget, history } = facts;
  const plan = planFrom(facts, config, account, question, question.clientIds ?? facts.clientIds ?? []);
  const figures = forecast({
    account: account.name,
    plan,
    perMinute: account.perMinute,
    remainingToday: budget.remainingToday,
    wholeDay: account.perDay - reserveOf(account),
    renewsAt: budget.closedUntil ?? budget.renewsAt,
    now,
  });
  const listed = history.find((walk) => walk.stream === question.clientsStream?.name && walk.clientId === '');
  const { clientIds, clientFits = () => true } = question;
  const summary: AccountPlan = {
    ...figures,
    clients:
      clientIds !== undefined
        ? { count: clientIds.filter((id) => clientFits(id, account.name)).length, run_date: null }
        : facts.clientIds === undefined
          ? null
          : { count: facts.clientIds.length, run_date: listed?.lastRunDate ?? null },
    not_known: notKnown(figures, question, facts.clientIds),
    refused_by: facts.newest !== undefined && question.runDate < facts.newest ? facts.newest : null,
    budget: {
      per_minute: account.perMinute,
      per_day: account.perDay,
      reserved_for_people: reserveOf(account),
      used_today: budget.usedToday,
      remaining_today: budget.remainingToday,
      renews_at: budget.renewsAt.toISOString(),
      closed_until: budget.closedUntil?.toISOString() ?? null,
    },
  };
  return { summary, plan };
}

const phases: readonly Phase[] = ['clients', 'records', 'details'];

interface ForecastInput {
  readonly account: string;
  readonly plan: Plan;
  readonly perMinute: number;
  readonly remainingToday: number;
  readonly wholeDay: number;
  readonly renewsAt: Date;
  readonly now: Date;
}

export interface StreamForecast {
  readonly stream: string;
  readonly slices: number;
  /** Complete or unavailable on this run date: nothing to do. */
  readonly done: number;
  readonly walking: number;
  readonly stored_pages: number;
  /** The oldest of the slices' newest published dates; null if some were never published. */
  readonly last_run_date: string | null;
  readonly requests: number;
  /** Slices to do that were never synced: each may take more requests than are counted. */
  readonly first_walks: number;
  /** Slices to do that fit today, by the way they are walked: in full or incrementally. */
  readonly full: number;
  readonly incremental: number;
  readonly deferred: number;
  readonly saved: number;
}

interface PlanPart {
  /** The list of clients, then every other list, then the single records that lists name. */
  readonly phase: Phase;
  readonly slices: number;
  readonly requests: number;
  /** True if the real number is known only once the part before is done, or the list's last page is read. */
  readonly at_least: boolean;
}

/** Figures that a plan cannot count before the list of clients is first published. */
export interface NotKnown {
  /** Known requests: those for the account and its list of clients, at least one a list. */
  readonly requests: number;
  /** Streams that have a list, of at least one request, for each client. */
  readonly a_client: readonly string[];
  /** Streams that take one request for each record that a list names. */
  readonly a_record: readonly string[];
}

interface NeverFits {
  readonly stream: string;
  readonly client_id: string;
  readonly requests: number;
}

interface PlanFigures {
  readonly to_do: number;
  readonly requests: number;
  readonly first_walks: number;
  readonly streams: readonly StreamForecast[];
  readonly requests_today: number;
  readonly parts: readonly PlanPart[];
}

interface Forecast extends PlanFigures {
  readonly account: string;
  readonly slices: number;
  readonly fits: number;
  readonly incremental: number;
  readonly saved: number;
  readonly deferred: number;
  readonly deferred_streams: readonly string[];
  readonly never_fit: readonly NeverFits[];
  /** Archives whose full refresh fits into no day next to the streams of high priority. */
  readonly tails_unseen: readonly NeverFits[];
  /** Time at which deferred slices could go on, ISO 8601; null if all fits today. */
  readonly deferred_until: string | null;
  /** End of what fits today, by the limit per minute, ISO 8601. */
  readonly ends_at: string;
  /** End of all that ever fits into a day, by the limit per minute and the days that it takes, ISO 8601. */
  readonly all_done_at: string;
  /** Days within which every slice gets its turn, if each day brings this load. */
  readonly all_within_days: number;
}

export function planFigures({ walks }: Plan): PlanFigures {
  const toDo = walks.filter((walk) => !walk.done);
  return {
    to_do: toDo.length,
    requests: total(toDo),
    first_walks: toDo.filter((walk) => walk.firstWalk).length,
    streams: byStream(walks),
    requests_today: total(toDo.filter((walk) => walk.fit === 'now')),
    parts: partsOf(toDo),
  };
}

export function forecast(input: ForecastInput): Forecast {
  const { plan, now, perMinute, renewsAt } = input;
  const { to_do, requests, first_walks, streams, requests_today, parts } = planFigures(plan);
  const toDo = plan.walks.filter((walk) => !walk.done);
  const fitting = toDo.filter((walk) => walk.fit === 'now');
  const waiting = toDo.filter((walk) => walk.fit === 'waits');
  const never = toDo.filter((walk) => walk.fit === 'never');
  const later = waiting.length + never.length > 0;
  return {
    account: input.account,
    slices: plan.walks.length,
    to_do,
    requests,
    first_walks,
    streams,
    fits: fitting.length,
    incremental: fitting.filter(isIncremental).length,
    saved: saved(fitting),
    deferred: waiting.length,
    deferred_streams: [...new Set(waiting.map(({ stream }) => stream.name))],
    never_fit: never.map(({ scope, requests }) => tooLarge(scope, requests)),
    tails_unseen: toDo.filter(isTailUnseen).map(({ scope, full }) => tooLarge(scope, full)),
    deferred_until: later ? renewsAt.toISOString() : null,
    requests_today,
    ends_at: new Date(now.getTime() + timeToMakeMs(requests_today, perMinute)).toISOString(),
    all_done_at: allDoneAt(input, requests_today, total(waiting)).toISOString(),
    parts,
    all_within_days: plan.withinDays - 1,
  };
}

/** @param clientIds undefined if their list was never published. @returns null if there is nothing of this kind */
export function notKnown(
  { parts }: Pick<Forecast, 'parts'>,
  selected: Selected,
  clientIds: readonly string[] | undefined,
): NotKnown | null {
  const first = clientsStreamOf(selected);
  if (first === undefined || selected.clientIds !== undefined || clientIds !== undefined) return null;
  const isDetails = ({ source }: Stream) => source.kind === 'details';
  const names = (streams: readonly Stream[]) => streams.map(({ name }) => name);
  return {
    requests: parts.reduce((sum, { phase, requests }) => sum + (phase === 'details' ? 0 : requests), 0),
    a_client: names(selected.streams.filter((one) => one.perClient && one !== first && !isDetails(one))),
    a_record: names(selected.streams.filter(isDetails)),
  };
}

export function timeToMakeMs(requests: number, perMinute: number): number {
  return (requests / perMinute) * 60_000;
}

function allDoneAt(
  { now, renewsAt, perMinute, wholeDay }: ForecastInput,
  today: number,
  later: number,
): Date {
  if (later === 0 || wholeDay <= 0) return new Date(now.getTime() + timeToMakeMs(today, perMinute));
  const days = Math.ceil(later / wholeDay);
  const lastDay = later - (days - 1) * wholeDay;
  return new Date(renewsAt.getTime() + (days - 1) * dayMs + timeToMakeMs(lastDay, perMinute));
}

function partsOf(toDo: readonly PlannedWalk[]): PlanPart[] {
  const isKnown = (phase: Phase) => !toDo.some((walk) => walk.phase === phase && walk.firstWalk);
  return phases.flatMap((phase): PlanPart[] => {
    const walks = toDo.filter((walk) => walk.phase === phase);
    if (walks.length === 0) return [];
    // A list that was never synced hides clients or records, and with them slices and requests of later phases.
    const before = phases.slice(0, phases.indexOf(phase) + 1);
    return [{ phase, slices: walks.length, requests: total(walks), at_least: !before.every(isKnown) }];
  });
}

function byStream(walks: readonly PlannedWalk[]): StreamForecast[] {
  return [...groupBy(walks, ({ stream }) => stream.name)].map(([stream, group]) => {
    const toDo = group.filter((walk) => !walk.done);
    const fitting = toDo.filter((walk) => walk.fit === 'now');
    const incremental = fitting.filter(isIncremental).length;
    return {
      stream,
      slices: group.length,
      done: group.length - toDo.length,
      walking: toDo.filter((walk) => walk.walking).length,
      stored_pages: toDo.reduce((sum, walk) => sum + walk.storedPages, 0),
      last_run_date: oldest(group.map((walk) => walk.lastRunDate)),
      requests: total(toDo),
      first_walks: toDo.filter((walk) => walk.firstWalk).length,
      full: fitting.length - incremental,
      incremental,
      deferred: toDo.length - fitting.length,
      saved: saved(fitting),
    };
  });
}

function tooLarge({ stream, clientId }: PlannedWalk['scope'], requests: number): NeverFits {
  return { stream, client_id: clientId, requests };
}

function isTailUnseen(walk: PlannedWalk): boolean {
  return walk.tailUnseen && isIncremental(walk);
}

function isIncremental(walk: PlannedWalk): boolean {
  return walk.walk === 'incremental';
}

function saved(walks: readonly PlannedWalk[]): number {
  return walks.reduce((sum, walk) => sum + (isIncremental(walk) ? walk.full - walk.requests : 0), 0);
}

function oldest(dates: readonly (string | undefined)[]): string | null {
  const known = dates.filter((date) => date !== undefined).sort();
  return known.length < dates.length ? null : (known[0] ?? null);
}

function total(walks: readonly PlannedWalk[]): number {
  return walks.reduce((sum, walk) => sum + walk.requests, 0);
}
