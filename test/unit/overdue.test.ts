import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/jobs/define-job.ts';
import { nextRun, overdue, waitingSince, zoneOf } from '../../src/jobs/schedule/overdue.ts';
import type { JobAttempt, JobHistory } from '../../src/status/job-runs.ts';

const plain: Job = { name: 'daily', description: 'd', schedule: '15 3 * * *' };
const daily: Job = { ...plain, beginAtOnce: true };
const at = (text: string) => new Date(`2026-06-10T${text}:00Z`);
const none: JobHistory = {
  answeredUntil: undefined,
  lastSuccess: undefined,
  lastAttempt: undefined,
  failures: 0,
};

function attempt(status: JobAttempt['status'], startedAt: Date, more: Partial<JobAttempt> = {}): JobAttempt {
  const finishedAt = new Date(startedAt.getTime() + 60_000);
  const plain = { dueAt: undefined, deferredUntil: undefined, continues: false, cancelled: false };
  return { id: 1, status, startedAt, finishedAt, ...plain, ...more };
}

function historyAfter(last: JobAttempt, failures = 0): JobHistory {
  const answeredUntil = last.status === 'complete' ? (last.dueAt ?? last.startedAt) : undefined;
  return { ...none, answeredUntil, lastAttempt: last, failures };
}

const isDue = (history: JobHistory, now: Date, job: Job = daily) =>
  overdue([job], new Map([[job.name, history]]), now, 'UTC').length === 1;

