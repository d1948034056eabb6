// The order of the slices rule by rule; plan-fairness.test.ts lives with it for weeks.
import { describe, expect, it } from 'vitest';
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
