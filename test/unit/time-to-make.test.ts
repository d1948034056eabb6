import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeToMakeMs } from '../../src/sync/run/account-load.ts';

/** When each request is made, by a world that makes one every `eachMs` and never more than the limit in 60 s. */
function simulate(requests: number, perMinute: number, eachMs: number): number[] {
  const madeMs: number[] = [];
  for (let index = 0; index < requests; index += 1) {
    const before = madeMs[index - 1] ?? 0;
    const oldest = madeMs[index - perMinute];
    madeMs.push(Math.max(before + eachMs, oldest === undefined ? 0 : oldest + 60_000));
  }
  return madeMs;
}

const given = (recentMs: number[], nowMs: number, more = {}) => ({
  requests: 100,
  perMinute: 60,
  recentMs,
  sinceMs: recentMs[0] ?? nowMs,
  nowMs,
  ...more,
});

test('nothing left takes no time, and without a request there is no pace', () => {
  expect(timeToMakeMs(given([], 0, { requests: 0 }))).toBe(0);
  expect(timeToMakeMs(given([], 0))).toBeUndefined();
  expect(timeToMakeMs(given([0, 10], 20))).toBeUndefined();
});

test('a burst of 320 a minute does not count under a limit of 60: the rest waits for its minute', () => {
  const burst = Array.from({ length: 60 }, (_, index) => index * 187.5);
  // 60 were made in 11 s; 100 more take until one, and then two minutes after the first.
  const ms = timeToMakeMs(given(burst, 11_250)) ?? 0;
  expect(ms).toBeGreaterThan(60_000 - 11_250 + 60_000);
  expect(ms).toBeLessThan(60_000 - 11_250 + 60_000 + 12_000);
});

test('where the server is slower than the limit its pace counts', () => {
  const slow = Array.from({ length: 20 }, (_, index) => index * 3_000);
  expect(timeToMakeMs(given(slow, 60_000))).toBeCloseTo(100 * 3_000, -4);
});

test('is right within a fifth, or some seconds, at every moment of a load', () => {
  const load = fc.record({
    requests: fc.integer({ min: 5, max: 900 }),
    perMinute: fc.integer({ min: 10, max: 120 }),
    eachMs: fc.integer({ min: 20, max: 4_000 }),
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
  });
  fc.assert(
    fc.property(load, ({ requests, perMinute, eachMs, share }) => {
      const madeMs = simulate(requests, perMinute, eachMs);
      const made = Math.max(Math.floor(requests * share), 4);
      const nowMs = madeMs[made - 1] ?? 0;
      const recentMs = madeMs.slice(0, made).filter((ms) => nowMs - ms < 60_000);
      const facts = { requests: requests - made, perMinute, recentMs, sinceMs: madeMs[0] ?? 0, nowMs };
      const really = (madeMs.at(-1) ?? 0) - nowMs;
      const told = timeToMakeMs(facts) ?? Number.NaN;
      expect(Math.abs(told - really)).toBeLessThanOrEqual(Math.max(really / 5, 15_000));
    }),
    { numRuns: 1_000 },
  );
});
