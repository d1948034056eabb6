// The jobs of a plan: when each is due in the rest of the budget's day, and how that reads.
import { expect, test } from 'vitest';
import { planJobLines } from '../../src/cli/commands/plan-text.ts';
import { dueUntil, type JobPlan, runsADay } from '../../src/jobs/schedule/plan-jobs.ts';

const now = new Date('2026-07-15T10:00:00Z');
const renewsAt = new Date('2026-07-16T00:00:00Z');
const due = (schedule: string | undefined, next: string | undefined) =>
  dueUntil(
    { name: 'job', description: '', ...(schedule === undefined ? {} : { schedule }) },
    next === undefined ? undefined : new Date(next),
    renewsAt,
    'UTC',
  ).map(({ at }) => at.toISOString().slice(5, 16));

test('counts each moment of a schedule until the day renews, and not that one', () => {
  expect(due('0 8,12,16,20 * * *', '2026-07-15T12:00:00Z')).toEqual([
    '07-15T12:00',
    '07-15T16:00',
    '07-15T20:00',
  ]);
  expect(due('0 0 * * *', '2026-07-16T00:00:00Z')).toEqual([]);
});

test('counts a run that is due now beside the next ones, and one without a schedule once', () => {
  expect(due('0 8,20 * * *', '2026-07-15T10:00:00Z')).toEqual(['07-15T10:00', '07-15T20:00']);
  expect(due(undefined, '2026-07-15T10:00:00Z')).toEqual(['07-15T10:00']);
  expect(due(undefined, undefined)).toEqual([]);
});

function plan(job: string, more: Partial<JobPlan>): JobPlan {
  const counts = {
    runs: 1,
    slices: 9,
    requests: 20,
    first_walks: 0,
    requests_today: 20,
    deferred: 0,
    not_known: null,
    runs_a_day: 1,
  };
  return { job, next: '2026-07-15T12:00:00Z', ...counts, streams: [], ...more };
}

const budget = {
  per_day: 5_000,
  reserved_for_people: 250,
  remaining_today: 100,
  renews_at: renewsAt.toISOString(),
};

test('says what the jobs take of the day and what waits', () => {
  const jobs = [
    plan('daily', { next: now.toISOString(), first_walks: 2 }),
    plan('watch', { runs: 3, requests_today: 60, deferred: 1 }),
    plan('weekly', { next: '2026-07-19T01:15:00Z', runs: 0, requests_today: 0 }),
    plan('by-hand', { next: null, runs: 0, slices: 0, requests: 0, requests_today: 0 }),
  ];
  expect(planJobLines(jobs, budget, now, 200)).toEqual([
    "Jobs until 2026-07-16 00:00 UTC, when the day's requests renew",
    '  job      next, UTC         runs  slices  a run takes  today  waits',
    '  daily    due now              1       9  at least 20     20      0',
    '  watch    2026-07-15 12:00     3       9  20              60      1',
    '  weekly   2026-07-19 01:15     0       9  20               0      0',
    '  by-hand  by hand              0       0  nothing          0      0',
    '  They take at least 80 of the 100 requests remaining for jobs; 20 stay free. 1 slice does not fit and comes first on the next day. airank plan --job NAME shows the streams of one.',
  ]);
});

test('before a first sync it says what each client adds, and not how much of the day is left', () => {
  const not_known = { requests: 3, a_client: ['airank', 'visibility'], a_record: [] };
  const lines = planJobLines([plan('watch', { first_walks: 3, not_known })], budget, now, 100);
  expect(lines.slice(2)).toEqual([
    '  watch  2026-07-15 12:00     1       9  3 + 2 a client  not known      0',
    '  How many of the 100 requests remaining for jobs they take is known after the first sync.',
    '  airank plan --job NAME shows the streams of one.',
  ]);
});

test('warns of a job that comes round within the day and eats a quarter of it', () => {
  const watch = { requests: 905, runs_a_day: 4, runs: 2, requests_today: 50 };
  const lines = (...jobs: readonly JobPlan[]) =>
    planJobLines(jobs, budget, now, 80).filter((line) => line.startsWith('! '));
  expect(lines(plan('rank-watch', watch))).toEqual([
    '! rank-watch takes 3,620 of the 4,750 requests that jobs have on a day, 905 each',
  ]);
  expect(lines(plan('rank-watch', { ...watch, requests: 296 }))).toEqual([]);
  expect(lines(plan('daily', { requests: 4_000 }))).toEqual([]);
});

test('counts the moments of a whole day, whatever is left of this one', () => {
  const job = { name: 'j', description: '', schedule: '0 8-20/4 * * *' };
  expect(runsADay(job, now, 'UTC')).toBe(4);
  expect(runsADay({ ...job, schedule: '15 1 * * sun' }, now, 'UTC')).toBe(0);
  expect(runsADay({ name: 'once', description: '', once: true }, now, 'UTC')).toBe(0);
});

test('says nothing of jobs where there are none', () => {
  expect(planJobLines([], budget, now, 100)).toEqual([]);
});
