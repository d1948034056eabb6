// The order of the slices, rule by rule, and its promises over weeks: nobody starves, high priority is daily while it can be.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { byUrgency, fitInto, type Urgency, type Urgent, urgencyOf } from '../../src/sync/plan/plan.ts';

interface Slice extends Urgent {
  readonly name: string;
}

const runDate = '2026-07-15';

/** One request, walked yesterday, of no priority, but for what is given. */
function slice(name: string, more: Partial<Urgent> = {}): Slice {
  const dates = { triedRunDate: '2026-07-14', plannedRunDate: '2026-07-01' };
  return { name, high: false, ...dates, ranOut: false, whole: 1, requests: 1, ...more };
}

/** Nothing waits longer than three days; high priority leaves 40 requests of a day. */
const usual: Urgency = { withinDays: 3, highFirst: true, restOfDay: 40 };
const order = (slices: readonly Slice[], urgency = usual) =>
  byUrgency(slices, urgency, runDate).map(({ name }) => name);

describe('what a load means', () => {
  const load = (high: number, rest: number, wholeDay: number) =>
    urgencyOf([slice('h', { high: true, whole: high }), slice('r', { whole: rest })], wholeDay);

  it('gets its turn within the days that the load takes, and one more', () => {
    expect(load(0, 100, 100).withinDays).toBe(2);
    expect(load(0, 101, 100).withinDays).toBe(3);
    expect(load(60, 120, 100).withinDays).toBe(3);
  });

  it('lets high priority go first while the rest gets its turn in what it leaves', () => {
    expect(load(60, 120, 100)).toMatchObject({ highFirst: true, restOfDay: 40 });
    expect(load(61, 120, 100)).toMatchObject({ highFirst: false, restOfDay: 100 });
    // 121 in three days are 41 a day, not 40.
    expect(load(60, 121, 100)).toMatchObject({ highFirst: false, restOfDay: 100 });
  });

  it('counts whole walks, not the remaining requests of today', () => {
    const done = slice('done', { whole: 250, requests: 0 });
    expect(urgencyOf([done], 100)).toMatchObject({ withinDays: 4 });
  });

  it('never ends without a budget', () => {
    expect(load(0, 10, 0).withinDays).toBe(Number.POSITIVE_INFINITY);
    expect(urgencyOf([], 0).withinDays).toBe(Number.POSITIVE_INFINITY);
    expect(load(0, 10, -5).withinDays).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the order', () => {
  const high = slice('high', { high: true });
  const tried = (name: string, triedRunDate: string, more: Partial<Urgent> = {}) =>
    slice(name, { triedRunDate, ...more });
  const never = (name: string, plannedRunDate: string | undefined, more: Partial<Urgent> = {}) =>
    slice(name, { triedRunDate: undefined, plannedRunDate, ...more });
  const old = tried('two days', '2026-07-13');
  const starving: Urgency = { ...usual, highFirst: false };

  it.each<[title: string, slices: readonly Slice[], names: string, Urgency?]>([
    [
      'by what has waited longest, the never tried before all, equals as they came',
      [slice('yesterday'), never('new', undefined), slice('also'), old, never('planned', '2026-07-14')],
      'new, planned, two days, yesterday, also',
    ],
    ['high priority first', [old, high], 'high, two days'],
    ['even the newest of it', [never('new', runDate), high], 'high, new'],
    [
      'by waiting alone where high priority would starve the rest, and high before its equals',
      [slice('rest'), high, old],
      'two days, high, rest',
      starving,
    ],
    [
      'what has waited too long before high priority, the longest first',
      [high, old, tried('three days', '2026-07-12'), tried('four days', '2026-07-11')],
      'four days, three days, high, two days',
    ],
    [
      'a slice that was never tried waits since it was first planned',
      [
        ...[high, never('planned today', undefined), never('two days', '2026-07-13')],
        ...[never('three days', '2026-07-12'), tried('four days', '2026-07-11')],
      ],
      'four days, three days, high, planned today, two days',
    ],
    [
      'by the last turn, not by the first plan, once there was one',
      [high, slice('long planned', { plannedRunDate: '2026-01-01' })],
      'high, long planned',
    ],
    [
      'first what no day would have room for after the others',
      [
        ...[tried('four days', '2026-07-11'), high, never('fits after', runDate, { whole: 40 })],
        ...[never('too large', runDate, { whole: 41 }), never('ran out', runDate, { ranOut: true })],
      ],
      'too large, ran out, four days, high, fits after',
    ],
    [
      'such a slice waits its turn like others once it had one',
      [high, slice('too large', { whole: 41 }), tried('ran out', '2026-07-13', { ranOut: true })],
      'high, ran out, too large',
    ],
    [
      'high priority before the rest among what has waited too long equally',
      [tried('rest', '2026-07-10'), tried('high', '2026-07-10', { high: true })],
      'high, rest',
    ],
    [
      'of equals the oldest full refresh first, and one that is not due last; waiting and priority count for more',
      [
        ...[slice('not due'), slice('newer', { fullSince: '2026-07-08' })],
        ...[slice('older', { fullSince: '2026-07-07' }), old, high],
      ],
      'high, two days, older, newer, not due',
    ],
  ])('is %s', (_, slices, names, urgency) => {
    expect(order(slices, urgency).join(', ')).toBe(names);
  });

  it('leaves the given list as it is', () => {
    const slices = [slice('rest'), slice('high', { high: true })];
    order(slices);
    expect(slices.map(({ name }) => name)).toEqual(['rest', 'high']);
  });
});

it('what fits takes the last request of the day, and no more', () => {
  const budget = { runDate, wholeDay: 10, left: 5 };
  const sized = [3, 2, 1].map((requests) => slice('s', { requests }));
  expect(fitInto(sized, budget)).toEqual(['now', 'now', 'waits']);
});

interface Numbered extends Urgent {
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
    const urgent = slices.flatMap(({ size, high = false, from = 0 }, name): Numbered[] => {
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
