// The order of the slices rule by rule; plan-fairness.test.ts lives with it for weeks.
import { describe, expect, it } from 'vitest';
import { byUrgency, fitInto, type Urgency, type Urgent, urgencyOf } from '../../src/sync/plan/plan.ts';

interface Slice extends Urgent {
  readonly name: string;
}

const runDate = '2026-07-15';

/** One request, walked yesterday, of no priority, but for what is given. */
function slice(name: string, more: Partial<Urgent> = {}): Slice {
  return {
    name,
    high: false,
    triedRunDate: '2026-07-14',
    plannedRunDate: '2026-07-01',
    ranOut: false,
    whole: 1,
    requests: 1,
    ...more,
  };
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
  it('is by what has waited longest, the never tried before all, equals as they came', () => {
    const slices = [
      slice('yesterday'),
      slice('new', { triedRunDate: undefined, plannedRunDate: undefined }),
      slice('also yesterday'),
      slice('before', { triedRunDate: '2026-07-13' }),
      slice('also new', { triedRunDate: undefined, plannedRunDate: '2026-07-14' }),
    ];
    expect(order(slices)).toEqual(['new', 'also new', 'before', 'yesterday', 'also yesterday']);
  });

  it('is high priority first, even the newest of it', () => {
    const high = slice('high', { high: true });
    expect(order([slice('rest', { triedRunDate: '2026-07-13' }), high])).toEqual(['high', 'rest']);
    expect(order([slice('new', { triedRunDate: undefined, plannedRunDate: runDate }), high])).toEqual([
      'high',
      'new',
    ]);
  });

  it('is by waiting alone where high priority would starve the rest, and high before its equals', () => {
    const starving: Urgency = { ...usual, highFirst: false };
    const slices = [
      slice('rest'),
      slice('high', { high: true }),
      slice('older', { triedRunDate: '2026-07-13' }),
    ];
    expect(order(slices, starving)).toEqual(['older', 'high', 'rest']);
  });

  it('puts what has waited too long before high priority, the longest first', () => {
    const slices = [
      slice('high', { high: true }),
      slice('two days', { triedRunDate: '2026-07-13' }),
      slice('three days', { triedRunDate: '2026-07-12' }),
      slice('four days', { triedRunDate: '2026-07-11' }),
    ];
    expect(order(slices)).toEqual(['four days', 'three days', 'high', 'two days']);
  });

  it('lets a slice that was never tried wait since it was first planned', () => {
    const never = (name: string, plannedRunDate: string | undefined) =>
      slice(name, { triedRunDate: undefined, plannedRunDate });
    const slices = [
      slice('high', { high: true }),
      never('planned today', undefined),
      never('two days', '2026-07-13'),
      never('three days', '2026-07-12'),
      slice('four days', { triedRunDate: '2026-07-11' }),
    ];
    expect(order(slices)).toEqual(['four days', 'three days', 'high', 'planned today', 'two days']);
  });

  it('goes by the last turn, not by the first plan, once there was one', () => {
    const slices = [slice('high', { high: true }), slice('long planned', { plannedRunDate: '2026-01-01' })];
    expect(order(slices)).toEqual(['high', 'long planned']);
  });

  it('puts a slice first that no day would have room for after the others', () => {
    const never = (name: string, more: Partial<Urgent>) =>
      slice(name, { triedRunDate: undefined, plannedRunDate: runDate, ...more });
    const slices = [
      slice('four days', { triedRunDate: '2026-07-11' }),
      slice('high', { high: true }),
      never('fits after', { whole: 40 }),
      never('too large', { whole: 41 }),
      never('ran out', { ranOut: true }),
    ];
    expect(order(slices)).toEqual(['too large', 'ran out', 'four days', 'high', 'fits after']);
  });

  it('lets such a slice wait its turn like others once it had one', () => {
    const slices = [
      slice('high', { high: true }),
      slice('too large', { whole: 41 }),
      slice('ran out', { ranOut: true, triedRunDate: '2026-07-13' }),
    ];
    expect(order(slices)).toEqual(['high', 'ran out', 'too large']);
  });

  it('keeps high priority before the rest among what has waited too long equally', () => {
    const old = { triedRunDate: '2026-07-10' };
    expect(order([slice('rest', old), slice('high', { ...old, high: true })])).toEqual(['high', 'rest']);
  });

  it('takes of equals the oldest full refresh first, and one that is not due last', () => {
    const slices = [
      slice('not due'),
      slice('newer', { fullSince: '2026-07-08' }),
      slice('older', { fullSince: '2026-07-07' }),
    ];
    expect(order(slices)).toEqual(['older', 'newer', 'not due']);
    // Waiting and priority count for more.
    const others = [slice('waits', { triedRunDate: '2026-07-13' }), slice('high', { high: true })];
    expect(order([...slices, ...others])).toEqual(['high', 'waits', 'older', 'newer', 'not due']);
  });

  it('leaves the given list as it is', () => {
    const slices = [slice('rest'), slice('high', { high: true })];
    order(slices);
    expect(slices.map(({ name }) => name)).toEqual(['rest', 'high']);
  });
});

describe('what fits', () => {
  it('takes the last request of the day, and no more', () => {
    const budget = { runDate, wholeDay: 10, left: 5 };
    const sized = [3, 2, 1].map((requests) => slice('s', { requests }));
    expect(fitInto(sized, budget)).toEqual(['now', 'now', 'waits']);
  });
});
