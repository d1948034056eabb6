// Full refreshes of archives: they come round although the day never has room for all of them, and where no day
// has room for one the archive is refreshed incrementally, and that is said.
import { describe, expect, it } from 'vitest';
import { addDays, parseRunDate } from '../../src/core/run-date.ts';
import type { WalkHistory } from '../../src/store/slices/walk-history.ts';
import { define } from '../../src/streams/define.ts';
import { forecast } from '../../src/sync/plan/forecast.ts';
import { type PlanInput, planAccount } from '../../src/sync/plan/plan.ts';
import { archiveOf, historyOf, planInput } from '../support/plan-facts.ts';

const sizes = [3, 4, 5, 6, 8, 9, 11, 14, 17, 20, 3, 4, 5, 6, 8, 9, 11, 14, 17, 20];
const archives = sizes.map((_, nth) =>
  define({ route: `archive/${nth}`, list: 'x', shape: 'archive', description: '' }),
);

it('come round, and no archive starves, when no day has room for everything', () => {
  const limits = { fullRefreshDays: 7, fullRefreshPercent: 100 };
  const wholeDay = 30;
  /** Run dates of the walks of each archive, of all and of full ones. */
  const walked = sizes.map(() => ({ any: [-1], full: [-1] }));
  let history = archives.map(
    ({ name }, nth) => ({ ...historyOf(name, sizes[nth] ?? 0), lastRunDate: undefined }) as WalkHistory,
  );
  const first = parseRunDate('2026-01-01') ?? expect.fail();
  const days = 60;
  for (let day = 0; day < days; day += 1) {
    const runDate = addDays(first, day);
    const budget = { runDate, wholeDay, left: wholeDay };
    const { walks } = planAccount(planInput({ streams: archives, history, limits, budget }));
    expect(
      walks.reduce((sum, { requests, fit }) => sum + (fit === 'now' ? requests : 0), 0),
    ).toBeLessThanOrEqual(wholeDay);
    history = history.map((known, nth) => {
      const walk = walks.find(({ scope, fit }) => scope.stream === known.stream && fit === 'now');
      if (walk === undefined) return known;
      walked[nth]?.any.push(day);
      const now = { ...known, lastRunDate: runDate, triedRunDate: runDate };
      if (walk.walk !== 'full') return now;
      walked[nth]?.full.push(day);
      const pages = sizes[nth] ?? 0;
      const clean = { runDate, pages, records: pages * 200, depth: 1, late: 0, keyConflicts: 0 };
      return { ...now, pages, records: clean.records, fullRefreshes: [clean, ...known.fullRefreshes] };
    });
  }
  const turn = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / wholeDay) + 1;
  const longest = (dates: readonly number[]) =>
    Math.max(...[...dates.slice(1), days].map((day, at) => day - (dates[at] ?? 0)));
  expect(Math.max(...walked.map(({ full }) => longest(full)))).toBeGreaterThan(limits.fullRefreshDays);
  for (const { any, full } of walked) {
    expect(longest(any)).toBeLessThanOrEqual(turn);
    expect(longest(full)).toBeLessThanOrEqual(limits.fullRefreshDays + turn);
  }
});

describe('an archive of more pages than a day has room for', () => {
  const citas = define({ route: 'citas', list: 'detect', shape: 'archive', description: '' });
  const airank = define({ route: 'airank', list: null, shape: 'state', description: '', priority: 'high' });
  function planOf(pages: number, more: Partial<PlanInput> = {}) {
    const limits = { fullRefreshDays: 7, fullRefreshPercent: 5 };
    const budget = { runDate: '2026-07-15', wholeDay: 100, left: 100 };
    const history = [historyOf('airank', 10), archiveOf('citas', pages, '2026-05-02')];
    return planAccount(planInput({ streams: [airank, citas], history, limits, budget, ...more }));
  }
  const walkOf = (pages: number, more: Partial<PlanInput> = {}) =>
    planOf(pages, more).walks.find(({ scope }) => scope.stream === 'citas');

  it('is refreshed in full when that is due and there is room', () => {
    expect(walkOf(90)).toMatchObject({ walk: 'full', fit: 'now', tailUnseen: false });
  });

  it('is refreshed incrementally beside streams of high priority, and the plan says that its tail is not seen', () => {
    expect(walkOf(91)).toMatchObject({ walk: 'incremental', fit: 'now', tailUnseen: true });
    const now = new Date();
    const today = { perMinute: 60, remainingToday: 100, wholeDay: 100, renewsAt: now, now };
    const figures = forecast({ account: 'a', plan: planOf(91), ...today });
    expect(figures.tails_unseen).toEqual([{ stream: 'citas', client_id: '', requests: 91 }]);
  });

  it.each([
    [100, 'full', 'waits'],
    [101, 'incremental', 'now'],
  ])('of %i pages is refreshed %s when a full refresh is asked for', (pages, walk, fit) => {
    expect(walkOf(pages, { mode: 'full' })).toMatchObject({ walk, fit });
  });
});
