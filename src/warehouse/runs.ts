// Runs: while one works, its process holds an advisory lock on a connection of its own, so that
// a killed process is known to be dead at once and its slices are free.
import { sql } from 'kysely';
import type pg from 'pg';
import type { RunDate } from '../core/run-date.ts';
import type { Executor, RunStatus } from './database.ts';

export interface Run {
  readonly id: number;
  finish(status: RunStatus, summary: unknown): Promise<void>;
}

/** Starts a run and holds its lock until `finish`. */
export async function startRun(
  pool: pg.Pool,
  db: Executor,
  input: { job: string; runDate: RunDate; plan: unknown },
): Promise<Run> {
  const row = await db
    .insertInto('sync.run')
    .values({ job: input.job, run_date: input.runDate, plan: JSON.stringify(input.plan) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const client = await pool.connect();
  await client.query('select pg_advisory_lock(sync.run_lock_class(), $1::integer)', [row.id]);
  await db
    .updateTable('sync.run')
    .set({ status: 'stopped', finished_at: sql`now()` })
    .where('status', '=', 'running')
    .where('id', '<>', row.id)
    .where(sql<boolean>`not sync.run_is_alive(id)`)
    .execute();
  return {
    id: row.id,
    async finish(status, summary) {
      await db
        .updateTable('sync.run')
        .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
        .where('id', '=', row.id)
        .execute();
      await client
        .query('select pg_advisory_unlock(sync.run_lock_class(), $1::integer)', [row.id])
        .catch(() => undefined);
      client.release();
    },
  };
}
