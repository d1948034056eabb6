// Jobs that do not sync. What they do is handed in (src/jobs/kinds/), so that the schedule knows no report. By hand one runs
// under the job's own lock, and what became of it is a batch without runs, so that overdue() goes by it.
import { messageOf } from '../../core/errors.ts';
import { startBatch } from '../../store/slices/runs.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { OtherJob } from '../define-job.ts';
import type { Findings } from './incidents.ts';
import { underJobLock } from './job-lock.ts';

export interface OtherResult {
  /** What is missing, in names and numbers, without values of the data; undefined: all is done. */
  readonly missing: string | undefined;
  readonly summary: unknown;
}

type OtherJobs = { readonly [Kind in OtherJob['kind']]: Extract<OtherJob, { kind: Kind }> };

/** How jobs of each kind are done. */
export type OtherWork = {
  readonly [Kind in keyof OtherJobs]: (
    job: OtherJobs[Kind],
    dueAt: Date | undefined,
    signal: AbortSignal,
  ) => Promise<OtherResult>;
};

export async function doOtherJob<Kind extends keyof OtherJobs>(
  work: OtherWork,
  job: OtherJobs[Kind] & { readonly kind: Kind },
  dueAt: Date | undefined,
  signal: AbortSignal,
): Promise<OtherResult> {
  return await work[job.kind](job, dueAt, signal);
}

export interface OtherRun extends OtherResult {
  readonly job: string;
  readonly status: 'complete' | 'failed';
  readonly started_at: string;
  readonly finished_at: string;
}

export interface RunOtherJobOptions {
  readonly job: OtherJob;
  readonly work: OtherWork;
  readonly dueAt: Date | undefined;
  readonly signal: AbortSignal;
}

/** Undefined: another process runs the job just now, or a worker does. */
export async function runOtherJob(
  deps: Pick<SyncDeps, 'pool' | 'db' | 'clock'>,
  { job, work, dueAt, signal }: RunOtherJobOptions,
): Promise<OtherRun | undefined> {
  const { pool, db, clock } = deps;
  return await underJobLock(deps, { name: job.name, unlessQueued: true }, async () => {
    const startedAt = new Date(clock.now()).toISOString();
    const batch = await startBatch(pool, db, { job: job.name, selection: { kind: job.kind }, dueAt });
    try {
      const result = await doOtherJob(work, job, dueAt, signal);
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

/** The same incident as that of a job that syncs: over with the next run that misses nothing. */
export function findInOtherRun({ job, missing }: Pick<OtherRun, 'job' | 'missing'>): Findings {
  const cause = `run:${job}`;
  const message = `Job ${job} failed: ${missing}`;
  return {
    looked: (other) => other === cause,
    incidents: missing === undefined ? [] : [{ cause, kind: 'run_failed', account: undefined, message }],
  };
}
