// Jobs for people and for machines.

import { stamp } from '../../core/moment.ts';
import { plural } from '../../core/plural.ts';
import type { Job } from '../../jobs/define-job.ts';
import type { JobAttempt, JobHistory } from '../../status/job-runs.ts';
import { table } from './table.ts';
import { wrap } from './wrap.ts';

export interface JobView {
  readonly job: Job;
  readonly history: JobHistory | undefined;
  /** Undefined: by hand only, or never again. */
  readonly next: Date | undefined;
}

export function jobLines(
  views: readonly JobView[],
  options: { readonly timeZone: string; readonly now: Date; readonly width: number },
): string[] {
  const { timeZone, now, width } = options;
  return [
    ...table(
      [
        ['job', 'schedule', 'next, UTC', 'last, UTC', 'streams', 'clients', 'accounts'],
        ...views.map((view) => [
          view.job.name,
          scheduleOf(view.job),
          nextOf(view, now),
          lastOf(view.history?.lastAttempt),
          ...scopeOf(view.job),
        ]),
      ],
      {
        width,
        wraps: ['last, UTC', 'streams', 'clients', 'accounts'],
        yields: ['accounts', 'clients', 'streams', 'schedule'],
      },
    ),
    '',
    ...views.flatMap(({ job }) => wrap(job.description, width, `${job.name}: `)),
    ...wrap(`Schedules are in ${timeZone} (AIRANK_TIMEZONE) where a job names no zone of its own.`, width),
  ];
}

function scheduleOf(job: Job): string {
  if (job.once === true) return 'once';
  if (job.schedule === undefined) return 'by hand';
  return job.timeZone === undefined ? job.schedule : `${job.schedule} ${job.timeZone}`;
}

function nextOf({ next }: JobView, now: Date): string {
  if (next === undefined) return '-';
  return next <= now ? 'due now' : stamp(next);
}

function lastOf(attempt: JobAttempt | undefined): string {
  return attempt === undefined
    ? 'never'
    : `${attempt.status} ${stamp(attempt.finishedAt ?? attempt.startedAt)}`;
}

function scopeOf(job: Job): string[] {
  const { accounts = 'all' } = job;
  const clients = ('clients' in job ? job.clients : undefined) ?? 'all';
  return [
    whatOf(job),
    typeof clients === 'object' && 'matching' in clients ? clients.matching : textOf(clients),
    textOf(accounts),
  ];
}

function whatOf(job: Job): string {
  if (job.kind === 'report') return `reports, by ${job.period}`;
  if (job.kind === 'push-logs') return `sends ${job.files.join(', ')}`;
  if (job.kind === 'backup') return `a backup to ${job.folder}`;
  if (job.kind === 'prune') return `prunes after ${plural(job.keepDays, 'day')}`;
  const { streams = 'all' } = job;
  return typeof streams === 'object' && 'tags' in streams
    ? `tags ${streams.tags.join(', ')}`
    : textOf(streams);
}

function textOf(names: string | readonly string[]): string {
  return typeof names === 'string' ? names : names.join(', ');
}

export function jobsJson(views: readonly JobView[], timeZone: string) {
  return {
    time_zone: timeZone,
    jobs: views.map(({ job, history, next }) => ({
      ...job,
      next: next?.toISOString() ?? null,
      last: attemptJson(history?.lastAttempt),
      last_success: attemptJson(history?.lastSuccess),
    })),
  };
}

function attemptJson(attempt: JobAttempt | undefined) {
  if (attempt === undefined) return null;
  const { id, status, startedAt, finishedAt, dueAt } = attempt;
  return {
    batch_id: id,
    status,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    due_at: dueAt?.toISOString() ?? null,
  };
}
