// One execution of a job that syncs by hand, under the job's own lock. The scheduler gives its jobs to the queue
// (enqueue-job.ts).
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import type { Stream } from '../../streams/stream.ts';
import { runSync } from '../../sync/run/run.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { SyncJob } from '../define-job.ts';
import { underJobLock } from './job-lock.ts';
import { resolveJob } from './resolve-job.ts';

export interface RunJobOptions {
  readonly job: SyncJob;
  readonly streams: readonly Stream[];
  /** Default: today. With another date the job stays as due as it was. */
  readonly runDate?: RunDate | undefined;
  /** The moment of the schedule that it answers; undefined: by hand, or once. */
  readonly dueAt: Date | undefined;
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
}

/** Undefined: another process runs the job just now, or workers do. */
export async function runJob(deps: SyncDeps, options: RunJobOptions): Promise<BatchSummary | undefined> {
  const { job, dueAt, signal, stop } = options;
  return await underJobLock(deps, { name: job.name, unlessQueued: true }, async () => {
    // Fixed here: a run that goes on past midnight stays with its day.
    const today = runDateIn(deps.config.timeZone, new Date(deps.clock.now()));
    const { runDate = today } = options;
    return await runSync(deps, {
      ...resolveJob(job, deps.config, options.streams),
      job: job.name,
      runDate,
      isAside: runDate !== today,
      isOwnDate: options.runDate === undefined,
      again: job.again === true,
      againSince: dueAt,
      walk: job.walk ?? 'auto',
      dueAt,
      signal,
      stop,
    });
  });
}
