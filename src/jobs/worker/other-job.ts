// A job of the queue that does not sync: one for all accounts.
import { messageOf } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { endQueuedWork, type QueuedBatch } from '../../queue/queued-batches.ts';
import type { OtherJob } from '../define-job.ts';
import { doOtherJob, type OtherWork } from '../schedule/run-other-job.ts';

/**
 * @throws the signal's reason when it was stopped: another worker makes what is missing
 * @throws what the database could not do just now
 */
export async function takeOtherJob(
  db: Executor,
  batch: QueuedBatch,
  job: OtherJob,
  work: OtherWork,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { missing, summary } = await doOtherJob(work, job, batch.dueAt, signal);
    const status = missing === undefined ? 'complete' : 'failed';
    await endQueuedWork(db, batch.id, { status, summary: { missing, result: summary } });
  } catch (error) {
    signal.throwIfAborted();
    // Says nothing of the job: the queue gives it to somebody again.
    if (isDisturbance(error)) throw error;
    await endQueuedWork(db, batch.id, { status: 'failed', summary: { missing: messageOf(error) } });
  }
}