describe('what is overdue', () => {
  test('is tried again at once after a failure of the time when the clock was ahead', () => {
    const ahead = new Date('2026-07-20T03:15:00Z');
    const failed = attempt('failed', ahead, { dueAt: ahead });
    expect(isDue(historyAfter(failed, 3), at('09:00'))).toBe(true);
    // A clock that is behind that of the database is another matter.
    const behind = attempt('failed', ahead, { dueAt: at('03:15') });
    expect(isDue(historyAfter(behind, 3), at('09:00'))).toBe(false);
  });

  test('a moment whose accounts go on in the queue, or that somebody cancelled, is not tried again; the next one is', () => {
    const tomorrow = new Date('2026-06-11T04:00:00Z');
    const waits = attempt('deferred', at('03:15'), {
      dueAt: at('03:15'),
      deferredUntil: at('04:00'),
      continues: true,
    });
    const cancelled = attempt('stopped', at('03:15'), { dueAt: at('03:15'), cancelled: true });
    for (const last of [waits, cancelled]) {
      expect(isDue(historyAfter(last), at('09:00'))).toBe(false);
      expect(isDue(historyAfter(last), tomorrow)).toBe(true);
    }
    expect(isDue(historyAfter({ ...waits, continues: false }), at('09:00'))).toBe(true);
    // Failed accounts are tried again, although others wait for their budget.
    expect(isDue(historyAfter({ ...waits, status: 'failed' }), at('09:00'))).toBe(true);
  });

  test('waits since the first moment without a success, however often it is due', () => {
    const since = (job: Job, history: JobHistory, now: Date) => waitingSince(job, history, now, 'UTC');
    const hourly: Job = { ...plain, schedule: '0 * * * *' };
    const answered = historyAfter(attempt('complete', at('04:00'), { dueAt: at('04:00') }));
    expect(since(hourly, answered, at('04:59'))).toBeUndefined();
    expect(since(hourly, answered, at('09:20'))).toEqual(at('05:00'));
    expect(since(hourly, { ...none, begunAt: at('06:30') }, at('09:20'))).toEqual(at('07:00'));
    // Minutes after a day's moment, the one of the day before still waits.
    const before = historyAfter(
      attempt('complete', at('03:15'), { dueAt: new Date('2026-06-08T03:15:00Z') }),
    );
    expect(since(daily, before, at('03:20'))).toEqual(new Date('2026-06-09T03:15:00Z'));
    // One that begins at once waits for a moment before it began.
    expect(since(daily, { ...none, begunAt: at('06:30') }, at('09:20'))).toEqual(at('03:15'));
  });

  test('a new job that begins at once is, at the first look', () => {
    expect(isDue(none, at('12:00'))).toBe(true);
    expect(overdue([daily], new Map(), at('12:00'), 'UTC')).toEqual([{ job: daily, dueAt: at('03:15') }]);
  });

  test.each([
    ['that syncs', plain],
    ['that makes reports', { ...plain, kind: 'report', period: 'month' } as const],
  ])('any other new job %s is not before its next moment, whenever it began', (_, job) => {
    expect(isDue(none, at('12:00'), job)).toBe(false);
    expect(nextRun(job, undefined, at('12:00'), 'UTC')).toEqual(new Date('2026-06-11T03:15:00Z'));
    const begun = { ...none, begunAt: at('12:00') };
    expect(isDue(begun, at('12:00'), job)).toBe(false);
    expect(isDue(begun, new Date('2026-06-11T05:00:00Z'), job)).toBe(true);
    const inItsMoment = { ...none, begunAt: at('03:15') };
    expect(isDue(inItsMoment, at('03:15'), job)).toBe(true);
    const failed = historyAfter(attempt('failed', at('03:15'), { dueAt: at('03:15') }), 1);
    expect(isDue(failed, at('12:00'), job)).toBe(true);
  });

  test('a success counts for its moment until the next one, even when the clocks of database and machine differ', () => {
    const early = attempt('complete', at('03:14'), { dueAt: at('03:15') });
    const history = { ...historyAfter(early), answeredUntil: at('03:15') };
    expect(isDue(history, at('03:16'))).toBe(false);
    expect(isDue(history, new Date('2026-06-11T03:14:59Z'))).toBe(false);
    expect(isDue(history, new Date('2026-06-11T03:15:00Z'))).toBe(true);
  });

  test('a run by hand after the moment counts for it; one before does not', () => {
    expect(isDue(historyAfter(attempt('complete', at('09:00'))), at('12:00'))).toBe(false);
    expect(isDue(historyAfter(attempt('complete', at('03:00'))), at('12:00'))).toBe(true);
  });

  test('moments missed while nothing ran are caught up once, for the newest one', () => {
    const old = historyAfter(attempt('complete', new Date('2026-06-01T03:15:00Z')));
    expect(overdue([daily], new Map([['daily', old]]), at('12:00'), 'UTC')).toEqual([
      { job: daily, dueAt: at('03:15') },
    ]);
  });

  test('a failed run comes again after growing pauses, and at once for a new moment', () => {
    const failed = attempt('failed', at('03:15'), { dueAt: at('03:15') });
    expect(isDue(historyAfter(failed, 1), at('03:20'))).toBe(false);
    expect(isDue(historyAfter(failed, 1), at('03:21'))).toBe(true);
    expect(isDue(historyAfter(failed, 2), at('03:25'))).toBe(false);
    expect(isDue(historyAfter(failed, 2), at('03:26'))).toBe(true);
    expect(isDue(historyAfter(failed, 9), at('04:15'))).toBe(false);
    expect(isDue(historyAfter(failed, 9), at('04:16'))).toBe(true);
    expect(isDue(historyAfter(failed, 9), new Date('2026-06-11T03:15:00Z'))).toBe(true);
  });

  test('a stopped run goes on at once, a running one is left alone', () => {
    expect(isDue(historyAfter(attempt('stopped', at('03:15'), { dueAt: at('03:15') })), at('03:17'))).toBe(
      true,
    );
    expect(isDue(historyAfter(attempt('running', at('03:15'), { dueAt: at('03:15') })), at('09:00'))).toBe(
      false,
    );
  });

  test('a deferred run goes on when the budget renews', () => {
    const deferred = attempt('deferred', at('03:15'), { dueAt: at('03:15'), deferredUntil: at('18:00') });
    expect(isDue(historyAfter(deferred), at('17:59'))).toBe(false);
    expect(isDue(historyAfter(deferred), at('18:00'))).toBe(true);
    expect(nextRun(daily, historyAfter(deferred), at('12:00'), 'UTC')).toEqual(at('18:00'));
  });

  test('a deferred run that does not say until when goes on after an hour', () => {
    const deferred = attempt('deferred', at('03:15'), { dueAt: at('03:15') });
    expect(nextRun(daily, historyAfter(deferred), at('03:30'), 'UTC')).toEqual(at('04:16'));
  });

  test('a new moment waits neither for the pause of the one before nor for what that deferred', () => {
    const hourly: Job = { ...daily, schedule: '15 * * * *' };
    const failed = attempt('failed', at('03:15'), { dueAt: at('03:15'), finishedAt: at('04:05') });
    expect(isDue(historyAfter(failed, 9), at('04:14'), hourly)).toBe(false);
    expect(isDue(historyAfter(failed, 9), at('04:15'), hourly)).toBe(true);
    const deferred = attempt('deferred', at('03:15'), { dueAt: at('03:15'), deferredUntil: at('18:00') });
    expect(isDue(historyAfter(deferred), at('04:14'), hourly)).toBe(false);
    expect(isDue(historyAfter(deferred), at('04:15'), hourly)).toBe(true);
  });

  test('a run that began before its moment, by the clock of another machine, has tried it', () => {
    const early = attempt('failed', at('03:14'), { dueAt: at('03:15') });
    expect(isDue(historyAfter(early, 1), at('03:19'))).toBe(false);
    expect(isDue(historyAfter(early, 1), at('03:20'))).toBe(true);
  });

  test('a job that runs once is due until it has succeeded', () => {
    const once: Job = { name: 'daily', description: 'd', once: true };
    expect(isDue(none, at('12:00'), once)).toBe(true);
    expect(isDue(historyAfter(attempt('failed', at('03:00')), 1), at('12:00'), once)).toBe(true);
    expect(isDue(historyAfter(attempt('complete', at('03:00'))), at('12:00'), once)).toBe(false);
    expect(nextRun(once, historyAfter(attempt('complete', at('03:00'))), at('12:00'), 'UTC')).toBeUndefined();
  });

  test('a job without a schedule never is', () => {
    expect(isDue(none, at('12:00'), { name: 'daily', description: 'd' })).toBe(false);
  });

  test('urgent jobs come first, then those that are due for longest', () => {
    const jobs: Job[] = [
      { ...daily, name: 'low', priority: 'low', schedule: '0 1 * * *' },
      { ...daily, name: 'late', schedule: '0 2 * * *' },
      { ...daily, name: 'later' },
      { ...daily, name: 'high', priority: 'high' },
    ];
    const names = (given: readonly Job[]) =>
      overdue(given, new Map(), at('12:00'), 'UTC').map((due) => due.job.name);
    expect(names(jobs)).toEqual(['high', 'late', 'later', 'low']);
    expect(names(jobs.toReversed())).toEqual(['high', 'late', 'later', 'low']);
  });

  test('a job that runs once comes before its equals, with no moment of its own', () => {
    const once: Job = { name: 'once', description: 'd', once: true };
    const due = overdue([daily, once], new Map(), at('12:00'), 'UTC');
    expect(due).toEqual([
      { job: once, dueAt: undefined },
      { job: daily, dueAt: at('03:15') },
    ]);
  });

  test('a moment is that of the zone of the job, else of the schedule', () => {
    const abroad: Job = { ...daily, timeZone: 'America/New_York' };
    expect(zoneOf(abroad, 'Europe/Madrid')).toBe('America/New_York');
    expect(zoneOf(daily, 'Europe/Madrid')).toBe('Europe/Madrid');
    const moments = overdue([daily, abroad], new Map(), at('12:00'), 'Europe/Madrid');
    expect(moments.map(({ dueAt }) => dueAt)).toEqual([at('01:15'), at('07:15')]);
  });

  test('however often it is asked, and whenever: each moment that passes is answered once', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', 'Africa/Casablanca');
    const cron = fc.constantFrom('30 2 * * *', '0 * * * *', '0 1-3 * * *', '15 3 * * sun');
    const start = fc.constantFrom('2026-03-07T12:00:00Z', '2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z');
    const gaps = fc.array(fc.integer({ min: 1, max: 240 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(zone, cron, start, gaps, (timeZone, schedule, from, minutes) => {
        const job: Job = { ...daily, name: 'j', schedule, timeZone };
        let now = new Date(from);
        let history = { ...none, answeredUntil: now };
        const answered: number[] = [];
        for (const gap of minutes) {
          const due = nextRun(job, history, now, 'UTC');
          now = new Date(now.getTime() + gap * 60_000);
          const [found] = overdue([job], new Map([['j', history]]), now, 'UTC');
          // It is due exactly when a moment lies between the last answer and now.
          expect(found !== undefined).toBe(due !== undefined && due <= now);
          if (found?.dueAt === undefined) continue;
          answered.push(found.dueAt.getTime());
          history = { ...none, answeredUntil: found.dueAt };
        }
        expect(answered).toEqual([...new Set(answered)].sort((a, b) => a - b));
      }),
    );
  });
});
