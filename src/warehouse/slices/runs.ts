// Runs: the part of one account in a batch. While one works, its process holds an advisory lock, so that a killed
// process is known to be dead at once and its slices are free.
import { sql } from 'kysely';
import type pg from 'pg';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor, RunStatus } from '../connection/database.ts';
import { holdLock } from '../connection/session-lock.ts';

export interface Run {
  readonly id: number;
  /** May be called again when the database was out of reach. */
  finish(status: RunStatus, summary: unknown): Promise<void>;
  /** Gives the lock back; never rejects. */
  release(): Promise<void>;
}

/** Starts a run and holds its lock until `release`, also over a restart of the database. */
export async function startRun(
  pool: pg.Pool,
  db: Executor,
  input: { batchId: number; account: string; runDate: RunDate; plan: unknown },
): Promise<Run> {
  const { account } = input;
  const row = await db
    .insertInto('sync.run')
    .values({
      account,
      batch_id: input.batchId,
      run_date: input.runDate,
      plan: JSON.stringify(input.plan),
    })
    // The connection was lost before its lock was taken: it starts once more.
    .onConflict((conflict) =>
      conflict.columns(['batch_id', 'account']).doUpdateSet((eb) => ({ plan: eb.ref('excluded.plan') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const lock = await holdLock(pool, { kind: 'run', id: row.id });
  return {
    id: row.id,
    async finish(status, summary) {
      await db
        .updateTable('sync.run')
        .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
        .where('account', '=', account)
        .where('id', '=', row.id)
        .execute();
    },
    release: () => lock.release(),
  };
}
