// One account in one run: first its clients, then every other slice by urgency, then the details of the records found.
import type { AccountConfig, Config } from '../../config/config.ts';
import { moment, plural } from '../../core/text.ts';
import { publish } from '../../publish/publish.ts';
import { keyText, readFixedKeys } from '../../store/pages/record-keys.ts';
import {
  type KnownClients,
  readAbsentClients,
  readClients,
  scopesThatLeft,
} from '../../store/scopes/clients.ts';
import {
  abandonOlder,
  claimSlice,
  deferSlices,
  failPublished,
  failSlice,
  failUnavailable,
  findTakenBack,
  forgetPlanned,
  planSlices,
} from '../../store/slices/slices.ts';
import { type PlannedWalk, scopeKey } from '../plan/plan.ts';
import { type PlanFacts, planFrom, readPlanFacts } from '../plan/plan-facts.ts';
import { clientsStreamOf, type Phase } from '../plan/selected-scopes.ts';
import type { SliceRun, Warning } from './account-state.ts';
import { isDayOver, WrongDayError } from './day-watch.ts';
import {
  createConcurrencyLimit,
  createReservations,
  type InTurn,
  type Reservations,
  reservedForLater,
} from './limits.ts';
import { type WaitingSlice, workOnSlice } from './slice-worker.ts';
import type { PlannedLoad, SliceOutcome } from './sync-options.ts';
import { alikeText } from './sync-slice.ts';

interface AccountRun extends SliceRun {
  readonly account: AccountConfig;
  readonly config: Config;
  /** Requests that jobs may still spend today, as of the last grant; undefined before the first. */
  readonly remainingToday: () => number | undefined;
}

const laterPhases: Readonly<Record<Phase, readonly Phase[]>> = {
  clients: ['records', 'details'],
  records: ['details'],
  details: [],
};

interface PhaseInput {
  readonly phase: Phase;
  readonly facts: PlanFacts;
  readonly clientIds: readonly string[];
  readonly unread?: ReadonlySet<string>;
}

interface PhaseEnd {
  readonly waiting: readonly WaitingSlice[];
  readonly until: Date;
}

/** Plans everything, and works on the slices of one phase in parallel, most urgent first. */
async function runPhase(
  run: AccountRun,
  { phase, facts, clientIds, unread = new Set() }: PhaseInput,
): Promise<PhaseEnd> {
  const { account, db, question, state } = run;
  const budget = { ...facts.budget, remainingToday: run.remainingToday() ?? facts.budget.remainingToday };
  const plan = planFrom({ ...facts, budget }, run.config, account, question, clientIds);
  const walks = plan.walks.filter((walk) => walk.phase === phase && !state.hasEnded(walk.scope));
  const until = budget.closedUntil ?? budget.renewsAt;
  if (walks.length === 0) return { waiting: [], until };
  const scopes = walks.map((walk) => walk.scope);
  const planned = await planSlices(db, question.runDate, scopes, run.runId);
  const slices = new Map(planned.map((slice) => [scopeKey(slice), slice]));
  state.emit({
    kind: 'planned',
    account: account.name,
    loads: plan.walks.map(loadOf),
    perMinute: account.perMinute,
    until,
  });

  // Clients come first at any cost: without them nothing else can be planned.
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
    if (walk.rests !== undefined) {
      const looksAgainAt = walk.rests === 'endless' ? undefined : walk.rests;
      state.report(slice, 'failed', { error: restText(walk, looksAgainAt), looksAgainAt });
    } else if (walk.done && (slice.status === 'complete' || slice.status === 'unavailable')) {
      state.report(slice, slice.status, { already: true });
    } else if (walk.fit === 'never') {
      // Waiting would not help: spread over two days, its pages would mix two states.
      const error = tooLarge(walk, account);
      await failSlice(db, slice, error);
      state.report(slice, 'failed', { error, tooLarge: true });
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

/** Asks once more for unconfirmed answers, if requests remain. */
async function lookAgain(run: AccountRun, reservations: Reservations): Promise<void> {
  const { state } = run;
  const unconfirmed = state.takeUnconfirmed();
  const errors = new Map(unconfirmed.map(({ slice, unconfirmed: error }) => [slice.sliceId, error]));
  // It has already failed with its reason, so the next sync asks again.
  for (const { slice } of await workOff(run, unconfirmed, reservations))
    state.report(slice, 'failed', { error: errors.get(slice.sliceId) });
}

function waitsFor({ stream, scope }: PlannedWalk, unread: ReadonlySet<string>): boolean {
  const { source } = stream;
  return source.kind === 'details' && unread.has(scopeKey({ stream: source.of, clientId: scope.clientId }));
}

/** Works off slices; those that take less than expected may leave room for some that had to wait. */
async function workOff(
  run: AccountRun,
  todo: readonly WaitingSlice[],
  reservations: Reservations,
): Promise<readonly WaitingSlice[]> {
  for (const { slice, walk } of todo) reservations.plan(slice.sliceId, walk.requests);
  let waiting = todo;
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length;
    waiting = await workThrough(waiting, run.config.sliceConcurrency, (one, inTurn) =>
      workOnSlice(run, one, reservations, inTurn),
    );
  }
  return waiting;
}

async function deferRest(
  { account, db, runId, state }: AccountRun,
  { waiting, until }: PhaseEnd,
): Promise<void> {
  if (waiting.length === 0) return;
  const ids = waiting.map(({ slice }) => slice.sliceId);
  await deferSlices(db, account.name, ids, runId);
  state.wait(until);
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
        // Slices that have begun are finished before the run ends with this error; no other begins.
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
    // A slice that takes more than a day is not begun.
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
    `Expected ${walk.stream.name} to fit into one day's requests of account ${account.name} (AIRANK_PER_DAY ${account.perDay}, ` +
    `less ${account.reservePercent} percent for people), got at least ${plural(walk.requests, 'request')}. It was not started, because pages ` +
    'loaded on two days would mix two states. Raise AIRANK_PER_DAY if the key allows more, lower AIRANK_RESERVE_PERCENT, ' +
    `or set streams.${walk.stream.name}.enabled: false in airank.config.yaml`
  );
}

