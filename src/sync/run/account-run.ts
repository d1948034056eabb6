// One account in one run: its clients first, then every other slice by urgency, then the details of
// what was found.
import type { AccountConfig } from '../../config/config.ts';
import type { Logger } from '../../core/logger.ts';
import { type KnownClients, readClients } from '../../warehouse/evidence/clients.ts';
import { readPins } from '../../warehouse/pages/pins.ts';
import {
  abandonOlder,
  deferSlices,
  failPublished,
  failSlice,
  failUnavailable,
  planSlices,
} from '../../warehouse/slices/slices.ts';
import { type PlannedWalk, scopeKey, type WalkMode } from '../plan/plan.ts';
import { planFrom, readPlanFacts } from '../plan/plan-facts.ts';
import { clientsStreamOf, type Phase, type Selected } from '../plan/selected-scopes.ts';
import { type AccountHealth, createAccountHealth } from './account-health.ts';
import { AccountState, type Notice } from './account-state.ts';
import { type Allowance, createAllowance, keptForLater } from './allowance.ts';
import { endClientsThatLeft } from './clients-left.ts';
import type { SliceOutcome } from './events.ts';
import { createLanes, type InTurn } from './lanes.ts';
import type { Patience } from './patience.ts';
import { type SliceWorkerInput, type WaitingSlice, workOnSlice } from './slice-worker.ts';

export interface AccountRunInput extends SliceWorkerInput {
  readonly account: AccountConfig;
  readonly logger: Logger;
  /** Named clients leave out the account itself. */
  readonly selected: Selected;
  readonly walk: WalkMode;
  /** What was walked since then is not walked again. */
  readonly againSince: Date | undefined;
  readonly patience: Patience;
  /** What jobs may still spend today, as of the last grant; undefined before the first. */
  readonly leftToday: () => number | undefined;
}

export interface AccountResult {
  readonly account: string;
  readonly outcomes: readonly SliceOutcome[];
  /** What people should know although nothing failed. */
  readonly notices: readonly Notice[];
  /** Why the whole account ended early; undefined: it did not. */
  readonly ended: string | undefined;
  /** The status of the answer that ended it: 401 and 403 are about the key. */
  readonly endedStatus?: number | undefined;
  /** When the budget renews, if it ended first. */
  readonly deferredUntil: Date | undefined;
}

/** @throws only what the run as a whole cannot survive, such as a lost warehouse */
export async function runAccount(input: AccountRunInput): Promise<AccountResult> {
  const { account, db, selected } = input;
  const state = new AccountState(account.name, input.emit, input.logger);
  const health = createAccountHealth(account.name, account.baseUrl, account.keyFrom);

  const outlast = <Result>(work: () => Promise<Result>) => input.patience.outlast(work, input.stop);

  await outlast(() => abandonOlder(db, account.name, input.runDate));
  if (clientsStreamOf(selected) !== undefined) {
    await deferRest(input, state, await runPhase(input, state, health, 'clients', []));
  }
  const known = await outlast(() => knownClients(input, state));
  const clientIds = selected.clientIds ?? known?.ids ?? [];
  state.clientIds = new Set([...(known?.ids ?? []), ...clientIds]);
  if (known !== undefined) await endClientsThatLeft(input, state, known);
  const records = await runPhase(input, state, health, 'records', clientIds);
  // Details of records that wait themselves would fail.
  const unread = new Set(records.waiting.map(({ slice }) => scopeKey(slice)));
  const details = await runPhase(input, state, health, 'details', clientIds, unread);
  // What was kept for the details and not needed is there for the others.
  const left = createAllowance(() => input.leftToday() ?? 0, 0);
  const waiting = await workOff(input, state, health, records.waiting, left);
  await lookAgain(input, state, health, left);
  await deferRest(input, state, { ...records, waiting });
  await deferRest(input, state, details);

  const refused = state.outcomes.some(({ end }) => end === 'complete') ? undefined : health.allRefused();
  if (refused !== undefined) state.end(refused);
  const { outcomes, notices, ended, endedStatus, deferredUntil } = state;
  if (ended !== undefined) await outlast(() => failUnavailable(db, input.runId, account.name, ended));
  return { account: account.name, outcomes, notices, ended, endedStatus, deferredUntil };
}

const laterPhases: Readonly<Record<Phase, readonly Phase[]>> = {
  clients: ['records', 'details'],
  records: ['details'],
  details: [],
};

interface PhaseEnd {
  /** Slices for which there were no requests left, in their order. */
  readonly waiting: readonly WaitingSlice[];
  /** When there are some again. */
  readonly until: Date;
}

