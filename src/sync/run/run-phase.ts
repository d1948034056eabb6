// One phase of an account's run: planned as a whole, its slices worked on side by side, most urgent first.

import type { AccountConfig } from '../../config/config.ts';
import { plural } from '../../core/text.ts';
import { deferSlices, failSlice, planSlices } from '../../store/slices/slices.ts';
import { type PlannedWalk, scopeKey } from '../plan/plan.ts';
import { type PlanFacts, planFrom } from '../plan/plan-facts.ts';
import type { Phase } from '../plan/selected-scopes.ts';
import type { AccountRun } from './account-run.ts';
import type { PlannedLoad } from './events.ts';
import {
  createConcurrencyLimit,
  createReservations,
  type InTurn,
  type Reservations,
  reservedForLater,
} from './limits.ts';
import { type WaitingSlice, workOnSlice } from './slice-worker.ts';

const laterPhases: Readonly<Record<Phase, readonly Phase[]>> = {
  clients: ['records', 'details'],
  records: ['details'],
  details: [],
};

interface PhaseInput {
  readonly phase: Phase;
  readonly facts: PlanFacts;
  readonly clientIds: readonly string[];
  /** Scopes that wait: their details wait too. */
  readonly unread?: ReadonlySet<string>;
}

export interface PhaseEnd {
  /** Slices for which no requests remained, in their order. */
  readonly waiting: readonly WaitingSlice[];
  /** When there are some again. */
  readonly until: Date;
}

/** Plans everything, and works on the slices of one phase side by side, most urgent first. */
export async function runPhase(
  run: AccountRun,
  { phase, facts, clientIds, unread = new Set() }: PhaseInput,
): Promise<PhaseEnd> {
  const { account, db, emit, withRetry, runDate, state } = run;
  const budget = { ...facts.budget, remainingToday: run.remainingToday() ?? facts.budget.remainingToday };
  const plan = planFrom({ ...facts, budget }, run.config, account, run, clientIds);
  const walks = plan.walks.filter((walk) => walk.phase === phase);
  const until = budget.closedUntil ?? budget.renewsAt;
  if (walks.length === 0) return { waiting: [], until };
  const scopes = walks.map((walk) => walk.scope);
  const planned = await withRetry(() => planSlices(db, runDate, scopes, run.runId));
  const slices = new Map(planned.map((slice) => [scopeKey(slice), slice]));
  emit({
    kind: 'planned',
    account: account.name,
    phase,
    loads: plan.walks.map(loadOf),
    perMinute: account.perMinute,
    until,
  });

  // The clients come first, whatever they cost: without them nothing else can be planned.
  const later = plan.walks.filter((walk) => laterPhases[phase].includes(walk.phase) && walk.fit === 'now');
  const reservations = createReservations(
    () => run.remainingToday() ?? budget.remainingToday,
    phase === 'clients' ? 0 : reservedForLater(requestsOf(later)),
  );
  const todo: WaitingSlice[] = [];
  const unreadDetails: WaitingSlice[] = [];
  for (const walk of walks) {
    const slice = slices.get(scopeKey(walk.scope));
    if (slice === undefined) continue;
    if (walk.done && walk.isEndless) {
      state.report(slice, 'failed', { error: endless(walk) });
    } else if (walk.done && (slice.status === 'complete' || slice.status === 'unavailable')) {
      state.report(slice, slice.status, { already: true });
    } else if (walk.fit === 'never') {
      // Waiting would not help, and over two days its pages would mix two states.
      const error = tooLarge(walk, account);
      state.report(slice, 'failed', { error, tooLarge: true });
      await withRetry(() => failSlice(db, slice, error));
    } else if (waitsFor(walk, unread)) {
      unreadDetails.push({ slice, walk });
    } else {
      todo.push({ slice, walk });
    }
  }
  const waiting = await workOff(run, todo, reservations);
  await lookAgain(run, reservations);
  return { waiting: [...waiting, ...unreadDetails], until };
}

