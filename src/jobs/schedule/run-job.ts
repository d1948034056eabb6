// Runs a job by hand under the job's own lock, so that it never overlaps itself, in whatever process. The scheduler
// gives its jobs to the queue (queue-job.ts), and holds the lock meanwhile.

import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { hashText } from '../../core/hash-text.ts';
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import { lockHolders } from '../../db/lock-holders.ts';
import { type LockKey, tryLock } from '../../db/session-lock.ts';
import { turnOf } from '../../queue/enqueue.ts';
import { isQueued } from '../../queue/queued-batches.ts';
import { startBatch } from '../../store/slices/runs.ts';
import type { Stream } from '../../streams/stream.ts';
import { runSync } from '../../sync/run/run.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { OtherJob, SyncJob } from '../define-job.ts';
import type { Findings } from './incidents.ts';
import { resolveJob } from './job-shape.ts';

/** The scheduler's own lock has the number 0. */
export const schedulerLock = { kind: 'schedule', id: 0 } as const;

interface LockedJob {
  readonly name: string;
  /** Does nothing while accounts of the job wait in the queue. */
  readonly unlessQueued: boolean;
}

/** Undefined: another session has the lock. */
async function underLock<Result>(
  pool: pg.Pool,
  key: LockKey,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = await tryLock(pool, key);
  if (lock === undefined) return undefined;
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Undefined: another process or a worker has the job. */
export async function underJobLock<Result>(
  { pool, db }: Pick<SyncDeps, 'pool' | 'db'>,
  { name, unlessQueued }: LockedJob,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return await underLock(pool, { kind: 'schedule', id: hashText(name) | 0 || 1 }, async () =>
    // Checked under the lock, which the process that queues the job holds as well.
    unlessQueued && (await isQueued(db, name)) ? undefined : await work(),
  );
}

export interface KindResult {
  /** The missing results in names and numbers, without values of the data; undefined: all is done. */
  readonly missing: string | undefined;
  readonly summary: unknown;
}

/** Work of a job that syncs nothing, passed in from src/jobs/kinds/ so that the schedule knows no report. */
export type KindWork = (job: OtherJob, dueAt: Date | undefined, signal: AbortSignal) => Promise<KindResult>;

export interface KindRun extends KindResult {
  readonly job: string;
  readonly status: 'complete' | 'failed';
  readonly started_at: string;
  readonly finished_at: string;
}

interface RunKindJobOptions {
  readonly job: OtherJob;
  readonly work: KindWork;
  readonly signal: AbortSignal;
}

/**
 * Runs a job by hand under its own lock and that of its kind, and notes the result as a batch without runs, by which
 * overdue() goes. Undefined: another process runs the job just now, or a worker does.
 * @throws WarehouseError when another job of the kind is at work
 */
export async function runKindJob(
  deps: Pick<SyncDeps, 'pool' | 'db' | 'clock'>,
  options: RunKindJobOptions,
): Promise<KindRun | undefined> {
  const { job } = options;
  const { pool, db } = deps;
  const turn = turnOf(job.kind, '');
  return await underJobLock(deps, { name: job.name, unlessQueued: true }, async () => {
    const done = await underLock(pool, turn, () => runInTurn(deps, options));
    if (done !== undefined) return done;
    throw new WarehouseError(
      `Another job of kind ${job.kind} is running: ${await lockHolders(db, turn)}. Run this one again when it has ended (airank jobs lists it)`,
    );
  });
}

async function runInTurn(
  { pool, db, clock }: Pick<SyncDeps, 'pool' | 'db' | 'clock'>,
  { job, work, signal }: RunKindJobOptions,
): Promise<KindRun> {
  const startedAt = new Date(clock.now()).toISOString();
  const batch = await startBatch(pool, db, { job: job.name, selection: { kind: job.kind } });
  try {
    const result = await work(job, undefined, signal);
    const status = result.missing === undefined ? 'complete' : 'failed';
    await batch.finish(status, { missing: result.missing, result: result.summary });
    const finishedAt = new Date(clock.now()).toISOString();
    return { ...result, job: job.name, status, started_at: startedAt, finished_at: finishedAt };
  } catch (error) {
    const summary = { missing: messageOf(error) };
    await batch.finish(signal.aborted ? 'stopped' : 'failed', summary).catch(() => undefined);
    throw error;
  } finally {
    await batch.release();
  }
}

/** The same incident as that of a job that syncs: over with the next run that misses nothing. */
export function findInKindRun({ job, missing }: Pick<KindRun, 'job' | 'missing'>): Findings {
  const cause = `run:${job}`;
  const message = `Job ${job} failed: ${missing}`;
  return {
    checked: (other) => other === cause,
    incidents: missing === undefined ? [] : [{ cause, kind: 'run_failed', account: undefined, message }],
  };
}

interface RunJobOptions {
  readonly job: SyncJob;
  readonly streams: readonly Stream[];
  /** Default: today. A run for another date leaves the job as due as it was. */
  readonly runDate?: RunDate | undefined;
  readonly signal: AbortSignal;
}

/** Undefined: another process or a worker runs the job. */
export async function runJob(deps: SyncDeps, options: RunJobOptions): Promise<BatchSummary | undefined> {
  const { job, signal } = options;
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
      signal,
    });
  });
}
