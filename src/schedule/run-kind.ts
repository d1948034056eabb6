// Jobs that do not sync. What they do is given by the command line, so that the schedule knows no report. By hand one runs
// under the job's own lock, and what became of it is a batch without runs, so that overdue() goes by it.
import { messageOf } from '../core/errors.ts';
import type { SyncDeps } from '../sync/run/sync-options.ts';
import { startBatch } from '../warehouse/slices/batches.ts';
import type { KindJob } from './define-job.ts';
import { underJobLock } from './job-lock.ts';
import type { Findings } from './troubles.ts';

export interface KindResult {
  /** What is missing, in names and numbers, without values of the data; undefined: all is done. */
  readonly missing: string | undefined;
  /** For sync.batch. */
  readonly summary: unknown;
}

/** How jobs of other kinds are done. */
export type JobKinds = {
  readonly [Kind in KindJob['kind']]: (
    job: Extract<KindJob, { kind: Kind }>,
    dueAt: Date | undefined,
    signal: AbortSignal,
  ) => Promise<KindResult>;
};

export async function doKind(
  kinds: JobKinds,
  job: KindJob,
  dueAt: Date | undefined,
  signal: AbortSignal,
): Promise<KindResult> {
  switch (job.kind) {
    case 'report':
      return await kinds.report(job, dueAt, signal);
    case 'prune':
      return await kinds.prune(job, dueAt, signal);
    case 'push-logs':
      return await kinds['push-logs'](job, dueAt, signal);
  }
}

export interface KindRun extends KindResult {
  readonly job: string;
  readonly status: 'complete' | 'failed';
  readonly started_at: string;
  readonly finished_at: string;
}

export interface RunKindOptions {
  readonly job: KindJob;
  readonly kinds: JobKinds;
  readonly dueAt: Date | undefined;
  readonly signal: AbortSignal;
}

/** Undefined: another process runs the job just now, or a worker does. */
export async function runKind(
  deps: Pick<SyncDeps, 'pool' | 'db' | 'clock'>,
  { job, kinds, dueAt, signal }: RunKindOptions,
): Promise<KindRun | undefined> {
  const { pool, db, clock } = deps;
  return await underJobLock(deps, { name: job.name, unlessQueued: true }, async () => {
    const startedAt = new Date(clock.now()).toISOString();
    const batch = await startBatch(pool, db, { job: job.name, selection: { kind: job.kind }, dueAt });
    try {
      const result = await doKind(kinds, job, dueAt, signal);
      const status = result.missing === undefined ? 'complete' : 'failed';
      await batch.finish(status, result.summary);
      const finishedAt = new Date(clock.now()).toISOString();
      return { ...result, job: job.name, status, started_at: startedAt, finished_at: finishedAt };
    } catch (error) {
      const summary = { error: messageOf(error) };
      await batch.finish(signal.aborted ? 'stopped' : 'failed', summary).catch(() => undefined);
      throw error;
    } finally {
      await batch.release();
    }
  });
}

/** The same trouble as that of a job that syncs: over with the next run that misses nothing. */
export function findInKind({ job, missing }: Pick<KindRun, 'job' | 'missing'>): Findings {
  const cause = `run:${job}`;
  const message = `Job ${job} failed: ${missing}`;
  return {
    looked: (other) => other === cause,
    troubles: missing === undefined ? [] : [{ cause, kind: 'run_failed', account: undefined, message }],
  };
}
