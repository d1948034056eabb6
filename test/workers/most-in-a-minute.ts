// How many requests came in any 60 seconds. Pure.

const minuteMs = 60_000;

/** @param timesMs in any order */
export function mostInAMinute(timesMs: readonly number[]): number {
  const sorted = [...timesMs].sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, atMs] of sorted.entries()) {
    while ((sorted[first] ?? atMs) <= atMs - minuteMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
