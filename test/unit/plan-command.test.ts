// airank plan: what fits into the day, what waits, why a stream is walked as it is, and when each job is due.
import picocolors from 'picocolors';
import { describe, expect, it, test } from 'vitest';
import { explainLines, planLines } from '../../src/cli/commands/plan-command.ts';
import { dueUntil, type JobPlan, runsADay } from '../../src/jobs/schedule/plan-jobs.ts';
import { type AccountPlan, forecast } from '../../src/sync/plan/forecast.ts';
import type { PlannedWalk } from '../../src/sync/plan/plan.ts';
import { plannedWalk } from '../support/plan-facts.ts';

const now = new Date('2026-07-15T10:00:00Z');
const renews_at = '2026-07-16T00:00:00.000Z';

const turn = { withinDays: 2, highFirst: false, restOfDay: 1 };
const archives = { allFull: 1, archivesFull: 1, archivesMay: 0, fullFits: false };
const walks = [
  plannedWalk({ stream: 'airank', requests: 1, firstWalk: true }),
  plannedWalk({ stream: 'citas', requests: 1, fit: 'waits' }),
];
const figures = { perMinute: 1, remainingToday: 1, wholeDay: 1 };
const renewsAt = new Date(renews_at);
const account = { account: 'a', ...figures, renewsAt, now };
const accountPlan: AccountPlan = {
  ...forecast({ ...account, plan: { ...turn, ...archives, walks } }),
  all_done_at: renews_at,
  ...{ clients: null, not_known: null, refused_by: null },
  budget: {
    ...{ per_minute: 1, per_day: 1, reserved_for_people: 0, used_today: 0, remaining_today: 1 },
    ...{ renews_at, closed_until: null },
  },
};

const colors = picocolors.createColors(false);
const screen = { now, width: 80, timeZone: 'UTC', colors, all: false, runDate: '2026-07-15' };
const planned = (more: Partial<AccountPlan>, jobs: readonly JobPlan[] = []) =>
  planLines([{ ...accountPlan, ...more, jobs }], screen);

describe('a plan', () => {
  it('that does not fit says what goes now, what waits and until when', () => {
    expect(planned({})).toEqual([
      '! Does not fit today: 2 requests or more, 1 left for jobs',
      '',
      '  today                    1 stream: airank; 1 request',
      '  from 16 Jul 00:00 (UTC)  1 stream: citas',
      '  Everything is done by about 16 Jul 00:00 (UTC) if it starts now; every list gets its turn within 1 day.',
      '',
      '    airank sync    fetches what fits; run it again after 16 Jul 00:00 for the rest',
    ]);
  });

  it('that fits says how long it takes, and one with nothing to do that', () => {
    const clients = { count: 5, run_date: '2026-07-14' };
    const ends_at = new Date(now.getTime() + 90_000).toISOString();
    expect(planned({ deferred: 0, deferred_until: null, first_walks: 0, clients, ends_at })[0]).toBe(
      '✓ A sync of 2026-07-15 of 5 clients fits today: 2 requests, 1 left for jobs; done in about 1 min 30 s',
    );
    expect(planned({ to_do: 0, clients })).toEqual([
      '✓ 2026-07-15 of 5 clients is complete: a sync would request nothing',
      '',
    ]);
  });

  it('tells of each job when it runs and what it takes, and warns of one that eats a quarter of the day', () => {
    const counts = { slices: 9, requests: 905, first_walks: 0, not_known: null, streams: [] };
    const never = { job: 'by-hand', next: null, runs: 0, runs_a_day: 1, requests_today: 0, deferred: 0 };
    const job = { ...counts, ...never };
    const ran = { job: 'watch', next: '2026-07-15T12:00:00Z', runs: 3, runs_a_day: 4 };
    const [watch, hand] = [{ ...job, ...ran, requests_today: 60, deferred: 1 }, job];
    const budget = { ...accountPlan.budget, per_day: 5_000, reserved_for_people: 250 };
    expect(planned({ to_do: 0, budget }, [watch, hand]).slice(1)).toEqual([
      '! watch takes 3,620 of the 4,750 requests that jobs may use in a day (4 times 905). Schedule it less often, give it fewer clients, or remove it: airank init --jobs copies the built-in jobs into a folder of your own.',
      '',
      '  jobs until 16 Jul 00:00 (UTC)  next          runs  requests  lists that wait',
      '  watch                          15 Jul 12:00     3        60                1',
      '  by-hand                        by hand          0         0                0',
      '',
    ]);
  });
});

const walk = plannedWalk({
  ...{ stream: 's', clientId: '1', lastFullDate: '2026-07-14', verdict: 'full refresh due' },
  ...{ trust: { clean: 1, needed: 1, surprises: 0, leastPages: 2 }, requests: 1, fit: 'waits' },
});

describe('an explanation', () => {
  const explain = (more: Partial<PlannedWalk>) => {
    const plan = { ...turn, ...archives, withinDays: 1, walks: [{ ...walk, ...more }] };
    return explainLines(plan, 's', { fullRefreshDays: 1 }).join('\n');
  };

  it.each<[Partial<PlannedWalk>, string]>([
    [{ fit: 'waits' }, 'waits, 1 request does not fit into what remains today'],
    [{ fit: 'waits', requests: 2 }, 'waits, 2 requests do not fit into'],
    [{ fit: 'never' }, 'is not started, 1 request is more than jobs may use in a whole day.'],
    [{ fit: 'never', requests: 2 }, 'is not started, 2 requests are more than'],
    [{}, 'the last full refresh was 2026-07-14, and one is due every day'],
    [{ verdict: 'not trusted' }, '1 full refresh in a row had its changes on the first pages, 1 is needed'],
    [{ walk: 'incremental' }, 'then until a page without anything new; in full every day, last'],
  ])('of %j', (more, text) => {
    expect(explain(more)).toContain(text);
  });
});

const due = (schedule: string | undefined, next: string | undefined) =>
  dueUntil(
    { name: 'job', description: '', ...(schedule === undefined ? {} : { schedule }) },
    next === undefined ? undefined : new Date(next),
    renewsAt,
    'UTC',
  ).map(({ at }) => at.toISOString().slice(5, 16));

test('counts each moment of a schedule until the day renews, and not that one', () => {
  const moments = ['07-15T12:00', '07-15T16:00', '07-15T20:00'];
  expect(due('0 8,12,16,20 * * *', '2026-07-15T12:00:00Z')).toEqual(moments);
  expect(due('0 0 * * *', '2026-07-16T00:00:00Z')).toEqual([]);
});

test('counts a run that is due now beside the next ones, and one without a schedule once', () => {
  expect(due('0 8,20 * * *', '2026-07-15T10:00:00Z')).toEqual(['07-15T10:00', '07-15T20:00']);
  expect(due(undefined, '2026-07-15T10:00:00Z')).toEqual(['07-15T10:00']);
  expect(due(undefined, undefined)).toEqual([]);
});

test('counts the moments of a whole day, whatever is left of this one', () => {
  const job = { name: 'j', description: '', schedule: '0 8-20/4 * * *' };
  expect(runsADay(job, now, 'UTC')).toBe(4);
  expect(runsADay({ ...job, schedule: '15 1 * * sun' }, now, 'UTC')).toBe(0);
  expect(runsADay({ name: 'once', description: '', once: true }, now, 'UTC')).toBe(0);
});
