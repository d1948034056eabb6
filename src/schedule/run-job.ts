// One execution of a job that syncs, under the job's own lock: it never overlaps itself, whichever processes try.
import { hashText } from '../core/hash-text.ts';
import { runDateIn } from '../core/run-date.ts';
import type { Stream } from '../streams/stream.ts';
import { runSync } from '../sync/run/run.ts';
import type { BatchSummary } from '../sync/run/summary.ts';
import type { SyncDeps } from '../sync/run/sync-options.ts';
import { tryLock } from '../warehouse/connection/session-lock.ts';
import type { SyncJob } from './define-job.ts';
import { resolveJob } from './resolve-job.ts';

export interface RunJobOptions {
  readonly job: SyncJob;
  /** Those that the configuration has switched on. */
  readonly streams: readonly Stream[];
  /** The moment of the schedule that it answers; undefined: by hand, or once. */
  readonly dueAt: Date | undefined;
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
}

/** Undefined: another process runs the job just now. */
export async function runJob(deps: SyncDeps, options: RunJobOptions): Promise<BatchSummary | undefined> {
  const { job, dueAt, signal, stop } = options;
  const lock = await tryLock(deps.pool, { kind: 'schedule', id: jobLockId(job.name) });
  if (lock === undefined) return undefined;
  try {
    return await runSync(deps, {
      ...resolveJob(job, deps.config, options.streams),
      job: job.name,
      // Fixed here: a run that goes on past midnight stays with its day.
      runDate: runDateIn(deps.config.timeZone, new Date(deps.clock.now())),
      again: job.again === true,
      againSince: dueAt,
      walk: job.walk ?? 'auto',
      placesBack: { high: -2, normal: 0, low: 2 }[job.priority ?? 'normal'],
      dueAt,
      signal,
      stop,
    });
  } finally {
    await lock.release();
  }
}

/** The scheduler's own lock has the number 0. */
export const schedulerLock = { kind: 'schedule', id: 0 } as const;

/** Never 0. */
export function jobLockId(name: string): number {
  return hashText(name) | 0 || 1;
}
