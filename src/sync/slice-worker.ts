// Takes one planned slice to its end: claim, walk, publish, or whatever came between.
import type { ApiClient } from '../api/client.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { RunDate } from '../core/run-date.ts';
import type { Stream } from '../streams/stream.ts';
import type { Executor } from '../warehouse/database.ts';
import { claimSlice, countRequests, endSlice, type PlannedSlice, planSlices } from '../warehouse/slices.ts';
import type { AccountHealth } from './account-health.ts';
import type { AccountState } from './account-state.ts';
import type { Allowance } from './allowance.ts';
import { judge } from './error-policy.ts';
import type { SliceEnd, SyncListener } from './events.ts';
import type { InTurn } from './lanes.ts';
import type { PlannedWalk } from './plan.ts';
import { syncSlice } from './sync-slice.ts';

export interface SliceWorkerInput {
  readonly config: Config;
  readonly db: Executor;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly runId: number;
  readonly runDate: RunDate;
  readonly again: boolean;
  /** Added to the priority of each request. */
  readonly placesBack: number;
  readonly signal: AbortSignal;
  /** No slice is begun any more, and no page is asked for. */
  readonly stop: AbortSignal;
  readonly emit: SyncListener;
}

/** A slice and how it is to be walked. */
export interface WaitingSlice {
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
}

export interface SliceSteps {
  /** Called for each page that is stored. */
  readonly progress: () => void;
  /** Publishes when it is the slice's turn. */
  readonly inTurn: InTurn;
}

/** How long to wait before looking again at slices that another run walks. */
const pollMs = 1_000;

/**
 * `waits`: the budget has no room for it now, nothing was done.
 * Throws only what the run as a whole cannot survive. May be called again after a disturbance of the
 * database: it goes on at the checkpoint.
 */
export async function workOnSlice(
  input: SliceWorkerInput,
  state: AccountState,
  health: AccountHealth,
  { slice, walk }: WaitingSlice,
  allowance: Allowance,
  { progress, inTurn }: SliceSteps,
): Promise<'done' | 'waits'> {
  const { db, signal, stop, runId } = input;
  for (;;) {
    if (signal.aborted || stop.aborted || state.ended !== undefined) {
      state.report(slice, 'not_started');
      return 'done';
    }
    if (state.budgetEnded) return 'waits';
    // A page of it more or less is no matter where nobody knows how many there are.
    if (!allowance.begin(slice.id, walk.requests)) return 'waits';
    try {
      // What this run took once is walked again no second time: its pages are the checkpoint.
      const again = input.again && !state.begun.has(slice.id);
      if (await claimSlice(db, { sliceId: slice.id, runId, walk: walk.walk, again })) {
        state.begun.add(slice.id);
        const stored = () => {
          progress();
          allowance.page(slice.id);
        };
        const steps = { progress: stored, inTurn };
        if ((await walkAndPublish(input, state, health, { slice, walk }, steps)) === 'ended') return 'done';
        state.takenOver(slice);
      }
    } finally {
      allowance.end(slice.id);
    }
    // Another living run walks it: it is planned here too, so its end is waited for.
    const [now] = await planSlices(db, input.runDate, [slice]);
    if (now?.status === 'complete' || now?.status === 'unavailable') {
      state.report(slice, now.status, { already: true });
      return 'done';
    }
    // What another run publishes while this one waits for it is new enough.
    state.begun.add(slice.id);
    await input.clock.sleep(pollMs, stop).catch(() => undefined);
  }
}

/** `lost`: another run has taken the slice over, because this one seemed dead. */
async function walkAndPublish(
  input: SliceWorkerInput,
  state: AccountState,
  health: AccountHealth,
  { slice, walk }: WaitingSlice,
  { progress, inTurn }: SliceSteps,
): Promise<'ended' | 'lost'> {
  const { db, signal, stop } = input;
  let pages = 0;
  try {
    const published = await syncSlice({
      db,
      client: input.client,
      walk,
      slice,
      runDate: input.runDate,
      runId: input.runId,
      values: valuesOf(walk.stream, input.config),
      quietPages: input.config.walks.quietPages,
      placesBack: input.placesBack,
      inTurn,
      signal,
      stop,
      onPage: (pageNo, records) => {
        pages += 1;
        progress();
        health.succeeded();
        input.emit({ kind: 'page', scope: slice, pageNo, records });
      },
    });
    state.report(slice, 'complete', published);
  } catch (error) {
    const verdict = judge(error, signal, stop);
    if (verdict.kind === 'abort') throw error;
    if (verdict.kind === 'lost') return 'lost';
    const claim = { sliceId: slice.id, runId: input.runId };
    if (verdict.requests > 0) await countRequests(db, claim, verdict.requests);
    const fatal = health.failed(walk.stream.name, error);
    if (fatal !== undefined) state.end(fatal);
    if (verdict.kind === 'deferred') state.defer(verdict.until);
    const end = endOf(verdict.end, pages, state);
    await endSlice(db, claim, { status: end === 'stopped' ? 'planned' : end, error: verdict.error });
    state.report(slice, end, { error: verdict.error, status: verdict.status });
  }
  return 'ended';
}

type UnpublishedEnd = Exclude<SliceEnd, 'complete' | 'not_started'>;

/** A route that gave pages is not unavailable, and nothing is while the account as a whole is refused. */
function endOf(end: UnpublishedEnd, pages: number, state: AccountState): UnpublishedEnd {
  return end === 'unavailable' && (pages > 0 || state.ended !== undefined) ? 'failed' : end;
}

function valuesOf(stream: Stream, config: Config): readonly string[] {
  if (stream.source.kind === 'questions') return config.questions;
  return stream.source.kind === 'public' ? config.publicIds : [];
}
