// The jobs of a plan: when each is due in the rest of the budget's day.
import { expect, test } from 'vitest';
import { dueUntil, runsADay } from '../../src/jobs/schedule/plan-jobs.ts';

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

test('counts the moments of a whole day, whatever is left of this one', () => {
  const job = { name: 'j', description: '', schedule: '0 8-20/4 * * *' };
  expect(runsADay(job, now, 'UTC')).toBe(4);
  expect(runsADay({ ...job, schedule: '15 1 * * sun' }, now, 'UTC')).toBe(0);
  expect(runsADay({ name: 'once', description: '', once: true }, now, 'UTC')).toBe(0);
});
