// Batches: one due moment of a job over all its accounts. While one works, its process holds an advisory lock, so
// that a killed process is known to be dead at once.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Executor, RunStatus } from '../connection/database.ts';
import { holdLock } from '../connection/session-lock.ts';

export interface Batch {
  readonly id: number;
  /** May be called again when the database was out of reach. */
  finish(status: RunStatus, summary: unknown): Promise<void>;
  /** Gives the lock back; never rejects. */
  release(): Promise<void>;
}

/** Starts a batch and holds its lock until `release`, also over a restart of the database. */
export async function startBatch(
  pool: pg.Pool,
  db: Executor,
  input: { job: string; selection: unknown; dueAt?: Date | undefined },
): Promise<Batch> {
  const row = await db
    .insertInto('sync.batch')
    .values({ job: input.job, selection: JSON.stringify(input.selection), due_at: input.dueAt ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lock = await holdLock(pool, { kind: 'batch', id: row.id });
  await stopDead(db, row.id).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  return {
    id: row.id,
    async finish(status, summary) {
      await db
        .updateTable('sync.batch')
        .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
        .where('id', '=', row.id)
        .execute();
    },
    release: () => lock.release(),
  };
}

/** Ends the batches of processes that died. */
async function stopDead(db: Executor, living: number): Promise<void> {
  const stopped = { status: 'stopped', finished_at: sql<Date>`now()` } as const;
  await db
    .updateTable('sync.batch')
    .set(stopped)
    .where('status', '=', 'running')
    .where('id', '<>', living)
    .where(sql<boolean>`not sync.batch_is_alive(id)`)
    .execute();
  await db
    .updateTable('sync.run')
    .set(stopped)
    .where('status', '=', 'running')
    // One that just starts may not hold its lock yet.
    .where(sql<boolean>`not sync.run_is_alive(id) and not sync.batch_is_alive(batch_id)`)
    .execute();
}