/** Asks once more for answers that are not confirmed, where requests remain for it. */
export async function lookAgain(run: AccountRun, reservations: Reservations): Promise<void> {
  const { state } = run;
  const unconfirmed = state.takeUnconfirmed();
  const errors = new Map(unconfirmed.map(({ slice, unconfirmed: error }) => [slice.sliceId, error]));
  // It failed already, with its reason: the next sync asks again.
  for (const { slice } of await workOff(run, unconfirmed, reservations))
    state.report(slice, 'failed', { error: errors.get(slice.sliceId) });
}

function waitsFor({ stream, scope }: PlannedWalk, unread: ReadonlySet<string>): boolean {
  const { source } = stream;
  return source.kind === 'details' && unread.has(scopeKey({ stream: source.of, clientId: scope.clientId }));
}

/** Slices that took less than expected may leave room for some that had to wait. */
export async function workOff(
  run: AccountRun,
  todo: readonly WaitingSlice[],
  reservations: Reservations,
): Promise<readonly WaitingSlice[]> {
  for (const { slice, walk } of todo) reservations.plan(slice.sliceId, walk.requests);
  let waiting = todo;
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length;
    waiting = await workThrough(waiting, run.config.sliceConcurrency, (one, inTurn) =>
      run.withRetry((progress) => workOnSlice(run, one, reservations, { progress, inTurn })),
    );
  }
  return waiting;
}

export async function deferRest(run: AccountRun, { waiting, until }: PhaseEnd): Promise<void> {
  const { db, runId, state } = run;
  if (waiting.length === 0) return;
  state.wait(until);
  const ids = waiting.map(({ slice }) => slice.sliceId);
  await run.withRetry(() => deferSlices(db, run.account.name, ids, runId));
  for (const { slice } of waiting) state.report(slice, 'deferred');
}

/** Returns the slices that wait for budget, in their order. */
async function workThrough(
  todo: readonly WaitingSlice[],
  atOnce: number,
  work: (one: WaitingSlice, inTurn: InTurn) => Promise<'done' | 'waits'>,
): Promise<WaitingSlice[]> {
  const limit = createConcurrencyLimit(atOnce);
  const broken: unknown[] = [];
  const waits = new Set<WaitingSlice>();
  for (const one of todo) {
    limit.enter(async (inTurn) => {
      try {
        if ((await work(one, inTurn)) === 'waits') waits.add(one);
      } catch (error) {
        // Slices that have begun are finished before the run ends with this error; the others are not begun.
        broken.push(error);
        limit.clear();
      }
    });
  }
  await limit.onIdle();
  if (broken.length > 0) throw broken[0];
  return todo.filter((one) => waits.has(one));
}

function loadOf({ scope, stream, phase, requests, done, firstWalk, fit }: PlannedWalk): PlannedLoad {
  const { source } = stream;
  return {
    ...scope,
    phase,
    // What takes more than a day is not begun.
    requests: done || fit === 'never' ? 0 : requests,
    isAtLeast: firstWalk && !done,
    detailsOf: source.kind === 'details' ? source.of : undefined,
  };
}

function requestsOf(walks: readonly PlannedWalk[]): number {
  return walks.reduce((sum, walk) => sum + walk.requests, 0);
}

function tooLarge(walk: PlannedWalk, account: AccountConfig): string {
  return (
    `Expected a walk to fit into one day's requests of account ${account.name} (AIRANK_PER_DAY ${account.perDay}, ` +
    `less ${account.reservePercent} percent for people), got at least ${plural(walk.requests, 'request')}; it is not begun, because over ` +
    'two days its pages would mix two states. Raise AIRANK_PER_DAY if the key allows more, lower AIRANK_RESERVE_PERCENT, ' +
    `or set streams.${walk.stream.name}.enabled: false in airank.config.yaml`
  );
}

function endless({ stream }: PlannedWalk): string {
  return (
    'The pages had no end twice on this run date, so they are not asked for again: the next run date does, or ' +
    `airank sync --again --streams ${stream.name}`
  );
}
