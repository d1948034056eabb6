// What a run makes of an error: the one place where that is decided.
import {
  AirankError,
  BudgetExhaustedError,
  messageOf,
  RetryableError,
  SkippableError,
  UnavailableError,
  WarehouseError,
} from '../../core/errors.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { LostSliceError } from '../../store/slices/slices.ts';

interface Judged {
  /** Requests that were spent and led to no page. */
  readonly requests: number;
  /** For the slice's row and the summary. */
  readonly error: string;
  /** Of the answer that it is about, if one came. */
  readonly status?: number | undefined;
}

export type Judgement =
  /** The slice ends so, the run goes on. */
  | (Judged & { readonly kind: 'slice'; readonly end: 'failed' | 'unavailable' })
  /** The budget is used up: this slice and all that follow wait for `until`. */
  | (Judged & { readonly kind: 'deferred'; readonly end: 'deferred'; readonly until: Date })
  /** The user stopped the run. */
  | (Judged & { readonly kind: 'stopped'; readonly end: 'stopped' })
  /** The slice is another run's by now: its end is waited for. */
  | { readonly kind: 'lost' }
  /** Unexpected: it fails the slice, unless it comes in several streams. */
  | (Judged & { readonly kind: 'fault'; readonly end: 'failed' })
  /** The warehouse is gone: the run itself cannot go on. */
  | { readonly kind: 'abort' };

export function judge(error: unknown, signal: AbortSignal, stop: AbortSignal = signal): Judgement {
  if (signal.aborted || (stop.aborted && error === stop.reason))
    return { kind: 'stopped', end: 'stopped', requests: 0, error: 'stopped' };
  if (error instanceof LostSliceError) return { kind: 'lost' };
  if (error instanceof WarehouseError || isDisturbance(error)) return { kind: 'abort' };
  const judged = { requests: attemptsOf(error), error: messageOf(error), status: statusOf(error) };
  if (error instanceof BudgetExhaustedError)
    return { ...judged, kind: 'deferred', end: 'deferred', until: error.until };
  if (error instanceof UnavailableError) {
    // 401 is about the key and never about the route.
    return { ...judged, kind: 'slice', end: error.place.status === 401 ? 'failed' : 'unavailable' };
  }
  if (error instanceof RetryableError || error instanceof SkippableError) {
    return { ...judged, kind: 'slice', end: 'failed' };
  }
  return { ...judged, kind: 'fault', end: 'failed' };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof AirankError ? error.place.status : undefined;
}

/** What the request layer says it spent; an error from elsewhere says nothing and spent nothing. */
function attemptsOf(error: unknown): number {
  return error instanceof AirankError ? (error.place.attempt ?? 0) : 0;
}
