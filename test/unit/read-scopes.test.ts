import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFine, judgeScope, type ScopeFacts } from '../../src/status/read-scopes.ts';

const rule = { today: '2026-07-15', mayBeDays: 2 };
type Slice = NonNullable<ScopeFacts['slice']>;

function judge(slice: Partial<Slice> | undefined, more: Partial<ScopeFacts> = {}, mayBeDays = 2) {
  const base = { runDate: rule.today, status: 'complete', isTried: true, isNewest: true } as const;
  const facts = { published: undefined, plannedSince: undefined, isRunning: false, ...more };
  const judged = slice === undefined ? undefined : { ...base, ...slice };
  return judgeScope({ ...facts, slice: judged }, { ...rule, mayBeDays });
}

describe('a slice that is fine', () => {
  test.each([
    ['complete today', { status: 'complete' }, { published: '2026-07-15' }, 'complete'],
    ['complete two days ago', { runDate: '2026-07-13' }, { published: '2026-07-13' }, 'complete'],
    ['not available', { status: 'unavailable' }, {}, 'unavailable'],
    ['walked by a living run', { status: 'walking' }, { isRunning: true }, 'running'],
    ['planned by a living run', { status: 'planned', isTried: false }, { isRunning: true }, 'running'],
    ['failed before, asked again now', { status: 'failed' }, { isRunning: true }, 'running'],
  ] as const)('%s', (_, slice, more, state) => {
    expect(judge(slice, more)).toBe(state);
    expect(isFine(state)).toBe(true);
  });

  test('a stream that a run comes to for the first time', () => {
    expect(judge(undefined, { isRunning: true })).toBe('running');
    expect(judge(undefined)).toBe('never_synced');
  });
});

const yesterday = { status: 'failed', runDate: '2026-07-14' } as const;
const cutOff = { ...yesterday, isTried: false, isNewest: false };
test.each([
  ['failed today', { status: 'failed' }, { published: '2026-07-14' }, 'failed'],
  ['failed yesterday, and not asked since', { ...yesterday, isNewest: false }, {}, 'failed'],
  ['too large to begin', { status: 'failed', isTried: false }, {}, 'failed'],
  ['planned, and nobody works on it', { status: 'planned', isTried: false }, {}, 'unfinished'],
  ['walked by a run that died', { status: 'walking' }, { published: '2026-07-14' }, 'unfinished'],
  ['complete three days ago', { runDate: '2026-07-12' }, { published: '2026-07-12' }, 'stale'],
  ['not available three days ago', { status: 'unavailable', runDate: '2026-07-12' }, {}, 'stale'],
  ['waiting for requests, two days old', { status: 'deferred' }, { published: '2026-07-13' }, 'deferred'],
  ['cut off yesterday, before another stream began', cutOff, { published: '2026-07-13' }, 'deferred'],
  ['waiting for requests for three days', { status: 'deferred' }, { published: '2026-07-12' }, 'stale'],
  ['waiting since three days, in vain', { status: 'deferred' }, { plannedSince: '2026-07-12' }, 'stale'],
  ['of a run date to come', { runDate: '2026-07-16' }, { published: '2026-07-16' }, 'future'],
  ['published for a date to come, planned today', {}, { published: '2026-07-20' }, 'future'],
] as const)('a slice that is not fine: %s', (_, slice, more, state) => {
  expect(judge(slice, more)).toBe(state);
  expect(isFine(state)).toBe(false);
});

test('where the budget comes round in five days, five days old waits, six are stale', () => {
  expect(judge({ status: 'deferred' }, { published: '2026-07-10' }, 5)).toBe('deferred');
  expect(judge({ status: 'deferred' }, { published: '2026-07-09' }, 5)).toBe('stale');
});

test('whatever is known, fine never means that nothing young enough is there and nobody works on it', () => {
  const date = fc.constantFrom('2026-07-09', '2026-07-13', '2026-07-14', '2026-07-15', '2026-07-17');
  const maybe = fc.option(date, { nil: undefined });
  const slice = fc.record({
    runDate: date,
    status: fc.constantFrom('planned', 'walking', 'complete', 'failed', 'deferred', 'unavailable' as const),
    isTried: fc.boolean(),
    isNewest: fc.boolean(),
  });
  const facts = fc.record({
    slice: fc.option(slice, { nil: undefined }),
    published: maybe,
    plannedSince: maybe,
    isRunning: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (given) => {
      const { slice: one, published, plannedSince } = given;
      // Nothing is published without a slice, and it is planned since the first of them.
      const isNothing = published === undefined && plannedSince === undefined;
      fc.pre(one === undefined ? isNothing : (plannedSince ?? one.runDate) <= one.runDate);
      if (!isFine(judgeScope(given, rule))) return;
      const isEnd = one?.status === 'complete' || one?.status === 'unavailable';
      const young = (isEnd ? one.runDate : (published ?? plannedSince ?? one?.runDate)) ?? rule.today;
      expect(young >= '2026-07-13' && young <= rule.today).toBe(true);
      expect(isEnd || given.isRunning).toBe(true);
    }),
    { numRuns: 500 },
  );
});
