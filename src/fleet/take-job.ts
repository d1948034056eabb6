// A job of the queue, by its kind. What it is about is read from its batch.
import { z } from 'zod';
import { messageOf, WarehouseError } from '../core/errors.ts';
import { isSyncJob } from '../schedule/is-sync-job.ts';
import { jobOfBatch } from '../schedule/queued-job.ts';
import { readQueuedBatch } from '../warehouse/queue/queued-batches.ts';
import { type AccountJobSignals, runAccountJob } from './account-job.ts';
import { runKindJob } from './kind-job.ts';
import { settingsFault } from './readiness.ts';
import type { JobDeps, LifeDeps } from './worker-deps.ts';

const payloadShape = z.object({
  batch: z.int(),
  account: z.string(),
  attempt: z.int(),
  priority: z.int(),
});

/** @throws when it could not be brought to an end, so that the queue gives it to somebody again */
export async function takeJob(
  deps: LifeDeps & JobDeps,
  given: unknown,
  signals: AccountJobSignals,
): Promise<void> {
  const { db, logger, workerId } = deps;
  const payload = payloadShape.parse(given);
  try {
    signals.stop.throwIfAborted();
    const batch = await readQueuedBatch(db, payload);
    if (batch === undefined) return;
    const job = jobOfBatch(batch.id, batch.selection);
    if (!isSyncJob(job)) return await runKindJob(db, batch, job, deps.work(deps), signals.stop);
    const { config, streams } = deps.current();
    const fault = await settingsFault(db, config);
    if (fault !== undefined) throw new WarehouseError(fault);
    await runAccountJob({ ...deps, config, streams, workerId }, batch, job, payload, signals);
  } catch (error) {
    const { account, batch } = payload;
    logger.warn({ event: 'queue.job_broke_off', batch_id: batch, account, error: messageOf(error) });
    throw error;
  } finally {
    deps.onJobEnd?.();
  }
}
