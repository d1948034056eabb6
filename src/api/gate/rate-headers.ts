// Reads the three rate headers (api.md, "Limits"). A missing or garbled one reads as undefined.

export interface RateHeaders {
  /** Requests a minute the server allows. */
  readonly limit?: number;
  /** Requests remaining in the server's current minute. */
  readonly remaining?: number;
  /** Seconds until the minute renews. */
  readonly resetS?: number;
}

type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>;

// A minute renews within a minute; far more is another unit (an epoch, milliseconds) and means nothing here.
const longestResetS = 120;

/** Header names are expected in lower case, as undici gives them. */
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
