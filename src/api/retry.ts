// How long to wait before the same request is tried again.

const baseMs = 500;
const longestMs = 30_000;

/** Exponential back-off with full jitter; `failures` counts from 1. */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(longestMs, baseMs * 2 ** (failures - 1));
}

/** The growing, jittered addition to a server's `retryAfter`; nothing at the first refusal. */
export function refusalExtraMs(refusals: number, random: () => number = Math.random): number {
  return refusals <= 1 ? 0 : baseMs + backOffMs(refusals, random);
}

const defaultRetryAfterS = 30;
/** No limit of the service renews later than a day; more than two is a broken value. */
const longestRetryAfterS = 2 * 24 * 3_600;

/**
 * The wait a 429 asks for: `retryAfter` of the body in seconds (api-reference.md, Errors), as a number
 * or a numeric string; the header only where the body has none; 30 s where neither is usable.
 */
export function retryAfterMs(body: unknown, header: string | undefined): number {
  const field =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['retryAfter'] : undefined;
  const seconds = usableSeconds(field) ?? usableSeconds(header) ?? defaultRetryAfterS;
  return Math.min(seconds, longestRetryAfterS) * 1_000;
}

function usableSeconds(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
