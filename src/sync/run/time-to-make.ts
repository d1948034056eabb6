// How long so many requests take under a limit a minute: at the pace that was seen, and with the waits that the limit
// demands. Pure.

export interface PaceFacts {
  readonly requests: number;
  /** The limit of any sixty seconds. */
  readonly perMinute: number;
  /** When the requests of the last minute were answered, ms, the oldest first. */
  readonly recentMs: readonly number[];
  /** When the first request of all was answered. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

const minuteMs = 60_000;
/** Fewer tell no pace. */
const leastRecent = 3;
/** Of the limit: with so much of it taken, what there was between requests was waiting. */
const nearLimit = 0.9;

/** Undefined: nothing tells the pace yet. */
export function timeToMakeMs(facts: PaceFacts): number | undefined {
  const { requests, perMinute, recentMs, nowMs } = facts;
  if (requests <= 0) return 0;
  const eachMs = paceMs(facts);
  if (eachMs === undefined) return undefined;
  // As many as the limit take a minute at least, however often that comes round.
  const rounds = Math.floor((requests - 1) / perMinute);
  const madeMs = recentMs.slice(-perMinute);
  let lastMs = nowMs;
  for (let left = requests - rounds * perMinute; left > 0; left -= 1) {
    const placeMs = (madeMs[madeMs.length - perMinute] ?? Number.NEGATIVE_INFINITY) + minuteMs;
    lastMs = Math.max(lastMs + eachMs, placeMs);
    madeMs.push(lastMs);
  }
  return lastMs - nowMs + rounds * Math.max(minuteMs, perMinute * eachMs);
}

/** Between two requests where nothing waits for the limit. */
function paceMs({ recentMs, perMinute, sinceMs, nowMs }: PaceFacts): number | undefined {
  if (recentMs.length < Math.min(leastRecent, perMinute)) return undefined;
  if (recentMs.length < nearLimit * perMinute) {
    const isFirstMinute = nowMs - sinceMs < minuteMs;
    return isFirstMinute ? (nowMs - sinceMs) / (recentMs.length - 1) : minuteMs / recentMs.length;
  }
  const gaps = recentMs.slice(1).map((ms, index) => ms - (recentMs[index] ?? ms));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? minuteMs / perMinute;
}