function restText({ stream: { name } }: PlannedWalk, looksAgainAt: Date | undefined): string {
  return looksAgainAt === undefined
    ? `The pages of ${name} had no end, twice on this run date. They are loaded again on the next one, or now with: airank sync --again --streams ${name}`
    : `Too many records of ${name} are missing. It is loaded again after ${moment(looksAgainAt)}. If the records are really gone, run: airank sync --accept-vanished ${name}`;
}

/**
 * Ends the slices of clients that the list of this run date no longer has. The list itself has proved the loss
 * (src/validation/judge-loss.ts). Where clients have no identifier, none counts as gone.
 */
async function endClientsThatLeft(run: AccountRun, known: KnownClients): Promise<void> {
  const { account, db, ends, question, runId, state } = run;
  const { runDate } = question;
  const list = clientsStreamOf(question);
  if (list === undefined || known.key.length === 0 || known.withoutId > 0) return;
  const absent = await readAbsentClients(db, account.name, list.name, runDate);
  if (absent === undefined) return;
  state.absentClients = new Set(absent);
  const streams = question.streams.filter((stream) => stream.perClient).map((stream) => stream.name);
  const left = await scopesThatLeft(db, account.name, streams, known.ids, runDate);
  const told = new Set(
    state.warnings.filter(({ stream }) => stream === list.name).map((one) => one.clientId),
  );
  for (const slice of await planSlices(db, runDate, left, runId)) {
    ends.stop.throwIfAborted();
    if (isDayOver(ends)) return;
    if (await claimSlice(db, { ...slice, walk: 'left', again: true }))
      state.report(
        slice,
        'complete',
        await publish(db, { ...slice, pages: 'single', key: [], hasLeft: true }),
      );
    if (told.has(slice.clientId)) continue;
    told.add(slice.clientId);
    state.warning(
      { ...slice, stream: list.name },
      `Client ${slice.clientId} is no longer listed since ${runDate}: its records end on that date, its history stays`,
    );
  }
}

