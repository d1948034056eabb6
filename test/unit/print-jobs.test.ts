import { expect, test } from 'vitest';
import dailySnapshot from '../../jobs/daily-snapshot.ts';
import historyBackfill from '../../jobs/history-backfill.ts';
import rankWatch from '../../jobs/rank-watch.ts';
import weeklyFullRefresh from '../../jobs/weekly-full-refresh.ts';
import { jobLines } from '../../src/cli/commands/jobs-command.ts';

const jobs = [dailySnapshot, historyBackfill, rankWatch, weeklyFullRefresh];
const ended = new Date('2026-11-22T21:10:00Z');
const lastAttempt = {
  id: 1,
  status: 'complete',
  startedAt: ended,
  finishedAt: ended,
  dueAt: undefined,
  deferredUntil: undefined,
  continues: false,
  cancelled: false,
} as const;
const history = { answeredUntil: ended, lastSuccess: lastAttempt, lastAttempt, failures: 0 };
const next = new Date('2026-11-23T03:15:00Z');

test('80 columns hold the jobs that come along on a line each, with their next and last runs', () => {
  const views = jobs.map((job) => ({ job, history, next }));
  const lines = jobLines(views, { timeZone: 'UTC', now: ended, width: 80 });
  expect(lines.slice(0, 5)).toEqual([
    'job                  schedule        next          last',
    'daily-snapshot       15 3 * * *      23 Nov 03:15  complete 22 Nov 21:10',
    'history-backfill     once            23 Nov 03:15  complete 22 Nov 21:10',
    'rank-watch           0 8-20/4 * * *  23 Nov 03:15  complete 22 Nov 21:10',
    'weekly-full-refresh  15 1 * * sun    23 Nov 03:15  complete 22 Nov 21:10',
  ]);
});

test('60 columns leave schedules out before one is broken', () => {
  const views = jobs.map((job) => ({ job, history, next }));
  const lines = jobLines(views, { timeZone: 'UTC', now: ended, width: 60 });
  expect(lines.slice(0, 2)).toEqual([
    'job                  next          last',
    'daily-snapshot       23 Nov 03:15  complete 22 Nov 21:10',
  ]);
});
