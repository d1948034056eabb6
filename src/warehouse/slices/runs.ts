// Runs: while one works, its process holds an advisory lock on a connection of its own, so that
// a killed process is known to be dead at once and its slices are free.
import { sql } from 'kysely';
import type pg from 'pg';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor, RunStatus } from '../connection/database.ts';
import { keepLock } from '../connection/session-lock.ts';

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
  input: { job: string; runDate: RunDate; plan: unknown; dueAt?: Date | undefined },
): Promise<Run> {
  const row = await db
    .insertInto('sync.run')
    .values({
      job: input.job,
      run_date: input.runDate,
      plan: JSON.stringify(input.plan),
      due_at: input.dueAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lock = await keepLock(pool, { kind: 'run', id: row.id });
  await db
    .updateTable('sync.run')
    .set({ status: 'stopped', finished_at: sql`now()` })
    .where('status', '=', 'running')
    .where('id', '<>', row.id)
    .where(sql<boolean>`not sync.run_is_alive(id)`)
    .execute()
    .catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
  return {
    id: row.id,
    async finish(status, summary) {
      await db
        .updateTable('sync.run')
        .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
        .where('id', '=', row.id)
        .execute();
    },
    release: () => lock.release(),
  };
}
