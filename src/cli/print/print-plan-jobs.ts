// The jobs in a plan for people: when each runs next, and how the rest of the day's requests divides between them.

import { moment, stamp } from '../../core/moment.ts';
import { count, plural } from '../../core/plural.ts';
import { eatsTheDay, type JobPlan } from '../../jobs/schedule/plan-jobs.ts';
import { knownText } from './print-plan.ts';
import { type Cell, table } from './table.ts';
import { wrap } from './wrap.ts';

export interface JobsBudget {
  readonly per_day: number;
  readonly reserved_for_people: number;
  readonly remaining_today: number;
  readonly renews_at: string;
}

export function planJobLines(
  jobs: readonly JobPlan[],
  budget: JobsBudget,
  now: Date,
  width: number,
): string[] {
  if (jobs.length === 0) return [];
  return [
    ...wrap(`Jobs until ${moment(budget.renews_at)}, when the day's requests renew`, width),
    ...table(
      [
        ['job', 'next, UTC', 'runs', 'slices', 'a run takes', 'today', 'waits'],
        ...jobs.map((job) => jobRow(job, now)),
      ],
      { width, indent: '  ', wraps: ['a run takes'], yields: ['slices', 'runs'] },
    ),
    ...wrap(`${verdict(jobs, budget)} airank plan --job NAME shows the streams of one.`, width, '  '),
    ...jobs.flatMap((job) => {
      const hungry = hungryText(job, budget.per_day - budget.reserved_for_people);
      return hungry === undefined ? [] : wrap(`${hungry.text}. ${hungry.fix}`, width, '! ');
    }),
  ];
}

/** What a job takes that leaves too little of each day to the others, and what to do. Undefined: it does not. */
export function hungryText(
  { job, requests, runs_a_day: runs }: JobPlan,
  wholeDay: number,
): { readonly text: string; readonly fix: string } | undefined {
  if (!eatsTheDay(requests, runs, wholeDay)) return undefined;
  return {
    text: `${job} takes ${count(requests * runs)} of the ${plural(wholeDay, 'request')} that jobs have on a day, ${count(requests)} each of ${runs} times`,
    fix: 'Give it fewer moments or clients, or leave it out: airank init --jobs writes the jobs that come along into a folder of yours.',
  };
}

function verdict(jobs: readonly JobPlan[], { remaining_today: left }: JobsBudget): string {
  const due = jobs.filter(({ runs }) => runs > 0);
  if (due.length === 0) return 'No job is due until then.';
  if (due.some((job) => job.not_known !== null))
    return `How many of the ${plural(left, 'request')} remaining for jobs they take is known after the first sync.`;
  const today = due.reduce((sum, job) => sum + job.requests_today, 0);
  const waiting = due.reduce((sum, job) => sum + job.deferred, 0);
  const waits = `${plural(waiting, 'slice')} ${waiting === 1 ? 'does' : 'do'} not fit and ${waiting === 1 ? 'comes' : 'come'} first on the next day.`;
  if (waiting > 0 && today === 0) return `No requests of the day remain for them: ${waits}`;
  const least = due.some((job) => job.first_walks > 0) ? 'at least ' : '';
  return (
    `They take ${least}${count(today)} of the ${plural(left, 'request')} remaining for jobs; ${count(Math.max(left - today, 0))} stay free.` +
    (waiting > 0 ? ` ${waits}` : '')
  );
}

function jobRow(job: JobPlan, now: Date): Cell[] {
  const next = job.next === null ? 'by hand' : new Date(job.next) <= now ? 'due now' : stamp(job.next);
  const takes =
    job.not_known !== null
      ? knownText(job.not_known)
      : job.slices === 0
        ? 'nothing'
        : `${job.first_walks > 0 ? 'at least ' : ''}${count(job.requests)}`;
  const today = job.not_known === null ? job.requests_today : 'not known';
  return [job.job, next, job.runs, job.slices, takes, today, job.deferred];
}
