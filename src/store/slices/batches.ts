// Batches of commands by hand: one execution of a job over all its accounts by one process, which holds the lock of a
// worker as long. Those of the queue begin in warehouse/queue.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Executor, RunStatus } from '../../db/database.ts';
import { holdWorker, reapWorkers } from '../../db/workers.ts';

export interface Batch {
  readonly id: number;
  /** Of the process that works on it. */
  readonly workerId: number;
  /** May be called again when the database was out of reach. */
  finish(status: RunStatus, summary: unknown): Promise<void>;
  /** Gives the lock back; never rejects. */
  release(): Promise<void>;
}

/** Starts a batch and holds the lock of its process until `release`, also over a restart of the database. */
export async function startBatch(
  pool: pg.Pool,
  db: Executor,
  input: { job: string; selection: unknown; dueAt?: Date | undefined },
): Promise<Batch> {
  const worker = await holdWorker(pool, db);
  try {
    await reapWorkers(db);
    const { id } = await db
      .insertInto('sync.batch')
      .values({
        job: input.job,
        selection: JSON.stringify(input.selection),
        due_at: input.dueAt ?? null,
        worker_id: worker.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return {
      id,
      workerId: worker.id,
      async finish(status, summary) {
        await db
          .updateTable('sync.batch')
          .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
          .where('id', '=', id)
          .execute();
      },
      release: () => worker.release(),
    };
  } catch (error) {
    await worker.release();
    throw error;
  }
}
