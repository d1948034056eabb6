// Reads what answers tell of the server's own count. The ledger in Postgres judges it (sync.note_reading), for every
// process on the key.
import type { KeyReading } from '../../core/budget.ts';

export interface RateHeaders {
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetS?: number;
}

type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>;

// A minute renews within a minute; far more is another unit (an epoch, milliseconds) and means nothing here.
const longestResetS = 120;

/**
 * Reads the three rate headers (api.md, "Limits"). A missing or garbled one reads as undefined. Header names are
 * expected in lower case, as undici gives them.
 */
export function readRateHeaders(headers: HeaderBag): RateHeaders {
  const limit = readNumber(headers['x-ratelimit-limit']);
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const resetS = readNumber(headers['x-ratelimit-reset']);
  return {
    ...(limit !== undefined && limit >= 1 && { limit: Math.floor(limit) }),
    ...(remaining !== undefined && { remaining: Math.max(0, Math.floor(remaining)) }),
    ...(resetS !== undefined && resetS >= 0 && resetS <= longestResetS && { resetS }),
  };
}

function readNumber(value: string | readonly string[] | undefined): number | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  if (text === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** If all answers say for this long that nothing remains, and none is refused, the headers count something else. */
const longestEmptyMs = 3 * 60_000;
const leastEmptyAnswers = 3;
/** A longer request tells nothing: the clock was set meanwhile. */
const longestLatencyMs = 120_000;

/** Turns the headers of one process's answers into readings for the ledger. */
export class RateReader {
  /** Requests a minute that the server allows; undefined until a header tells it. */
  limit: number | undefined;
  /** Answers in a row that said nothing remains although the request passed, and the time of the first. */
  #emptyAnswers = 0;
  #emptySinceMs = 0;

  /**
   * True while the headers only ever say that nothing remains, and no request is refused: then the ledger alone sets
   * the pace.
   */
  ignoresHeaders(nowMs: number): boolean {
    return this.#emptyAnswers >= leastEmptyAnswers && nowMs - this.#emptySinceMs >= longestEmptyMs;
  }

  refused(): void {
    this.#emptyAnswers = 0;
  }

  read(headers: RateHeaders, startedMs: number, answeredMs: number): KeyReading | undefined {
    const { limit = this.limit, remaining, resetS } = headers;
    this.limit = limit;
    if (limit === undefined || remaining === undefined || resetS === undefined) return undefined;
    if (remaining > 0) this.#emptyAnswers = 0;
    else if (this.#emptyAnswers === 0) this.#emptySinceMs = answeredMs;
    if (remaining === 0) this.#emptyAnswers += 1;
    const latencyMs = Math.max(answeredMs - startedMs, 0);
    if (this.ignoresHeaders(answeredMs) || latencyMs > longestLatencyMs) return undefined;
    return { limit, remaining, resetMs: resetS * 1_000, latencyMs };
  }
}
