// Follows every moment of every schedule in a simulated month, by a definition of the moments that shares no code with
// the product.
import type { Job } from '../../src/jobs/define-job.ts';
import { downtimes, minutesOf, monthStart, timeZone } from './schedule-month.ts';
import type { SchedulerWorld } from './scheduler-world.ts';

interface JobAudit {
  readonly moments: readonly number[];
  readonly successes: number;
  readonly missed: readonly number[];
  readonly doubled: readonly number[];
  /** Answered though no clock showed them. */
  readonly invented: readonly number[];
}

/** The last hour may still be running when the month ends. */
const lastMoment = '2026-04-06T23:00Z';

export function auditJob(job: Job, world: SchedulerWorld): JobAudit {
  const done = world.runs.filter((run) => run.job === job.name && run.status === 'complete');
  if (job.once === true) {
    const more = done.slice(1).map((run) => run.startedAt.getTime());
    const missed = done.length === 0 ? [Date.parse(monthStart)] : [];
    const moments = [Date.parse(monthStart)];
    return { moments, successes: done.length, missed, doubled: more, invented: [] };
  }
  const answered = done.map((run) => run.dueAt?.getTime() ?? 0);
  const moments = momentsOf(job, monthStart, lastMoment);
  const unanswered = moments.filter((moment) => !answered.includes(moment));
  const inMonth = (ms: number) => ms >= Date.parse(monthStart) && ms < Date.parse(lastMoment);
  return {
    moments,
    successes: done.length,
    missed: unanswered.filter((moment) => !isExcused(job, moment, moments)),
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
function momentsOf(job: Job, from: string, to: string): number[] {
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
      // A moment that the clocks skip comes as much later.
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

/** Lists the hours of a cron field such as `*`, `8,12` and `8-20/4`. */
function hoursOf(text: string): number[] {
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  if (text === '*') return all;
  const [from, to, step] = text.split(/[-/]/).map(Number);
  if (from === undefined || to === undefined || step === undefined) return text.split(',').map(Number);
  return all.filter((hour) => hour >= from && hour <= to && (hour - from) % step === 0);
}
