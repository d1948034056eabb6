// How long to wait before the same request is tried again, and what a refusal of the server means.
import { isObject } from '../core/json.ts';

const baseMs = 500;
const longestMs = 30_000;

/** Exponential back-off with full jitter; `failures` counts from 1. */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(longestMs, baseMs * 2 ** (failures - 1));
}

/** Returns the jittered addition to the wait after a refusal: none at the first, then growing. */
export function refusalExtraMs(refusals: number, random: () => number = Math.random): number {
  return refusals <= 1 ? 0 : baseMs + backOffMs(refusals, random);
}

/** Wait when a 429 names none (api.md, "Errors"). */
const defaultWaitMs = 30_000;
/** A run waits this long at most; a longer wait is about the day. */
const longestWaitMs = 15 * 60_000;
/** No limit of the service renews later than in a day, so a longer value is broken. */
const longestRetryAfterS = 25 * 3_600;
/** After this many refusals of one request, the key is closed. */
const mostRefusals = 6;
const pauseMs = 3_600_000;

/**
 * The wait a 429 asks for: `retryAfter` of the body in seconds, as a number or a numeric string, else of
 * the header. Undefined where neither is one that a limit of the service can have.
 */
export function retryAfterMs(body: unknown, header: string | undefined): number | undefined {
  const field = isObject(body) ? body['retryAfter'] : undefined;
  const seconds = plausibleSeconds(field) ?? plausibleSeconds(header);
  return seconds === undefined ? undefined : seconds * 1_000;
}

function plausibleSeconds(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const seconds = Number(value);
  return seconds >= 0 && seconds <= longestRetryAfterS ? seconds : undefined;
}

export interface RefusalStep {
  /**
   * `minute`: the run waits; `day`: the server closed the key, which ends the account's day; `pause`: the
   * key is paused for an hour, because waiting did not help.
   */
  readonly kind: 'minute' | 'day' | 'pause';
  readonly waitMs: number;
}

/** Decides what follows a refusal. `asked` comes from `retryAfterMs`; `refusals` counts this request's, from 1. */
export function afterRefusal(asked: number | undefined, refusals: number): RefusalStep {
  if (asked !== undefined && asked > longestWaitMs) return { kind: 'day', waitMs: asked };
  if (refusals >= mostRefusals) return { kind: 'pause', waitMs: pauseMs };
  return { kind: 'minute', waitMs: asked ?? defaultWaitMs * 2 ** (refusals - 1) };
}
