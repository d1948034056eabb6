// Batches of the queue whose account runs have ended get their result, as a batch by hand has it at its end.

import { reapAndTell } from '../../db/workers.ts';
import { enqueueLost } from '../../queue/enqueue.ts';
import { type EndedBatch, readEndedBatches, settleBatch } from '../../queue/queued-batches.ts';
import { refreshAfterBatch } from '../../sync/run/run.ts';
import { type BatchSummary, batchVerdict, type RunSummary, totalsOf } from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { OtherRun } from './run-other-job.ts';

export type Settled =
  | { readonly kind: 'sync'; readonly summary: BatchSummary }
  | { readonly kind: 'other'; readonly run: OtherRun };

/** Also takes accounts up again whose queue job was lost with its worker. */
export async function settleBatches(
  deps: Pick<SyncDeps, 'clock' | 'config' | 'db' | 'logger' | 'pool'>,
  stop: AbortSignal,
): Promise<readonly Settled[]> {
  const { db, logger } = deps;
  await reapAndTell(db, logger);
  const lost = await enqueueLost(db);
  if (lost > 0) logger.warn({ event: 'queue.lost', accounts: lost });
  const ended = await readEndedBatches(db);
  if (ended.length === 0) return [];
  const finishedAt = new Date(deps.clock.now()).toISOString();
  // One refresh for all that ended; those of other kinds change no data.
  const views = ended.some(isSync) ? await refreshAfterBatch(deps, stop) : { drift: [], view_failures: [] };
  const settled: Settled[] = [];
  for (const batch of ended) {
    if (!isSync(batch)) {
      if (batch.status === 'stopped') {
        // Somebody has cancelled it: no incident, and not tried again.
        await settleBatch(db, batch, { status: 'stopped', summary: batch.summary });
        continue;
      }
      const run = otherRunOf(batch, finishedAt);
      if (await settleBatch(db, batch, { status: run.status, summary: run.summary }))
        settled.push({ kind: 'other', run });
      continue;
    }
    const summary: BatchSummary = { ...summaryOf(batch, finishedAt), ...views };
    const { exit_code, not_begun, status } = summary;
    if (await settleBatch(db, batch, { status, summary: { exit_code, not_begun, ...views } })) {
      logger.info({ event: 'batch.finished', batch_id: batch.id, job: batch.job, ...totalsOf(summary) });
      settled.push({ kind: 'sync', summary });
    }
  }
  return settled;
}

/** Told without reading the job: another release may have made it. */
function isSync({ selection }: EndedBatch): boolean {
  return typeof selection === 'object' && selection !== null && 'accounts' in selection;
}

function summaryOf(batch: EndedBatch, finishedAt: string): Omit<BatchSummary, 'drift' | 'view_failures'> {
  const accounts = batch.runs.flatMap(({ summary }) => (isRunSummary(summary) ? [summary] : []));
  const broken = batch.runs.filter(({ summary }) => !isRunSummary(summary)).map(({ account }) => account);
  const notBegun = [...batch.notBegun, ...broken];
  const verdict =
    batch.status === 'stopped'
      ? ({ status: 'stopped', exit_code: 1 } as const)
      : broken.length > 0
        ? ({ status: 'failed', exit_code: 1 } as const)
        : batchVerdict(accounts, notBegun);
  return {
    batch_id: batch.id,
    job: batch.job,
    run_date:
      accounts
        .map(({ run_date }) => run_date)
        .sort()
        .at(-1) ?? '',
    ...verdict,
    started_at: batch.startedAt.toISOString(),
    finished_at: finishedAt,
    accounts,
    not_begun: notBegun,
  };
}

/** Runs of a worker that died, or that broke off, have none. */
function isRunSummary(summary: unknown): summary is RunSummary {
  return typeof summary === 'object' && summary !== null && 'slices' in summary;
}

/** A job whose worker died leaves its batch running. */
function otherRunOf(batch: EndedBatch, finishedAt: string): OtherRun {
  const { job, summary } = batch;
  const died = 'its worker died before it ended';
  const missing = batch.status === 'complete' ? undefined : (missingOf(summary) ?? died);
  return {
    job,
    status: batch.status === 'complete' ? 'complete' : 'failed',
    missing,
    summary: summary ?? { missing },
    started_at: batch.startedAt.toISOString(),
    finished_at: finishedAt,
  };
}

function missingOf(summary: unknown): string | undefined {
  return typeof summary === 'object' &&
    summary !== null &&
    'missing' in summary &&
    typeof summary.missing === 'string'
    ? summary.missing
    : undefined;
}