/** Plans everything, and works on the slices of one phase side by side, most urgent first. */
async function runPhase(
  input: AccountRunInput,
  state: AccountState,
  health: AccountHealth,
  phase: Phase,
  clientIds: readonly string[],
  unread: ReadonlySet<string> = new Set(),
): Promise<PhaseEnd> {
  const { account, db, emit, runDate, again, againSince } = input;
  const outlast = <Result>(work: () => Promise<Result>) => input.patience.outlast(work, input.stop);
  const question = { ...input.selected, runDate, again, againSince, walk: input.walk };
  const facts = await outlast(() => readPlanFacts(db, input.config, account, question));
  const plan = planFrom(facts, input.config, account, question, clientIds);
  const walks = plan.walks.filter((walk) => walk.phase === phase);
  const until = facts.budget.closedUntil ?? facts.budget.renewsAt;
  if (walks.length === 0) return { waiting: [], until };
  const scopes = walks.map((walk) => walk.scope);
  const planned = await outlast(() => planSlices(db, runDate, scopes));
  const slices = new Map(planned.map((slice) => [scopeKey(slice), slice]));
  emit({ kind: 'planned', account: account.name, slices: walks.length, requests: requestsOf(walks) });

  // The clients come first whatever they cost: without them nothing else can be planned.
  const later = plan.walks.filter((walk) => laterPhases[phase].includes(walk.phase) && walk.fit === 'now');
  const allowance = createAllowance(
    () => input.leftToday() ?? facts.budget.leftToday,
    phase === 'clients' ? 0 : keptForLater(requestsOf(later)),
  );
  const todo: WaitingSlice[] = [];
  const behind: WaitingSlice[] = [];
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
      await outlast(() => failSlice(db, slice.id, input.runId, error));
    } else if (waitsFor(walk, unread)) {
      behind.push({ slice, walk });
    } else {
      todo.push({ slice, walk });
    }
  }
  const waiting = await workOff(input, state, health, todo, allowance);
  await lookAgain(input, state, health, allowance);
  return { waiting: [...waiting, ...behind], until };
}

/** Asks once more for what was not believed, where requests are left for it. */
async function lookAgain(
  input: AccountRunInput,
  state: AccountState,
  health: AccountHealth,
  allowance: Allowance,
): Promise<void> {
  const doubted = state.takeDoubted();
  const errors = new Map(doubted.map(({ slice, doubted: error }) => [slice.id, error]));
  // It failed already, with its reason: the next sync asks again.
  for (const { slice } of await workOff(input, state, health, doubted, allowance))
    state.report(slice, 'failed', { error: errors.get(slice.id) });
}

function waitsFor({ stream, scope }: PlannedWalk, unread: ReadonlySet<string>): boolean {
  const { source } = stream;
  return source.kind === 'details' && unread.has(scopeKey({ stream: source.of, clientId: scope.clientId }));
}

/** Slices that took less than expected may leave room for some that had to wait. */
async function workOff(
  input: AccountRunInput,
  state: AccountState,
  health: AccountHealth,
  todo: readonly WaitingSlice[],
  allowance: Allowance,
): Promise<readonly WaitingSlice[]> {
  let waiting = todo;
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length;
    waiting = await workThrough(waiting, input, (one, inTurn) =>
      input.patience.outlast(
        (progress) => workOnSlice(input, state, health, one, allowance, { progress, inTurn }),
        input.stop,
      ),
    );
  }
  return waiting;
}

async function deferRest(
  input: AccountRunInput,
  state: AccountState,
  { waiting, until }: PhaseEnd,
): Promise<void> {
  if (waiting.length === 0) return;
  state.wait(until);
  const ids = waiting.map(({ slice }) => slice.id);
  await input.patience.outlast(() => deferSlices(input.db, ids, input.runId), input.stop);
  for (const { slice } of waiting) state.report(slice, 'deferred');
}

/** Returns the slices that wait for budget, in their order. */
async function workThrough(
  todo: readonly WaitingSlice[],
  input: AccountRunInput,
  work: (one: WaitingSlice, inTurn: InTurn) => Promise<'done' | 'waits'>,
): Promise<WaitingSlice[]> {
  const lanes = createLanes(input.config.sliceConcurrency);
  const broken: unknown[] = [];
  const waits = new Set<WaitingSlice>();
  for (const one of todo) {
    lanes.enter(async (inTurn) => {
      try {
        if ((await work(one, inTurn)) === 'waits') waits.add(one);
      } catch (error) {
        // What is in hand is finished before the run ends with this; the rest is not begun.
        broken.push(error);
        lanes.clear();
      }
    });
  }
  await lanes.onIdle();
  if (broken.length > 0) throw broken[0];
  return todo.filter((one) => waits.has(one));
}

function requestsOf(walks: readonly PlannedWalk[]): number {
  return walks.reduce((sum, walk) => sum + walk.requests, 0);
}

function tooLarge(walk: PlannedWalk, account: AccountConfig): string {
  return (
    `Expected a walk to fit into one day's requests of account ${account.name} (AIRANK_PER_DAY ${account.perDay}, ` +
    `less ${account.reservePercent} percent for people), got at least ${walk.requests} requests; it is not begun, because over ` +
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

/** The clients of the newest published list; undefined: nobody wants to know. */
async function knownClients(input: AccountRunInput, state: AccountState): Promise<KnownClients | undefined> {
  const stream = clientsStreamOf(input.selected);
  if (stream === undefined) return undefined;
  const pinned = (await readPins(input.db, input.account.name)).get(stream.name)?.recordKey;
  const clients = await readClients(input.db, input.account.name, pinned, stream.keys);
  if (clients.withoutId > 0) {
    const { key } = clients;
    const where = key.length === 0 ? '' : ` in ${key.map((path) => path.join('.')).join(' and ')}`;
    const error =
      `Expected every client to have an identifier${where}, got ${clients.withoutId} without; ` +
      `their own streams are not walked. Set streams.${stream.name}.keys in airank.config.yaml`;
    const scope = { stream: stream.name, account: input.account.name, clientId: '' };
    await failPublished(input.db, { ...scope, runDate: input.runDate }, error);
    state.report(scope, 'failed', { error });
  }
  return clients;
}