/** Returns the clients of the newest published list; undefined if nothing selected needs them. */
async function knownClients({ account, db, question, state }: AccountRun): Promise<KnownClients | undefined> {
  const stream = clientsStreamOf(question);
  if (stream === undefined) return undefined;
  const fixed = (await readFixedKeys(db, account.name)).get(stream.name)?.recordKey;
  const clients = await readClients(db, account.name, fixed, stream);
  if (clients.withoutId > 0) {
    const { key } = clients;
    const where = key.length === 0 ? '' : ` in ${keyText(key)}`;
    const error =
      `Expected every client to have an identifier${where}, got ${clients.withoutId} without one. ` +
      `The streams of these are not loaded. Set streams.${stream.name}.keys in airank.config.yaml${alikeText(clients.alike)}`;
    const scope = { stream: stream.name, account: account.name, clientId: '' };
    await failPublished(db, { ...scope, runDate: question.runDate }, error);
    state.report(scope, 'failed', { error });
  }
  return clients;
}

/** Trusts the database, not this run's memory: after a failover, the new server may lack what was stored. */
async function reportTakenBack({ account, db, question, state }: AccountRun): Promise<void> {
  const reported = state.outcomes.flatMap(({ stream, clientId, end }) =>
    end === 'complete' || end === 'unavailable' ? [{ stream, account: account.name, clientId, end }] : [],
  );
  for (const scope of await findTakenBack(db, question.runDate, reported))
    state.report(scope, 'failed', { error: takenBack });
}

const takenBack =
  'Expected the database to have what this run stored, got an older state, as after a failover to a server that had ' +
  'not received everything. Run: airank sync';

export interface AccountResult {
  readonly account: string;
  readonly outcomes: readonly SliceOutcome[];
  readonly warnings: readonly Warning[];
  readonly ended: string | undefined;
  readonly endedStatus?: number | undefined;
  readonly wrongDay?: WrongDayError['kind'] | undefined;
  readonly deferredUntil: Date | undefined;
}

/**
 * Works off the phases of a run. Called again after the database was disturbed, it goes on with what has not ended.
 * @throws only what the run as a whole cannot survive, such as a lost warehouse
 */
export async function walkAccount(run: AccountRun, facts: PlanFacts): Promise<AccountResult> {
  const { account, config, db, ends, question, runId, state } = run;
  const { runDate } = question;

  if (clientsStreamOf(question) !== undefined)
    await deferRest(run, await runPhase(run, { phase: 'clients', facts, clientIds: [] }));
  const known = await knownClients(run);
  const clientIds = question.clientIds ?? known?.ids ?? [];
  state.clientIds = new Set([...(known?.ids ?? []), ...clientIds]);
  if (known !== undefined) await endClientsThatLeft(run, known);
  const records = await runPhase(run, { phase: 'records', facts, clientIds });
  // The details of records that wait would fail.
  const unread = new Set(records.waiting.map(({ slice }) => scopeKey(slice)));
  const hasDetails = question.streams.some(({ source }) => source.kind === 'details');
  // The records just published say how many details there are.
  const now = hasDetails && state.begun.size > 0 ? await readPlanFacts(db, config, account, question) : facts;
  const details = await runPhase(run, { phase: 'details', facts: now, clientIds, unread });
  // Requests that the details did not need go to the other slices.
  const left = createReservations(() => run.remainingToday() ?? 0, 0);
  const waiting = await workOff(run, records.waiting, left);
  await lookAgain(run, left);
  await deferRest(run, {
    waiting: [...waiting, ...details.waiting],
    until: waiting.length > 0 ? records.until : details.until,
  });

  const { reason } = ends.signal;
  if (reason instanceof WrongDayError) {
    // Keeps nothing of a date that may be wrong: a planned slice would be the newest until that date came.
    if (reason.kind === 'clock') await forgetPlanned(db, account.name, runDate, runId);
    return { ...resultOf(run), ended: reason.message, endedStatus: undefined, wrongDay: reason.kind };
  }
  await abandonOlder(db, account.name, runDate, runId);
  if (!state.outcomes.some(({ end }) => end === 'complete')) {
    const refused = state.health.allRefused();
    if (refused !== undefined) state.end(refused);
  }
  await reportTakenBack(run);
  if (state.ended !== undefined) await failUnavailable(db, runId, account.name, state.ended);
  return resultOf(run);
}

function resultOf({ account, state }: AccountRun): AccountResult {
  const { outcomes, warnings, ended, endedStatus, deferredUntil } = state;
  return { account: account.name, outcomes, warnings, ended, endedStatus, deferredUntil };
}
