import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/jobs/define-job.ts';
import { nextMoment, nextRun, overdue, waitingSince, zoneOf } from '../../src/jobs/schedule/overdue.ts';
import type { JobAttempt, JobHistory } from '../../src/status/job-runs.ts';

const plain: Job = { name: 'daily', description: 'd', schedule: '15 3 * * *' };
const daily: Job = { ...plain, beginAtOnce: true };
const at = (text: string) => new Date(`2026-06-10T${text}:00Z`);
const none = { answeredUntil: undefined, lastSuccess: undefined, lastAttempt: undefined, failures: 0 };

function attempt(status: JobAttempt['status'], startedAt: Date, more: Partial<JobAttempt> = {}): JobAttempt {
  const finishedAt = new Date(startedAt.getTime() + 60_000);
  const plain = { dueAt: undefined, deferredUntil: undefined, continues: false, cancelled: false };
  return { id: 1, status, startedAt, finishedAt, ...plain, ...more };
}

function historyAfter(last: JobAttempt, failures = 0): JobHistory {
  const answeredUntil = last.status === 'complete' ? (last.dueAt ?? last.startedAt) : undefined;
  return { ...none, answeredUntil, lastAttempt: last, failures };
}

/** The history after a run of the moment 03:15. */
const ran = (status: JobAttempt['status'], more: Partial<JobAttempt> = {}, failures = 0) =>
  historyAfter(attempt(status, at('03:15'), { dueAt: at('03:15'), ...more }), failures);

const isDue = (history: JobHistory, now: Date, job: Job = daily) =>
  overdue([job], new Map([[job.name, history]]), now, 'UTC').length === 1;

describe('what is overdue', () => {
  const ahead = attempt('failed', new Date('2026-07-20T03:15:00Z'));
  const failedAhead = (dueAt: Date) => historyAfter({ ...ahead, dueAt }, 3);
  const early = { startedAt: at('03:14') };
  const onTime = { finishedAt: at('03:15') };
  const late = { finishedAt: at('04:05') };
  const hourly: Job = { ...daily, schedule: '15 * * * *' };
  const queued = { deferredUntil: at('04:00'), continues: true };
  const spent = { deferredUntil: at('18:00') };
  const byHand = (time: string) => historyAfter(attempt('complete', at(time)));

  // Not due at the first time, due at the second one.
  test.each<[title: string, JobHistory, no: string | null, yes: string | null, Job?]>([
    ['fails ahead of the clock: again at once', failedAhead(ahead.startedAt), null, '10T09:00'],
    ['fails by a clock behind the database', failedAhead(at('03:15')), '10T09:00', null],
    ['goes on in the queue: the next one', ran('deferred', queued), '10T09:00', '11T04:00'],
    ['does not go on: at once', ran('deferred', { ...queued, continues: false }), null, '10T09:00'],
    ['failed where others wait for their budget', ran('failed', queued), null, '10T09:00'],
    ['was cancelled: the next one', ran('stopped', { cancelled: true }), '10T09:00', '11T04:00'],
    ['succeeded by a clock that is early', ran('complete', early), '11T03:14', '11T03:15'],
    ['was run by hand after the moment', byHand('09:00'), '10T12:00', null],
    ['was run by hand before it', byHand('03:00'), null, '10T12:00'],
    ['failed once: 5 minutes', ran('failed', {}, 1), '10T03:20', '10T03:21'],
    ['failed twice: 10', ran('failed', {}, 2), '10T03:25', '10T03:26'],
    ['failed often: an hour', ran('failed', {}, 9), '10T04:15', '10T04:16'],
    ['failed often, and a new moment comes', ran('failed', {}, 9), null, '11T03:15'],
    ['was stopped: at once', ran('stopped'), null, '10T03:17'],
    ['is running', ran('running'), '10T09:00', null],
    ['was deferred: when the budget renews', ran('deferred', spent), '10T17:59', '10T18:00'],
    ['failed, and comes hourly', ran('failed', late, 9), '10T04:14', '10T04:15', hourly],
    ['was deferred, and comes hourly', ran('deferred', spent), '10T04:14', '10T04:15', hourly],
    ['began before its moment', ran('failed', { ...early, ...onTime }, 1), '10T03:19', '10T03:20'],
    ['has no schedule', none, '10T12:00', null, { name: 'daily', description: 'd' }],
  ])('what %s', (_, history, no, yes, job) => {
    const dueOn = (moment: string) => isDue(history, new Date(`2026-06-${moment}:00Z`), job);
    expect([no !== null && dueOn(no), yes === null || dueOn(yes)]).toEqual([false, true]);
  });

  test('a deferred run comes when its budget renews, or after an hour where it does not say when', () => {
    const next = (more: Partial<JobAttempt>) => nextRun(daily, ran('deferred', more), at('03:30'), 'UTC');
    expect(next({ deferredUntil: at('18:00') })).toEqual(at('18:00'));
    expect(next({})).toEqual(at('04:16'));
  });

  test('waits since the first moment without a success, however often it is due', () => {
    const since = (job: Job, history: JobHistory, now: Date) => waitingSince(job, history, now, 'UTC');
    const hourly: Job = { ...plain, schedule: '0 * * * *' };
    const answered = historyAfter(attempt('complete', at('04:00'), { dueAt: at('04:00') }));
    expect(since(hourly, answered, at('04:59'))).toBeUndefined();
    expect(since(hourly, answered, at('09:20'))).toEqual(at('05:00'));
    expect(since(hourly, { ...none, begunAt: at('06:30') }, at('09:20'))).toEqual(at('07:00'));
    // Minutes after a day's moment, the one of the day before still waits.
    const dueAt = new Date('2026-06-08T03:15:00Z');
    const before = historyAfter(attempt('complete', at('03:15'), { dueAt }));
    expect(since(daily, before, at('03:20'))).toEqual(new Date('2026-06-09T03:15:00Z'));
    // One that begins at once waits for a moment before it began.
    expect(since(daily, { ...none, begunAt: at('06:30') }, at('09:20'))).toEqual(at('03:15'));
  });

  test('a new job that begins at once is, and moments missed are caught up once, for the newest one', () => {
    const old = historyAfter(attempt('complete', new Date('2026-06-01T03:15:00Z')));
    for (const histories of [new Map(), new Map([['daily', old]])])
      expect(overdue([daily], histories, at('12:00'), 'UTC')).toEqual([{ job: daily, dueAt: at('03:15') }]);
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

  test('a job that runs once is due until it has succeeded', () => {
    const once: Job = { name: 'daily', description: 'd', once: true };
    expect(isDue(none, at('12:00'), once)).toBe(true);
    expect(isDue(historyAfter(attempt('failed', at('03:00')), 1), at('12:00'), once)).toBe(true);
    expect(isDue(historyAfter(attempt('complete', at('03:00'))), at('12:00'), once)).toBe(false);
    expect(nextRun(once, historyAfter(attempt('complete', at('03:00'))), at('12:00'), 'UTC')).toBeUndefined();
  });

  test('the next moment is the soonest of all schedules, whatever ran before; none is never', () => {
    const once: Job = { name: 'once', description: 'd', once: true };
    const noon: Job = { ...daily, name: 'noon', schedule: '0 12 * * *' };
    expect(nextMoment([noon, once, daily], at('03:00'), 'UTC')).toBe(at('03:15').getTime());
    expect(nextMoment([once], at('03:00'), 'UTC')).toBe(Number.POSITIVE_INFINITY);
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
