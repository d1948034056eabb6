// The jobs in a plan for people: when each runs next, and how the rest of the day's requests divides between them.
import type { JobPlan } from './plan-jobs.ts';
import { type Cell, count, plural, table } from './table.ts';
import { moment } from './when.ts';
import { wrap } from './wrap.ts';

export interface JobsBudget {
  readonly left_today: number;
  readonly renews_at: string;
}

export function planJobLines(
  jobs: readonly JobPlan[],
  budget: JobsBudget,
  now: Date,
  width: number,
): string[] {
  if (jobs.length === 0) return [];
  const today = jobs.reduce((sum, job) => sum + job.requests_today, 0);
  const due = jobs.filter(({ runs }) => runs > 0);
  const least = due.some((job) => job.first_walks > 0) ? 'at least ' : '';
  const waiting = due.reduce((sum, job) => sum + job.deferred, 0);
  const rest = Math.max(budget.left_today - today, 0);
  return [
    `Jobs until ${moment(budget.renews_at)}, when the day's requests renew`,
    ...table([
      ['job', 'next', 'runs', 'slices', 'a run takes', 'today', 'waits'],
      ...jobs.map((job) => jobRow(job, now)),
    ]).map((line) => `  ${line}`),
    ...wrap(
      due.length === 0
        ? 'No job is due until then.'
        : `Of the ${count(budget.left_today)} requests left for jobs they take ${least}${count(today)}; ${count(rest)} stay free.` +
            (waiting === 0 ? '' : ` ${plural(waiting, 'slice')} do not fit and come first on the next day.`) +
            ' airank plan --job NAME shows the streams of one.',
      width,
      '  ',
    ),
  ];
}

function jobRow(job: JobPlan, now: Date): Cell[] {
  const next = job.next === null ? 'by hand' : new Date(job.next) <= now ? 'due now' : moment(job.next);
  const takes =
    job.slices === 0 ? 'nothing' : `${job.first_walks > 0 ? 'at least ' : ''}${count(job.requests)}`;
  return [job.job, next, job.runs, job.slices, takes, job.requests_today, job.deferred];
}
