// The plan: which slices, how each is walked, in which order, and which fit into the budget. Pure: no
// request, no write. `airank plan` prints it, a run follows it, and the simulation runs on it.

import type { RunLimits } from '../../config/config.ts';
import type { WalkKind } from '../../db/database.ts';
import type { SliceState, WalkHistory } from '../../store/slices/walk-history.ts';
import { type Selected, type SelectedScope, selectScopes } from './selected-scopes.ts';
import { costOf, dayNumber, isArchive, type SliceCost } from './slice-cost.ts';

// The order in which slices get the budget, and which of them get some today.
//
// The slice that has waited longest goes first. With a load of C requests and a budget of B a day, no slice waits
// longer than ceil(C / B) + 1 days. High priority goes before that, while the rest still gets its turn within this
// time. A slice that has waited longer (too large for what the high priority leaves) goes before everything. A slice
// that was never synced waits since it was first planned. A slice that cannot be finished with what remains is not
// begun: its pages would be lost at the next run date. Smaller ones after it may still fit.
export interface Urgent {
  readonly high: boolean;
  readonly triedRunDate: string | undefined;
  readonly plannedRunDate: string | undefined;
  readonly ranOut: boolean;
  readonly whole: number;
  /** Requests to make now; 0 if there is nothing to do, or only something to publish. */
  readonly requests: number;
  readonly fullSince?: string | undefined;
}

interface DayBudget {
  readonly runDate: string;
  readonly wholeDay: number;
  readonly left: number;
}

type Fit =
  | 'now'
  /** Comes first on a later day. */
  | 'waits'
  | 'never';

export interface Urgency {
  readonly withinDays: number;
  readonly highFirst: boolean;
  /** Requests that the high priority leaves of a day; a slice that takes more would never fit after it. */
  readonly restOfDay: number;
}

/** Derives the order from the load of all slices, including those that are done. */
export function urgencyOf(slices: readonly Urgent[], wholeDay: number): Urgency {
  const load = sum(slices);
  const high = sum(slices.filter((slice) => slice.high));
  const withinDays = wholeDay <= 0 ? Number.POSITIVE_INFINITY : Math.ceil(load / wholeDay) + 1;
  const highFirst = high + Math.ceil((load - high) / withinDays) <= wholeDay;
  return { withinDays, highFirst, restOfDay: highFirst ? wholeDay - high : wholeDay };
}

function sum(slices: readonly Urgent[]): number {
  return slices.reduce((total, slice) => total + slice.whole, 0);
}

/** Sorts the most urgent first; equals keep their order. */
export function byUrgency<Slice extends Urgent>(
  slices: readonly Slice[],
  urgency: Urgency,
  runDate: string,
): Slice[] {
  const today = dayNumber(runDate);
  const days = new Map<string, number>();
  const dayOf = (date: string | undefined): number => {
    if (date === undefined) return Number.NEGATIVE_INFINITY;
    const known = days.get(date) ?? dayNumber(date);
    days.set(date, known);
    return known;
  };
  const ranked = slices.map((slice) => {
    const tried = dayOf(slice.triedRunDate);
    const since = dayOf(slice.triedRunDate ?? slice.plannedRunDate ?? runDate);
    const isLong = today - since >= urgency.withinDays;
    const neverWould = slice.triedRunDate === undefined && (slice.ranOut || slice.whole > urgency.restOfDay);
    const rank = isLong || neverWould ? 0 : slice.high && urgency.highFirst ? 1 : 2;
    const waits = isLong && !neverWould ? since : tried;
    // Among equals the oldest full refresh goes first: only it sees the tail of an archive.
    const full = slice.fullSince === undefined ? Number.POSITIVE_INFINITY : dayOf(slice.fullSince);
    return { slice, rank, waits, full };
  });
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        compare(a.waits, b.waits) ||
        Number(b.slice.high) - Number(a.slice.high) ||
        compare(a.full, b.full),
    )
    .map(({ slice }) => slice);
}

/** Compares without subtracting, which would give NaN for two that were never tried. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Says for each slice, in the order given, whether it fits. */
export function fitInto(slices: readonly Urgent[], budget: DayBudget): Fit[] {
  let { left } = budget;
  return slices.map(({ requests }) => {
    if (requests <= left) {
      left -= requests;
      return 'now';
    }
    return requests > budget.wholeDay ? 'never' : 'waits';
  });
}

/** `full` refreshes archives in full, whatever the budget says. */
export type WalkMode = 'auto' | 'full';

