// Does the scheduler's work for workers when a simulation says so, and disturbs workers from outside.
import type pg from 'pg';
import { createDatabase } from '../../../src/db/database.ts';
import { reapWorkers } from '../../../src/db/workers.ts';
import { enqueueBatch, enqueueLost } from '../../../src/queue/enqueue.ts';
import { readEndedBatches } from '../../../src/queue/queued-batches.ts';
import type { FakeWorker } from './fake-worker.ts';

interface Leader {
  enqueue(job: string, accounts: readonly string[]): Promise<void>;
  /** Looks once its patience is over. Returns the workers that it gave up. */
  look(): Promise<readonly number[]>;
  /** Dies in the middle of a look: workers are given up, and what they had is not free. */
  dieInLook(): Promise<readonly number[]>;
  /** Batches that count as ended although a run of theirs works. */
  endedTooEarly(): Promise<readonly number[]>;
  /** The lock of a worker is lost, or all its connections. */
  cut(worker: FakeWorker, what: 'lock' | 'all'): Promise<void>;
}

export function createLeader(admin: pg.Pool): Leader {
  const db = createDatabase(admin);
  /** Pauses before a job is tried again are over too. */
  const letTimePass = async () => {
    await admin.query('select sync.find_dead_workers()');
    await admin.query(`update sync.worker set missed_at = missed_at - interval '1 minute'`);
    await admin.query('update airank_jobs._private_jobs set run_at = now() where run_at > now()');
  };
  return {
    async enqueue(job, accounts) {
      await enqueueBatch(db, {
        job,
        kind: 'sync',
        selection: { job: {} },
        accounts,
        dueAt: undefined,
        priority: 'normal',
        spreadMs: 0,
      });
    },
    async look() {
      await letTimePass();
      const reaped = await reapWorkers(db);
      await enqueueLost(db);
      return reaped.map(({ id }) => id);
    },
    async dieInLook() {
      await letTimePass();
      const { rows } = await admin.query<{ id: number }>('select id from sync.find_dead_workers() as id');
      for (const { id } of rows) {
        await admin.query('select sync.end_connections($1)', [id]);
        await admin.query('select sync.give_up_worker($1)', [id]);
      }
      return rows.map(({ id }) => id);
    },
    async endedTooEarly() {
      const ended = (await readEndedBatches(db)).map(({ id }) => id);
      const { rows } = await admin.query<{ batch: number }>(
        `select distinct batch_id as batch from sync.run where batch_id = any($1::bigint[]) and status = 'running'`,
        [ended],
      );
      return rows.map(({ batch }) => batch);
    },
    async cut({ application }, what) {
      await admin.query(
        `select pg_terminate_backend(a.pid, 1000) from pg_stat_activity a where a.application_name = $1
           and ($2 = 'all' or exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'))`,
        [application, what],
      );
    },
  };
}
