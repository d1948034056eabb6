// The scheduler's part of `airank status`: whether one works, which jobs wait, and the incidents.
import type { Config } from '../../config/config.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { incidentChannels } from '../../mail/channels.ts';
import { readJobHistories, readMadeUp, readSchedulerAlive } from '../../status/job-runs.ts';
import { readFreshness } from '../../status/status-report.ts';
import { readIncidents, type ToldIncident, wholeMessage } from '../../status/stored-incidents.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Job } from '../define-job.ts';
import { findStale } from './incidents.ts';
import { waitingSince } from './overdue.ts';

export interface ScheduleReport {
  readonly working: boolean;
  /** True once a scheduler has run a job here. */
  readonly used: boolean;
  readonly waiting: readonly { readonly job: string; readonly since: string }[];
  readonly incidents: readonly IncidentLine[];
  readonly has_channels: boolean;
  readonly problems: readonly string[];
}

interface IncidentLine {
  readonly cause: string;
  readonly kind: string;
  readonly message: string;
  readonly since: string;
  readonly over_at: string | null;
  readonly told_at: string | null;
}

/** A job counts as late only after this time: starts, retries and long runs take a while. */
const toleratedMs = 60 * 60_000;

export async function readSchedule(
  db: Executor,
  input: { config: Config; jobs: readonly Job[]; streams: readonly Stream[]; now: Date },
): Promise<ScheduleReport> {
  const { config, jobs, streams, now } = input;
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  // Without a working scheduler nobody has noted what is late or made up: both are read anew.
  const [histories, working, madeUp, notifications, freshness] = await Promise.all([
    readJobHistories(db, names(jobs)),
    readSchedulerAlive(db),
    readMadeUp(db),
    readIncidents(db),
    readFreshness(db, names(config.accounts), names(streams)),
  ]);
  const used = [...histories.values()].some(({ lastAttempt }) => lastAttempt?.dueAt !== undefined);
  const waiting = jobs.flatMap((job) => {
    const history = histories.get(job.name);
    const since = history === undefined ? undefined : waitingSince(job, history, now, config.timeZone);
    return since === undefined ? [] : [{ job: job.name, since: since.toISOString() }];
  });
  const recent = notifications.filter(({ cause, overAt }) =>
    overAt === undefined ? !madeUp.has(cause) : now.getTime() - overAt.getTime() < dayMs,
  );
  const lasting = recent.filter((notification) => notification.overAt === undefined);
  const stale = used ? findStale(freshness, streams, jobs, now).incidents : [];
  const overdue = waiting.filter(({ since }) => now.getTime() - Date.parse(since) > toleratedMs);
  const stopped = used && !working && overdue.length > 0;
  return {
    working,
    used,
    waiting,
    has_channels: incidentChannels(config).length > 0,
    incidents: [
      ...lasting,
      ...recent.filter((notification) => !lasting.includes(notification)).reverse(),
    ].map(lineOf),
    problems: [
      ...(stopped
        ? [
            `No scheduler is running, and jobs are waiting: ${overdue.map(({ job }) => job).join(', ')}. Run: airank schedule`,
          ]
        : []),
      ...lasting.filter(({ kind }) => kind !== 'stream_stale').map(wholeMessage),
      ...stale.map(({ message }) => message),
    ],
  };
}

function lineOf(notification: ToldIncident): IncidentLine {
  const { cause, kind, since, overAt, toldAt, toldOverAt } = notification;
  const told = overAt === undefined || kind === 'drift' ? toldAt : (toldOverAt ?? toldAt);
  return {
    cause,
    kind,
    message: wholeMessage(notification),
    since: since.toISOString(),
    over_at: kind === 'drift' ? null : (overAt?.toISOString() ?? null),
    told_at: told?.toISOString() ?? null,
  };
}
