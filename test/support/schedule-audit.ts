// What became of every moment of every schedule in a simulated month, by a definition of the moments that
// shares no code with the product.
import type { Job } from '../../src/jobs/define-job.ts';
import { downtimes, type Incident, minutesOf, monthStart, timeZone } from './schedule-month.ts';
import type { SchedulerWorld } from './scheduler-world.ts';

export interface JobAudit {
  readonly job: Job;
  readonly moments: readonly number[];
  readonly successes: number;
  /** While nothing could run; the next moment's run took their place. */
  readonly excused: readonly number[];
  readonly missed: readonly number[];
  readonly doubled: readonly number[];
  /** Answered though no clock showed them. */
  readonly invented: readonly number[];
}

/** The last hour may still be running when the month ends. */
const lastMoment = '2026-04-13T23:00Z';

export function auditJob(job: Job, world: SchedulerWorld): JobAudit {
  const done = world.runs.filter((run) => run.job === job.name && run.status === 'complete');
  if (job.once === true) {
    const more = done.slice(1).map((run) => run.startedAt.getTime());
    const missed = done.length === 0 ? [Date.parse(monthStart)] : [];
    const moments = [Date.parse(monthStart)];
    return { job, moments, successes: done.length, excused: [], missed, doubled: more, invented: [] };
  }
  const answered = done.map((run) => run.dueAt?.getTime() ?? 0);
  const moments = momentsOf(job, monthStart, lastMoment);
  const unanswered = moments.filter((moment) => !answered.includes(moment));
  const excused = unanswered.filter((moment) => isExcused(job, moment, moments));
  const inMonth = (ms: number) => ms >= Date.parse(monthStart) && ms < Date.parse(lastMoment);
  return {
    job,
    moments,
    successes: done.length,
    excused,
    missed: unanswered.filter((moment) => !excused.includes(moment)),
    doubled: answered.filter((moment, index) => answered.indexOf(moment) !== index),
    invented: answered.filter((moment) => inMonth(moment) && !moments.includes(moment)),
  };
}

/** It lies in a downtime that lasted until its next moment was near: that one took its place. */
function isExcused(job: Job, moment: number, moments: readonly number[]): boolean {
  const next = moments.find((other) => other > moment) ?? Number.POSITIVE_INFINITY;
  const runMs = minutesOf(job.name) * 60_000;
  // A run that fails is tried again after an hour at the latest.
  const lateMs = runMs + 61 * 60_000;
  return Object.values(downtimes).some(
    ({ from, to }) =>
      moment >= Date.parse(from) - runMs && moment <= Date.parse(to) && next <= Date.parse(to) + lateMs,
  );
}

/** Runs of one job that were at work at the same time. */
export function overlaps(world: SchedulerWorld): readonly string[] {
  return world.runs.flatMap((run) => {
    const endMs = run.finishedAt?.getTime() ?? run.startedAt.getTime();
    return world.runs
      .filter((other) => other.job === run.job && other.id > run.id && other.startedAt.getTime() < endMs)
      .map((other) => `${run.job}: run ${other.id} began before run ${run.id} had ended`);
  });
}

/** Every moment by looking at each minute of the clock on the wall: a definition of its own. */
export function momentsOf(job: Job, from: string, to: string): number[] {
  if (job.schedule === undefined) return [];
  const zone = job.timeZone ?? timeZone;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const shows = (ms: number) => format.format(ms);
  const [minute, hours, , , weekday] = job.schedule.split(' ');
  const fits = (wall: string) =>
    Number(wall.slice(14)) === Number(minute) &&
    hoursOf(hours ?? '').includes(Number(wall.slice(11, 13))) &&
    (weekday === '*' || new Date(`${wall.slice(0, 10)}T00:00Z`).getUTCDay() === 0);
  const found: number[] = [];
  const seen = new Set<string>();
  const stepMs = 5 * 60_000;
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += stepMs) {
    const wall = shows(ms);
    const skipped = (Date.parse(`${wall}Z`) - Date.parse(`${shows(ms - stepMs)}Z`) - stepMs) / 60_000;
    for (let ago = skipped; ago > 0; ago -= 5) {
      // What the clocks skip comes as much later.
      const missing = new Date(Date.parse(`${wall}Z`) - ago * 60_000)
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ');
      if (fits(missing)) found.push(ms + (skipped - ago) * 60_000);
    }
    if (fits(wall) && !seen.has(wall)) found.push(ms);
    seen.add(wall);
  }
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Of `*`, `8,12` and `8-20/4`. */
function hoursOf(text: string): number[] {
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  if (text === '*') return all;
  const [from, to, step] = text.split(/[-/]/).map(Number);
  if (from === undefined || to === undefined || step === undefined) return text.split(',').map(Number);
  return all.filter((hour) => hour >= from && hour <= to && (hour - from) % step === 0);
}

/** Successes of each job by the day of its schedule, with what happened on the day. */
export function monthTable(
  jobs: readonly Job[],
  world: SchedulerWorld,
  incidents: readonly Incident[],
): string[] {
  const days = new Map<string, Map<string, number>>();
  for (const run of world.runs) {
    if (run.status !== 'complete') continue;
    const zone = jobs.find((job) => job.name === run.job)?.timeZone ?? timeZone;
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(run.dueAt ?? run.startedAt);
    const row = days.get(day) ?? new Map<string, number>();
    days.set(day, row.set(run.job, (row.get(run.job) ?? 0) + 1));
  }
  const names = jobs.map((job) => job.name);
  return [
    ['day       ', ...names, 'what happened (UTC)'].join('  '),
    ...[...days].sort().map(([day, row]) => {
      const cells = names.map((name) => String(row.get(name) ?? '.').padStart(name.length));
      const away = Object.values(downtimes).filter(
        ({ from, to }) => day >= from.slice(0, 10) && day <= to.slice(0, 10),
      );
      const what = [
        ...away.map(({ why }) => why),
        ...incidents.filter((one) => one.day === day).map((one) => one.what),
      ];
      return [day, ...cells, what.join('; ')].join('  ').trimEnd();
    }),
  ];
}
