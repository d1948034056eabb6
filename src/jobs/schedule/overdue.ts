// Decides which jobs are due at a moment, from their schedules and the results of their runs alone. Every caller gets
// the same answer, so a missed or doubled tick does no harm.

import type { JobAttempt, JobHistory } from '../../status/job-runs.ts';
import type { Job } from '../define-job.ts';
import { type CronTimes, newestDue, nextDue, parseCron } from './cron.ts';
import { isSyncJob } from './job-shape.ts';

export interface DueJob {
  readonly job: Job;
  readonly dueAt: Date | undefined;
}

/** Pause before the first retry of a failed run; it doubles with each later one. */
export const firstRetryMs = 5 * 60_000;
const longestRetryMs = 60 * 60_000;

const noHistory: JobHistory = {
  answeredUntil: undefined,
  lastSuccess: undefined,
  lastAttempt: undefined,
  failures: 0,
};

/** Urgent jobs first, then those that are due for longest. */
export function overdue(
  jobs: readonly Job[],
  histories: ReadonlyMap<string, JobHistory>,
  now: Date,
  defaultZone: string,
): readonly DueJob[] {
  return jobs
    .flatMap((job) => {
      const history = histories.get(job.name) ?? noHistory;
      const due = unanswered(job, history, now, defaultZone);
      return due !== undefined && isTimeFor(due, history, now) ? [due] : [];
    })
    .sort((a, b) => rankOf(a.job) - rankOf(b.job) || timeOf(a.dueAt) - timeOf(b.dueAt));
}

/** The newest moment of the schedule without a success. Older ones are gone: the API shows today only. */
function unanswered(job: Job, history: JobHistory, now: Date, defaultZone: string): DueJob | undefined {
  const { answeredUntil } = history;
  if (job.once === true) return answeredUntil === undefined ? { job, dueAt: undefined } : undefined;
  const times = timesOf(job);
  const dueAt = times && newestDue(times, zoneOf(job, defaultZone), now);
  if (dueAt === undefined || (answeredUntil !== undefined && answeredUntil >= dueAt)) return undefined;
  return isBeforeBegin(job, history, dueAt) ? undefined : { job, dueAt };
}

/** The first moment since its last success that a job has not answered; undefined: it has answered all. */
export function waitingSince(
  job: Job,
  history: JobHistory,
  now: Date,
  defaultZone: string,
): Date | undefined {
  const newest = unanswered(job, history, now, defaultZone)?.dueAt;
  const answered = history.answeredUntil ?? history.begunAt;
  if (newest === undefined || answered === undefined) return newest;
  const first = nextOf(job, answered, defaultZone);
  return first !== undefined && first < newest ? first : newest;
}

/** A new job does nothing at once, unless it says so: it begins at its next moment. */
function isBeforeBegin(job: Job, { begunAt, lastAttempt }: JobHistory, dueAt: Date): boolean {
  if (isSyncJob(job) && job.beginAtOnce === true) return false;
  return begunAt === undefined ? lastAttempt === undefined : begunAt > dueAt;
}

/** When it runs next if all goes well; undefined: by hand only, or never again. */
export function nextRun(
  job: Job,
  history: JobHistory | undefined,
  now: Date,
  defaultZone: string,
): Date | undefined {
  const due = unanswered(job, history ?? noHistory, now, defaultZone);
  if (due !== undefined) return earliest(due, history ?? noHistory, now);
  return nextOf(job, now, defaultZone);
}

function nextOf(job: Job, after: Date, defaultZone: string): Date | undefined {
  const times = timesOf(job);
  return times && nextDue(times, zoneOf(job, defaultZone), after);
}

/** The time at which a schedule comes due next, whatever its job's history; Infinity: none does. */
export function nextMoment(jobs: readonly Job[], now: Date, defaultZone: string): number {
  return Math.min(...jobs.flatMap((job) => nextOf(job, now, defaultZone)?.getTime() ?? []));
}

function isTimeFor(due: DueJob, history: JobHistory, now: Date): boolean {
  const { lastAttempt } = history;
  if (lastAttempt?.status === 'running') return false;
  // The queue goes on with the accounts of this moment, or somebody has cancelled it.
  const isSettled = lastAttempt !== undefined && (lastAttempt.cancelled || isContinued(lastAttempt));
  if (isSettled && !isNewer(due, lastAttempt)) return false;
  return earliest(due, history, now) <= now;
}

/** Accounts that failed are tried again beside those that wait for their budget. */
function isContinued({ continues, status }: JobAttempt): boolean {
  return continues && status === 'deferred';
}

function isNewer({ dueAt }: Pick<DueJob, 'dueAt'>, attempt: JobAttempt): boolean {
  return (
    dueAt !== undefined && Math.max(attempt.startedAt.getTime(), timeOf(attempt.dueAt)) < dueAt.getTime()
  );
}

/** When the moment may be tried: at once, or after a pause when it was tried before. */
function earliest({ dueAt }: DueJob, { lastAttempt, failures }: JobHistory, now: Date): Date {
  if (lastAttempt === undefined) return now;
  const { status, startedAt, finishedAt = startedAt, deferredUntil } = lastAttempt;
  // A moment in the future was answered while the clock ran ahead: it does not count.
  if (timeOf(lastAttempt.dueAt) > now.getTime() || isNewer({ dueAt }, lastAttempt)) return now;
  if (status === 'deferred') return deferredUntil ?? new Date(finishedAt.getTime() + longestRetryMs);
  if (status !== 'failed') return now;
  const pauseMs = Math.min(firstRetryMs * 2 ** Math.max(failures - 1, 0), longestRetryMs);
  return new Date(finishedAt.getTime() + pauseMs);
}

/** Jobs are looked at every few minutes and never change. */
const parsed = new WeakMap<Job, CronTimes | undefined>();

function timesOf(job: Job): CronTimes | undefined {
  if (job.schedule !== undefined && !parsed.has(job)) parsed.set(job, parseCron(job.schedule).times);
  return parsed.get(job);
}

export function zoneOf(job: Job, defaultZone: string): string {
  return job.timeZone ?? defaultZone;
}

function rankOf(job: Job): number {
  return { high: 0, normal: 1, low: 2 }[job.priority ?? 'normal'];
}

function timeOf(date: Date | undefined): number {
  return date?.getTime() ?? 0;
}
