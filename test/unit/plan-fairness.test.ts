// The plan's promises: nobody starves, high priority is daily while it can be, nothing is begun in vain.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { byUrgency, fitInto, type Urgent, urgencyOf } from '../../src/sync/plan/plan.ts';

interface Slice extends Urgent {
  readonly name: number;
}

const firstDay = parseRunDate('2026-01-01') ?? expect.fail();

interface Lived {
  readonly size: number;
  readonly high?: boolean;
  /** The day from which on it is planned. Default 0. */
  readonly from?: number;
}

/** Walks what fits, day after day but those it is down; returns for each slice the days on which it was walked. */
function live(
  slices: readonly Lived[],
  wholeDay: number,
  days: number,
  isDown: (day: number) => boolean = () => false,
): number[][] {
  const walked: number[][] = slices.map(() => []);
  const tried = new Map<number, RunDate>();
  for (let day = 0; day < days; day += 1) {
    if (isDown(day)) continue;
    const runDate = addDays(firstDay, day);
    const urgent = slices.flatMap(({ size, high = false, from = 0 }, name): Slice[] => {
      const dates = { triedRunDate: tried.get(name), plannedRunDate: addDays(firstDay, from) };
      return from > day ? [] : [{ name, high, ...dates, ranOut: false, whole: size, requests: size }];
    });
    const ordered = byUrgency(urgent, urgencyOf(urgent, wholeDay), runDate);
    const fits = fitInto(ordered, { runDate, wholeDay, left: wholeDay });
    for (const [index, slice] of ordered.entries()) {
      if (fits[index] !== 'now') continue;
      tried.set(slice.name, runDate);
      walked[slice.name]?.push(day);
    }
  }
  return walked;
}

/** The longest time between two walks, from the beginning to the end. */
function longestWait(daysWalked: readonly number[], days: number): number {
  const all = [-1, ...daysWalked, days];
  return Math.max(...all.slice(1).map((day, index) => day - (all[index] ?? 0)));
}

const load = fc.record({
  wholeDay: fc.integer({ min: 20, max: 200 }),
  sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 120 }),
});

describe('with a constant load of C requests and a budget of B a day', () => {
  it('no slice waits longer than ceil(C / B) + 1 days', () => {
    fc.assert(
      fc.property(load, ({ wholeDay, sizes }) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const bound = Math.ceil(total / wholeDay) + 1;
        // Requests that fill no whole slice are lost at the end of each day, so only small slices can keep the bound.
        fc.pre(Math.max(...sizes) <= wholeDay / (bound + 1));
        const days = bound * 6;
        const slices = sizes.map((size) => ({ size }));
        for (const walked of live(slices, wholeDay, days))
          expect(longestWait(walked, days)).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 300 },
    );
  });

  it('no slice waits longer because of high priority, which is daily while the rest gets its turn', () => {
    fc.assert(
      fc.property(load, fc.nat(100), ({ wholeDay, sizes }, percent) => {
        const slices = sizes.map((size, index) => ({ size, high: index < (sizes.length * percent) / 100 }));
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const high = slices.reduce((sum, slice) => sum + (slice.high ? slice.size : 0), 0);
        const bound = Math.ceil(total / wholeDay) + 1;
        const largest = Math.max(...sizes);
        fc.pre(largest <= wholeDay / (bound + 1));
        const days = bound * 6;
        const walked = live(slices, wholeDay, days);
        for (const [index, slice] of slices.entries()) {
          // A day's rest that is smaller than the largest slice may be lost.
          const leaves = high + Math.ceil((total - high) / bound) + largest <= wholeDay;
          if (slice.high && leaves) expect(walked[index]).toHaveLength(days);
          expect(longestWait(walked[index] ?? [], days)).toBeLessThanOrEqual(bound + 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a slice that was never tried gets its turn although others are overdue every day', () => {
    const sizes = [2, 10, 6, 10, 8, 5, 8, 8];
    const slices = sizes.map((size, index) => ({ size, high: index < 4 }));
    for (const days of live(slices, 40, 18)) expect(longestWait(days, 18)).toBeLessThanOrEqual(4);
  });

  it('high priority is walked every day, and the rest gets its turn', () => {
    const slices = [...Array(150).fill({ size: 1 }), ...Array(40).fill({ size: 1, high: true })];
    const walked = live(slices, 100, 30);
    for (const days of walked.slice(150)) expect(days).toHaveLength(30);
    for (const days of walked.slice(0, 150)) expect(longestWait(days, 30)).toBeLessThanOrEqual(3);
  });

  it('high priority stays daily when many clients join after days without a run', () => {
    const join = (size: number, high: boolean, from: number) =>
      Array<Lived>(size).fill({ size: 1, high, from });
    const begun = [...join(30, true, 0), ...join(300, false, 0)];
    const slices = [...begun, ...join(30, true, 12), ...join(600, false, 12)];
    const walked = live(slices, 240, 40, (day) => day >= 4 && day < 12);
    for (const days of walked.slice(0, 30)) expect(days).toHaveLength(32);
    for (const days of walked.slice(330)) expect(days[0]).toBeLessThanOrEqual(12 + 6);
  });

  it('high priority that would starve the rest takes its turn like everything', () => {
    const slices = [...Array(90).fill({ size: 1, high: true }), ...Array(200).fill({ size: 1 })];
    for (const walked of live(slices, 100, 30)) expect(longestWait(walked, 30)).toBeLessThanOrEqual(4);
  });

  it('a slice too large for what the high priority leaves still gets its day', () => {
    const slices = [...Array(60).fill({ size: 1, high: true }), { size: 80 }, ...Array(10).fill({ size: 1 })];
    const walked = live(slices, 100, 30);
    expect(longestWait(walked[60] ?? [], 30)).toBeLessThanOrEqual(4);
  });
});

describe('what fits', () => {
  const dates = { triedRunDate: undefined, plannedRunDate: undefined };
  const slice = (requests: number): Urgent => ({
    ...{ high: false, ...dates, ranOut: false, whole: requests, requests },
  });
  const budget = { runDate: '2026-01-01', wholeDay: 100, left: 30 };

  it('a slice that cannot be finished today is not begun, and smaller ones go before it', () => {
    const fits = fitInto([slice(20), slice(40), slice(10), slice(1)], budget);
    expect(fits).toEqual(['now', 'waits', 'now', 'waits']);
  });

  it('a slice larger than a whole day never fits', () => {
    expect(fitInto([slice(101), slice(100)], budget)).toEqual(['never', 'waits']);
  });

  it('a slice that only needs publishing needs no budget', () => {
    expect(fitInto([slice(0)], { ...budget, left: 0 })).toEqual(['now']);
  });
});
