// What `airank status` says of the scheduler: whether one works, what waits, what people were told.
import type { Config } from '../config/config.ts';
import type { Job } from '../schedule/define-job.ts';
import { unanswered } from '../schedule/overdue.ts';
import { findLate } from '../schedule/troubles.ts';
import type { Stream } from '../streams/stream.ts';
import type { Executor } from '../warehouse/database.ts';
import { readFreshness } from '../warehouse/freshness.ts';
import { readJobHistories, readSchedulerAlive } from '../warehouse/job-runs.ts';
import { readNotices } from '../warehouse/notices.ts';

export interface ScheduleReport {
  /** A scheduler holds the lock now. */
  readonly working: boolean;
  /** A scheduler has run a job here at some time. */
  readonly used: boolean;
  readonly waiting: readonly { readonly job: string; readonly since: string }[];
  /** Trouble that lasts. */
  readonly troubles: readonly { readonly kind: string; readonly message: string; readonly since: string }[];
  /** What is not fine, one sentence each. */
  readonly problems: readonly string[];
}

/** A job may be that late before it counts: starts, retries and long runs take their time. */
const toleratedMs = 60 * 60_000;

export async function readSchedule(
  db: Executor,
  input: { config: Config; jobs: readonly Job[]; streams: readonly Stream[]; now: Date },
): Promise<ScheduleReport> {
  const { config, jobs, streams, now } = input;
  const histories = await readJobHistories(
    db,
    jobs.map((job) => job.name),
  );
  const used = [...histories.values()].some(({ lastAttempt }) => lastAttempt?.dueAt !== undefined);
  const waiting = jobs.flatMap((job) => {
    const history = histories.get(job.name);
    const dueAt = history === undefined ? undefined : unanswered(job, history, now, config.timeZone)?.dueAt;
    return dueAt === undefined ? [] : [{ job: job.name, since: dueAt.toISOString() }];
  });
  const working = await readSchedulerAlive(db);
  const noticed = (await readNotices(db)).filter((notice) => notice.overAt === undefined);
  const freshness = await readFreshness(
    db,
    config.accounts.map((account) => account.name),
    streams.map((stream) => stream.name),
  );
  // Looked at afresh: with no scheduler at work nobody has noted it.
  const late = used ? findLate(freshness, streams, jobs, now).troubles : [];
  const overdue = waiting.filter(({ since }) => now.getTime() - Date.parse(since) > toleratedMs);
  const stopped = used && !working && overdue.length > 0;
  return {
    working,
    used,
    waiting,
    troubles: noticed.map(({ kind, message, since }) => ({ kind, message, since: since.toISOString() })),
    problems: [
      ...(stopped
        ? [`No scheduler works, and ${overdue.map(({ job }) => job).join(', ')} wait. Run: airank schedule`]
        : []),
      ...noticed.filter(({ kind }) => kind !== 'stream_late').map(({ message }) => message),
      ...late.map(({ message }) => message),
    ],
  };
}

/** One line, where there is or was a scheduler. */
export function scheduleLines({ working, used, waiting }: ScheduleReport): string[] {
  if (!used && !working) return [];
  const now = waiting.length === 0 ? 'nothing waits' : `due: ${waiting.map(({ job }) => job).join(', ')}`;
  return [`Scheduler: ${working ? 'works' : 'none works'}; ${now}`, ''];
}
