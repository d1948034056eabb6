// Decides what an error means for the run; nothing else does.
import { usualKeyFrom } from '../../config/config.ts';
import {
  AirankError,
  BudgetExhaustedError,
  FatalError,
  messageOf,
  RetryableError,
  SkippableError,
  UnavailableError,
  ValidationError,
  WarehouseError,
} from '../../core/errors.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { LostSliceError } from '../../store/slices/slices.ts';

// 403 and 404: more than there are streams that are walked first, because an account may have none of those.
const streamsThatEnd = { 401: 2, 403: 6, 404: 6, redirect: 2, network: 2, other: 6 } as const;

export interface AccountHealth {
  succeeded(): void;
  /** Notes that a slice failed; returns an error if that ends the whole account. */
  failed(stream: string, error: unknown): FatalError | undefined;
  /** Called at the end: returns an error if every answer was a refusal. */
  allRefused(): FatalError | undefined;
}

export function createAccountHealth(account: string, baseUrl: URL, keyFrom = usualKeyFrom): AccountHealth {
  let alive = false;
  let last: { kind: Kind; error: unknown } | undefined;
  const failed = new Map<Kind, Set<string>>();
  const ended = (kind: Kind, error: unknown) =>
    new FatalError(
      `Account ${account} was stopped: ${reason(kind, baseUrl, keyFrom)} Last answer: ${messageOf(error)}`,
      { account },
      { cause: error },
    );
  return {
    succeeded() {
      alive = true;
    },
    failed(stream, error) {
      if (alive) return undefined;
      const kind = kindOf(error);
      if (kind === undefined) return undefined;
      last = { kind, error };
      const streams = failed.get(kind) ?? new Set<string>();
      failed.set(kind, streams.add(stream));
      return streams.size < streamsThatEnd[kind] ? undefined : ended(kind, error);
    },
    allRefused() {
      if (alive || last === undefined || last.kind === 'network' || last.kind === 'other') return undefined;
      return ended(last.kind, last.error);
    },
  };
}

type Kind = keyof typeof streamsThatEnd;

function kindOf(error: unknown): Kind | undefined {
  if (error instanceof UnavailableError) {
    const { status } = error.place;
    return status === 401 || status === 403 || status === 404 ? status : 'other';
  }
  if (error instanceof ValidationError) return error.details.saysError ? 'other' : undefined;
  if (error instanceof SkippableError) {
    const { status = 0 } = error.place;
    return status >= 300 && status < 400 ? 'redirect' : undefined;
  }
  if (!(error instanceof RetryableError)) return undefined;
  return error.place.status === undefined ? 'network' : 'other';
}

function reason(kind: Kind, baseUrl: URL, keyFrom: string): string {
  switch (kind) {
    case 401:
    case 403:
      return `every route answered ${kind}, so the key is not accepted. Check ${keyFrom}.`;
    case 404:
      return `every route answered 404, so this is not the API's address. Check AIRANK_BASE_URL (${baseUrl.origin}${baseUrl.pathname}); the program adds /api/v1/ itself.`;
    case 'redirect':
      return `every route answered with a redirect, so this is not the API's address. Check AIRANK_BASE_URL (${baseUrl.origin}${baseUrl.pathname}).`;
    case 'network':
      return `nothing answers at AIRANK_BASE_URL (${baseUrl.origin}${baseUrl.pathname}).`;
    case 'other':
      return `no route gave a usable answer. Check AIRANK_BASE_URL (${baseUrl.origin}${baseUrl.pathname}), or try again later.`;
  }
}

interface Judged {
  readonly requests: number;
  readonly error: string;
  readonly status?: number | undefined;
}

type Judgement =
  /** The slice ends like this, and the run goes on. */
  | (Judged & { readonly kind: 'slice'; readonly end: 'failed' | 'unavailable' })
  /** The budget is used up: this slice and all after it wait until `until`. */
  | (Judged & { readonly kind: 'deferred'; readonly end: 'deferred'; readonly until: Date })
  | (Judged & { readonly kind: 'stopped'; readonly end: 'stopped' })
  /** Another run has the slice now; this one waits until it is done. */
  | { readonly kind: 'lost' }
  /** Unexpected: fails the slice, or the account if it comes in several streams. */
  | (Judged & { readonly kind: 'fault'; readonly end: 'failed' })
  /** The warehouse is gone, and the run with it. */
  | { readonly kind: 'abort' };

export function judge(error: unknown, signal: AbortSignal, stop: AbortSignal): Judgement {
  if (signal.aborted || (stop.aborted && error === stop.reason))
    return { kind: 'stopped', end: 'stopped', requests: 0, error: 'stopped' };
  if (error instanceof LostSliceError) return { kind: 'lost' };
  if (error instanceof WarehouseError || isDisturbance(error)) return { kind: 'abort' };
  const judged = { requests: attemptsOf(error), error: messageOf(error), status: statusOf(error) };
  if (error instanceof BudgetExhaustedError)
    return { ...judged, kind: 'deferred', end: 'deferred', until: error.until };
  if (error instanceof UnavailableError) {
    // 401 is about the key, never about the route.
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

/** Returns the requests spent by the request layer; an error from elsewhere spent none. */
function attemptsOf(error: unknown): number {
  return error instanceof AirankError ? (error.place.attempt ?? 0) : 0;
}
