// The list of ready views is read again after minutes, and not by every chart.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Executor } from '../../src/db/database.ts';
import { knownReadiness } from '../../src/reporting/dashboard/read/read-overview.ts';
import type { Readiness, readReadiness } from '../../src/status/view-readiness.ts';

const reading = vi.fn<typeof readReadiness>();
const found: Readiness = { count: 1, with_rows: 1, lacking: [] };
const db = {} as Executor;

beforeEach(() => {
  vi.useFakeTimers();
  reading.mockReset();
});

afterEach(() => {
  vi.useRealTimers();
});

it('is read once by all who ask at the same time, and again after three minutes', async () => {
  reading.mockResolvedValue(found);
  const known = knownReadiness(db, () => undefined, reading);
  expect(await Promise.all([known.wait(), known.wait()])).toEqual([found, found]);
  expect(known.now()).toBe(found);
  expect(reading).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(180_001);
  expect(known.now()).toBe(found);
  expect(reading).toHaveBeenCalledTimes(2);
});

it('that failed is not read again before three minutes', async () => {
  reading.mockRejectedValue(new Error('canceled'));
  const onFailure = vi.fn();
  const known = knownReadiness(db, onFailure, reading);
  expect([await known.wait(), await known.wait(), known.now()]).toEqual([undefined, undefined, undefined]);
  expect(reading).toHaveBeenCalledTimes(1);
  expect(onFailure).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(180_001);
  reading.mockResolvedValue(found);
  expect(await known.wait()).toBe(found);
});
