// Takes one planned slice to its end: claim, walk and publish, or the first error.
import { sleepUntilStopped } from '../../core/clock.ts';
import {
  AirankError,
  datesToConfirm,
  UnavailableError,
  type ValidationDetails,
  ValidationError,
  type ValidationRule,
} from '../../core/errors.ts';
import { clientPlaces } from '../../mapping/mapping-rows.ts';
import { publish } from '../../publish/publish.ts';
import { readOpenRuns } from '../../status/open-runs.ts';
import { readKnown } from '../../store/scopes/known-slice.ts';
import { endUnconfirmed, type ScopeHistory } from '../../store/scopes/scope-history.ts';
import {
  claimSlice,
  countRequests,
  endSlice,
  type PlannedSlice,
  planSlices,
} from '../../store/slices/slices.ts';
import { readStatus } from '../../store/slices/walk-history.ts';
import { isSingle } from '../../validation/bodies.ts';
import { consequenceOf } from '../../validation/rules.ts';
import type { PlannedWalk } from '../plan/plan.ts';
import type { AccountState, SliceRun } from './account-state.ts';
import { judge } from './error-policy.ts';
import type { InTurn, Reservations } from './limits.ts';
import type { SliceEnd } from './sync-options.ts';
import { syncSlice } from './sync-slice.ts';

export interface WaitingSlice {
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
  /** The reason why its first answer in this run failed validation; undefined if not asked for yet. */
  readonly unconfirmed?: string;
}

/** Interval between two looks at slices that another run walks. */
const pollMs = 1_000;

/**
 * `waits`: nothing was done, as the budget has no room now. Throws only what the run as a whole cannot survive. May be
 * called again after the database was disturbed: it goes on at the checkpoint.
 */
export async function workOnSlice(
  run: SliceRun,
  waiting: WaitingSlice,
  reservations: Reservations,
  inTurn: InTurn,
): Promise<'done' | 'waits'> {
  const { slice, walk } = waiting;
  const { db, ends, question, state } = run;
  for (;;) {
    if (ends.signal.aborted || ends.stop.aborted || state.ended !== undefined) {
      state.report(slice, 'not_started');
      return 'done';
    }
    if (state.budgetEnded) return 'waits';
    if (!reservations.begin(slice.sliceId, walk.requests)) return 'waits';
    try {
      // A slice that this run has already claimed goes on from its stored pages.
      const again = question.again && !state.begun.has(slice.sliceId);
      if (await claimSlice(db, { ...slice, walk: walk.walk, again })) {
        state.begun.add(slice.sliceId);
        state.emit({ kind: 'begun', scope: slice });
        if ((await walkAndPublish(run, waiting, reservations, inTurn)) === 'ended') return 'done';
        state.takenOver(slice);
      }
    } finally {
      reservations.end(slice.sliceId);
    }
    // Another live run walks it. It is planned here too, so this run waits for its end.
    const status = await readStatus(db, slice);
    if (status === undefined) {
      const [anew] = await planSlices(db, question.runDate, [slice], run.runId);
      if (anew === undefined) {
        // Its client was forgotten in the meantime.
        state.report(slice, 'unavailable', { already: true });
        return 'done';
      }
      reservations.plan(anew.sliceId, walk.requests);
      return await workOnSlice(run, { ...waiting, slice: anew }, reservations, inTurn);
    }
    if (status === 'complete' || status === 'unavailable') {
      state.report(slice, status, { already: true });
      return 'done';
    }
    // If another run publishes it meanwhile, that data is new enough.
    state.begun.add(slice.sliceId);
    await tellOtherRun(run, slice.account);
    await sleepUntilStopped(run.clock, pollMs, ends.stop);
  }
}

/** Minimum interval between two reports of another run. */
const atMostEveryMs = 2_000;

/** Reports the run of another process that holds a slice of this one. */
async function tellOtherRun({ clock, db, runId, state }: SliceRun, account: string): Promise<void> {
  if (clock.now() - state.lookedForOtherMs < atMostEveryMs) return;
  state.lookedForOtherMs = clock.now();
  const open = await readOpenRuns(db, account);
  const other = open.find((run) => run.is_alive && run.run_id !== runId);
  if (other !== undefined) state.emit({ kind: 'waiting', account, run: other });
}

