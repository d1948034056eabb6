// Full refreshes of archives: they come round although the day never has room for all of them, and where no day
// has room for one the archive is refreshed incrementally, and that is said.
import { describe, expect, it } from 'vitest';
import { parseRunDate } from '../../src/core/run-date.ts';
import { define } from '../../src/streams/define.ts';
import { forecast } from '../../src/sync/plan/forecast.ts';
import { type PlanInput, planAccount } from '../../src/sync/plan/plan.ts';
import { historyOf, planInput } from '../support/plan-facts.ts';
import { simulateDays } from '../support/simulated-days.ts';

const firstDay = parseRunDate('2026-01-01') ?? expect.fail();

it('come round, and no slice starves, when no day has room for everything', () => {
  const settled = simulateDays({
    clients: 40,
    days: 45,
    account: { perMinute: 60, perDay: 180, reservePercent: 5 },
    limits: { fullRefreshDays: 7, fullRefreshPercent: 100 },
    firstDay,
  }).slice(25);
  const turn = Math.max(...settled.map((day) => day.withinDays));
  expect(settled.some((day) => day.load > 171)).toBe(true);
  expect(settled.at(-1)?.fullAges.length).toBeGreaterThan(3);
  expect(Math.max(...settled.flatMap((day) => day.fullAges))).toBeLessThanOrEqual(7 + turn);
  expect(Math.max(...settled.flatMap((day) => day.ages))).toBeLessThanOrEqual(turn);
});

describe('an archive of more pages than a day has room for', () => {
  const citas = define({ route: 'citas', list: 'detect', shape: 'archive', description: '' });
  const airank = define({ route: 'airank', list: null, shape: 'state', description: '', priority: 'high' });
  const full = (runDate: string, pages: number) => ({
    ...{ runDate, pages, records: pages * 200, depth: 1, late: 0, keyConflicts: 0 },
  });
  function planOf(pages: number, more: Partial<PlanInput> = {}) {
    const fullRefreshes = [full('2026-05-02', pages), full('2026-05-01', pages)];
    const archive = { ...historyOf('citas', pages), records: pages * 200, fullRefreshes };
    const limits = { fullRefreshDays: 7, fullRefreshPercent: 5 };
    const budget = { runDate: '2026-07-15', wholeDay: 100, left: 100 };
    const history = [historyOf('airank', 10), archive];
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