export interface PlannedWalk extends SliceCost {
  readonly walk: WalkKind;
  /** Requests to make, a minimum; 0 if there is nothing to do, or only something to publish. */
  readonly requests: number;
  readonly leastPages: number;
  readonly fit: Fit | undefined;
}

export interface PlanInput {
  readonly account: string;
  readonly selected: Selected;
  readonly clientIds: readonly string[];
  readonly history: readonly WalkHistory[];
  readonly states: readonly SliceState[];
  /** By stream, the requests of streams that ask once for each configured value. */
  readonly exactRequests: ReadonlyMap<string, number>;
  readonly again: boolean;
  readonly againSince?: Date | undefined;
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  readonly mode: WalkMode;
  readonly limits: Pick<RunLimits, 'fullRefreshDays' | 'fullRefreshPercent'>;
  readonly budget: DayBudget;
}

export interface Plan extends Urgency {
  readonly walks: readonly PlannedWalk[];
  readonly allFull: number;
  readonly archivesFull: number;
  /** Requests that archives may take of a day; above that they are refreshed incrementally. */
  readonly archivesMay: number;
  readonly fullFits: boolean;
}

export function planAccount(input: PlanInput): Plan {
  const { budget } = input;
  const costs = costsOf(input);
  const toDo = costs.filter((cost) => !cost.done);
  const total = (slices: readonly SliceCost[]) => slices.reduce((sum, cost) => sum + cost.full, 0);
  const allFull = total(toDo);
  const archivesFull = total(toDo.filter(({ stream }) => isArchive(stream)));
  const archivesMay = Math.floor((budget.wholeDay * input.limits.fullRefreshPercent) / 100);
  const fullFits = allFull <= budget.left && archivesFull <= archivesMay;
  const slices = costs.map((cost) => chosen(cost, fullFits));
  const urgency = urgencyOf(slices, budget.wholeDay);
  const ordered = byUrgency(slices, urgency, budget.runDate);
  const fits = fitInto(ordered, budget);
  const walks = ordered.map((slice, index) => ({ ...slice, fit: slice.done ? undefined : fits[index] }));
  return { walks, ...urgency, allFull, archivesFull, archivesMay, fullFits };
}

function costsOf(input: PlanInput): SliceCost[] {
  const history = new Map(input.history.map((walk) => [scopeKey(walk), walk]));
  const states = new Map(input.states.map((state) => [scopeKey(state), state]));
  const scopes = selectScopes(input.selected, input.account, input.clientIds);
  const high = scopes
    .filter(({ stream }) => stream.priority === 'high')
    .reduce((sum, { scope }) => sum + Math.max(history.get(scopeKey(scope))?.pages ?? 1, 1), 0);
  const { wholeDay } = input.budget;
  const largestFull = high < wholeDay ? wholeDay - high : wholeDay;
  return scopes.map((selected) => {
    const key = scopeKey(selected.scope);
    return costOf(selected, {
      history: history.get(key),
      detailed: detailedBy(selected, history),
      state: states.get(key),
      exactRequests: input.exactRequests.get(selected.stream.name),
      runDate: input.budget.runDate,
      again: input.again,
      againSince: input.againSince,
      acceptVanished: input.acceptVanished,
      fullDemanded: input.mode === 'full',
      fullRefreshDays: input.limits.fullRefreshDays,
      largestFull,
      wholeDay,
    });
  });
}

function detailedBy({ scope, stream }: SelectedScope, history: ReadonlyMap<string, WalkHistory>) {
  return stream.source.kind === 'details'
    ? history.get(scopeKey({ stream: stream.source.of, clientId: scope.clientId }))
    : undefined;
}

function chosen(cost: SliceCost, fullFits: boolean) {
  const incremental = fullFits ? undefined : cost.incremental;
  const walk: WalkKind =
    cost.stream.source.kind === 'details' ? 'details' : incremental === undefined ? 'full' : 'incremental';
  const leastPages = cost.trust?.leastPages ?? 1;
  return {
    ...cost,
    walk,
    leastPages,
    high: cost.stream.priority === 'high',
    fullSince: cost.verdict === 'full refresh due' ? cost.lastFullDate : undefined,
    requests: cost.done ? 0 : (incremental ?? cost.full),
    whole: incremental === undefined ? Math.max(cost.fullPages, 1) : leastPages,
  };
}

export function scopeKey(scope: { readonly stream: string; readonly clientId: string }): string {
  return `${scope.stream} ${scope.clientId}`;
}