/** `lost`: another run took the slice over, because this one seemed dead. */
async function walkAndPublish(
  run: SliceRun,
  waiting: WaitingSlice,
  reservations: Reservations,
  inTurn: InTurn,
): Promise<'ended' | 'lost'> {
  const { db, ends, state } = run;
  const { slice, walk } = waiting;
  const known = await readKnown(db, slice, {
    runDate: slice.runDate,
    samples: isSingle(walk.stream) ? singleSamples : 1,
    clientPlaces: clientPlaces(slice.stream),
  });
  let pages = 0;
  try {
    const onPage = () => {
      pages += 1;
      reservations.page(slice.sliceId);
      state.health.succeeded();
      state.emit({ kind: 'page', scope: slice });
    };
    const spare = (requests: number) => reservations.spare(slice.sliceId, requests);
    const published = await syncSlice({ run, slice, walk, known, inTurn, spare, onPage });
    if (published.failure === undefined) state.report(slice, 'complete', published);
    else state.report(slice, 'failed', { ...published, error: published.failure });
  } catch (error) {
    const verdict = judge(error, ends.signal, ends.stop);
    if (verdict.kind === 'abort') throw error;
    if (verdict.kind === 'lost') return 'lost';
    if (verdict.requests > 0) await countRequests(db, slice, verdict.requests);
    const fatal = state.health.failed(walk.stream.name, error);
    if (fatal !== undefined) state.end(fatal);
    const rule = ruleOf(error, pages);
    if (rule !== undefined && state.ended === undefined) {
      await settleUnconfirmed(run, waiting, known.history, { error, rule, text: verdict.error });
      return 'ended';
    }
    if (verdict.kind === 'fault') state.fault(slice, pages + 1, error);
    if (verdict.kind === 'deferred') state.defer(verdict.until);
    const end = endOf(verdict.end, pages, state);
    const text = verdict.kind === 'fault' ? faultText(slice, pages + 1, verdict.error) : verdict.error;
    await endSlice(db, slice, { status: end === 'stopped' ? 'planned' : end, error: text });
    state.report(slice, end, { error: text, status: verdict.status });
  }
  return 'ended';
}

/** Number of stored bodies that show what a single body always has. */
const singleSamples = 5;

/** Returns the validation rule that the answer failed; undefined for a plain failure. */
function ruleOf(error: unknown, pages: number): ValidationRule | undefined {
  if (error instanceof ValidationError) return error.details.rule;
  // 401 is about the key; and a route that gave pages exists.
  return error instanceof UnavailableError && error.place.status !== 401 && pages === 0
    ? 'refused'
    : undefined;
}

interface FailedValidation {
  readonly error: unknown;
  readonly rule: ValidationRule;
  readonly text: string;
}

/** Leaves published data alone; the slice is asked for again at the end of the phase, fails, or has no data. */
async function settleUnconfirmed(
  run: SliceRun,
  { slice, walk, unconfirmed }: WaitingSlice,
  history: ScopeHistory,
  { error, rule, text: cause }: FailedValidation,
): Promise<void> {
  const { db, state } = run;
  const status = error instanceof AirankError ? error.place.status : undefined;
  if (state.absentClients.has(slice.clientId)) {
    // The list says that the client leaves, so the answers of its routes are no failure.
    await endUnconfirmed(db, slice, { status: 'unavailable', rule, error: cause, lacking: [], found: 0 });
    return state.report(slice, 'unavailable', { error: cause, status });
  }
  const isClients = walk.phase === 'clients';
  const isLost = isClients && history.hasCurrent && (rule === 'refused' || rule === 'no_data');
  if (isLost && run.question.acceptVanished?.has(slice.stream)) return await endAllClients(run, slice);
  const text = isLost ? `${cause} ${lostText(slice)}` : cause;
  const details: Partial<ValidationDetails> = error instanceof ValidationError ? error.details : {};
  const next = consequenceOf(rule, {
    hadData: isClients ? history.hasCurrent : history.hadData,
    isClients,
    datesBefore: history.datesBefore(rule),
    isSecondLook: unconfirmed !== undefined,
    wasUnavailable: history.wasUnavailable,
  });
  const end = typeof next === 'object' ? next.end : 'failed';
  const { lacking = [], found = 0 } = details;
  const looksAgainAt = await endUnconfirmed(db, slice, { status: end, rule, error: text, lacking, found });
  if (next === 'look again') return state.lookAgain({ slice, walk, unconfirmed: text });
  if (typeof next === 'object' && next.isNews)
    state.warning(
      slice,
      `The same answer without data came on ${datesToConfirm} run dates, so it now counts as no data`,
      text,
    );
  state.report(slice, end, { error: text, status, looksAgainAt: next === 'wait' ? looksAgainAt : undefined });
}

const lostText = ({ stream, account }: PlannedSlice) =>
  'The stored clients stay as they are. If the key no longer belongs to an agency, run: ' +
  `airank sync --accept-vanished ${stream} --accounts ${account}`;

/** Ends all clients: from now on the account counts as one that has none. */
async function endAllClients({ db, state }: SliceRun, slice: PlannedSlice): Promise<void> {
  const published = await publish(db, { ...slice, pages: 'single', key: [], hasLeft: true });
  state.warning(
    slice,
    `The list of clients is gone and --accept-vanished was given: every client ends on ${slice.runDate}, its history stays`,
  );
  state.report(slice, 'complete', published);
}

function faultText({ stream, clientId }: PlannedSlice, pageNo: number, message: string): string {
  const client = clientId === '' ? '' : `, client ${clientId}`;
  return (
    `Unexpected error in ${stream}${client}, page ${pageNo}: ${message}. Published data is unchanged. ` +
    'This is a fault of airank: please report it with the log line slice.crashed'
  );
}

type UnpublishedEnd = Exclude<SliceEnd, 'complete' | 'not_started'>;

/** Unavailable becomes failed if the route gave pages, or while the whole account is refused. */
function endOf(end: UnpublishedEnd, pages: number, state: AccountState): UnpublishedEnd {
  return end === 'unavailable' && (pages > 0 || state.ended !== undefined) ? 'failed' : end;
}
