// The tables of airank jobs: what a narrow terminal still says.
import { expect, test } from 'vitest';
import dailySnapshot from '../../jobs/daily-snapshot.ts';
import historyBackfill from '../../jobs/history-backfill.ts';
import rankWatch from '../../jobs/rank-watch.ts';
import weeklyFullRefresh from '../../jobs/weekly-full-refresh.ts';
import { batchLines, jobLines, workerLines } from '../../src/cli/commands/jobs-command.ts';

const jobs = [dailySnapshot, historyBackfill, rankWatch, weeklyFullRefresh];
const ended = new Date('2026-11-22T21:10:00Z');
const lastAttempt = {
  ...({ id: 1, status: 'complete', startedAt: ended, finishedAt: ended, dueAt: undefined } as const),
  ...{ deferredUntil: undefined, continues: false, cancelled: false },
};
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
  expect(jobLines(views, { timeZone: 'UTC', now: ended, width: 60 })[0]).toBe(
    'job                  next          last',
  );
});

const lookedAt = new Date('2026-11-22T21:09:00Z');
const batch = {
  ...{ id: 4, job: 'daily-snapshot', started_at: new Date('2026-11-22T21:00:00Z'), due_at: null },
  ...{ accounts: 2, waiting: 2, running: 0, deferred: 0, done: 0, failed: 0 },
  ...{ slowest: null, slowest_since: null, oldest_due: null },
};

test('below its batch stands with which accounts workers died, how often, and until when they wait', () => {
  const deaths = [
    { account: 'north', deaths: 3, next_attempt_at: '2026-11-22T21:13:30Z' },
    { account: 'south', deaths: 1, next_attempt_at: '2026-11-22T21:08:00Z' },
  ];
  const options = { timeZone: 'UTC', now: lookedAt, width: 200 };
  expect(batchLines([{ ...batch, deaths }], options).slice(2)).toEqual([
    'Batch 4, north: its worker died 3 times in a row. It starts again at 22 Nov 21:13 (UTC)',
    'Batch 4, south: its worker died once',
  ]);
});

const worker = {
  id: 1,
  host: 'vm',
  pid: 71,
  version: '0.2.0',
  kinds: ['sync', 'report', 'backup'],
  accounts_at_once: 2,
  state: 'working',
  waits_for: null,
  started_at: new Date('2026-11-22T21:09:00Z'),
  accounts: ['agency-number-3', 'agency-number-5'],
  ended: 12,
} as const;

test('80 columns still say who is worked on: when a worker began and what it ended go first', () => {
  expect(workerLines([worker], { timeZone: 'UTC', width: 80 })).toEqual([
    'worker  host, pid  takes                 state    works on  accounts',
    '     1  vm 71      sync, report, backup  working  2 of 2    agency-number-3,',
    '                                                            agency-number-5',
  ]);
});
