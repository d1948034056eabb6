// The plan: which slices, how each is walked, in which order, and which fit into the budget. Pure: no
// request, no write. `airank plan` prints it, a run follows it, and the simulation runs on it.
import type { WalkConfig } from '../../config/config.ts';
import type { WalkKind } from '../../db/database.ts';
import type { SliceState, WalkHistory } from '../../store/slices/walk-history.ts';
import { type Selected, type SelectedScope, selectScopes } from './selected-scopes.ts';
import { costOf, isArchive, type SliceCost } from './slice-cost.ts';
import { byUrgency, type DayBudget, type Fit, fitInto, type Urgency, urgencyOf } from './urgency.ts';

/** `full`: archives are walked in full whatever the budget says. */
export type WalkMode = 'auto' | 'full';

export interface PlannedWalk extends SliceCost {
  readonly walk: WalkKind;
  /** Requests to make, at least; 0: nothing to do, or only to publish. */
  readonly requests: number;
  /** Pages that a head walk walks at least. */
  readonly leastPages: number;
  /** Undefined: nothing to do. */
  readonly fit: Fit | undefined;
}

export interface PlanInput {
  readonly account: string;
  readonly selected: Selected;
  /** Clients that were named, or all that are known. */
  readonly clientIds: readonly string[];
  readonly history: readonly WalkHistory[];
  /** The slices of the run date as they are. */
  readonly states: readonly SliceState[];
  /** Requests of streams that ask once for each configured value, by stream. */
  readonly exactRequests: ReadonlyMap<string, number>;
  /** Walk also what is complete. */
  readonly again: boolean;
  /** Slices walked since then are not walked again. */
  readonly againSince?: Date | undefined;
  readonly mode: WalkMode;
  readonly walks: WalkConfig;
  readonly budget: DayBudget;
}

export interface Plan extends Urgency {
  /** Every slice, most urgent first. */
  readonly walks: readonly PlannedWalk[];
  /** Requests if every archive to do were walked in full. */
  readonly allFull: number;
  /** Of these, the archives'. */
  readonly archivesFull: number;
  /** What the archives may take of a day before they are walked from the head. */
  readonly archivesMay: number;
  /** Everything is walked in full, because it fits. */
  readonly fullFits: boolean;
}

export function planAccount(input: PlanInput): Plan {
  const { budget } = input;
  const costs = costsOf(input);
  const toDo = costs.filter((cost) => !cost.done);
  const total = (slices: readonly SliceCost[]) => slices.reduce((sum, cost) => sum + cost.full, 0);
  const allFull = total(toDo);
  const archivesFull = total(toDo.filter(({ stream }) => isArchive(stream)));
  const archivesMay = Math.floor((budget.wholeDay * input.walks.fullWalkPercent) / 100);
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
      fullDemanded: input.mode === 'full',
      fullWalkDays: input.walks.fullWalkDays,
      largestFull,
      wholeDay,
    });
  });
}

/** What is known of the records whose details a slice asks for. */
function detailedBy({ scope, stream }: SelectedScope, history: ReadonlyMap<string, WalkHistory>) {
  return stream.source.kind === 'details'
    ? history.get(scopeKey({ stream: stream.source.of, clientId: scope.clientId }))
    : undefined;
}

function chosen(cost: SliceCost, fullFits: boolean) {
  const head = fullFits ? undefined : cost.head;
  const walk: WalkKind =
    cost.stream.source.kind === 'details' ? 'details' : head === undefined ? 'full' : 'head';
  const leastPages = cost.trust?.leastPages ?? 1;
  return {
    ...cost,
    walk,
    leastPages,
    high: cost.stream.priority === 'high',
    fullSince: cost.verdict === 'full walk due' ? cost.lastFullDate : undefined,
    requests: cost.done ? 0 : (head ?? cost.full),
    whole: head === undefined ? Math.max(cost.fullPages, 1) : leastPages,
  };
}

export function scopeKey(scope: { readonly stream: string; readonly clientId: string }): string {
  return `${scope.stream} ${scope.clientId}`;
}
