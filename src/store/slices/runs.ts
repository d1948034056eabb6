// Runs: one account's part of a batch, worked on by one process. Its lock as a worker shows that the process lives
// (sync.run_is_alive), so a killed one is known to be dead at once and its slices are free.
import { sql } from 'kysely';
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import { ahead, type Executor, type RunStatus } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import { holdWorker, reapWorkers } from '../../db/workers.ts';

/**
 * Batches started by hand: one execution of a job over all its accounts by one process, which holds a worker's lock for
 * as long. Batches of the queue begin in src/queue/enqueue.ts.
 */
export interface Batch {
  readonly id: number;
  readonly workerId: number;
  finish(status: RunStatus, summary: unknown): Promise<void>;
  release(): Promise<void>;
}

/** Starts a batch and holds its process's lock until `release`, even across a restart of the database. */
export async function startBatch(
  pool: pg.Pool,
  db: Executor,
  input: { job: string; selection: unknown },
): Promise<Batch> {
  const worker = await holdWorker(pool, db);
  try {
    await reapWorkers(db);
    const { id } = await db
      .insertInto('sync.batch')
      .values({
        job: input.job,
        selection: JSON.stringify(input.selection),
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
          .where('worker_id', '=', worker.id)
          .execute();
      },
      release: () => worker.release(),
    };
  } catch (error) {
    await worker.release();
    throw error;
  }
}

/**
 * Others go on with the run, or the database no longer has it: the connection that showed this process alive was lost.
 * This process writes nothing more.
 */
export class LostRunError extends WarehouseError {
  constructor(account: string) {
    super(
      `The run of account ${account} was taken over, because its worker seemed dead, or was lost in a failover of the ` +
        'database. Published data is unchanged, and the next sync goes on',
      {
        account,
      },
    );
  }
}

export interface RunPlace {
  readonly batchId: number;
  readonly workerId: number;
  /** 1 for the account's first run in the batch; each run that goes on with it counts one more. */
  readonly attempt: number;
  /** A job of the queue: no other of the account may work at the same time. Default: false. */
  readonly isQueued?: boolean;
}

/** A run left by a dead worker is not freed yet, so the account's new run is put back. */
export class BusyAccountError extends WarehouseError {
  constructor(account: string) {
    super(`Another run of account ${account} has not ended yet; this one begins after it`, { account });
  }
}

export interface Run {
  readonly id: number;
  /**
   * May be called again if the database was out of reach.
   * @param tx transaction in which the run ends
   * @throws LostRunError when others go on with it
   */
  finish(status: RunStatus, summary: unknown, tx?: Executor): Promise<void>;
}

/**
 * Starts a run; may be called again if the database was out of reach.
 * @throws BusyAccountError if it is a job of the queue and a worker still has another one of the account
 */
export async function startRun(
  db: Executor,
  input: RunPlace & { account: string; runDate: RunDate; plan: unknown },
): Promise<Run> {
  const run =
    input.isQueued === true
      ? await db.transaction().execute(async (tx) => {
          await expectAlone(tx, input);
          return await insertRun(tx, input);
        })
      : await insertRun(db, input);
  return { ...run, finish: (status, summary, tx = db) => run.finish(status, summary, tx) };
}

/**
 * A worker that lost its connection lost its locks too, but may still write. Its runs end when it is given up and
 * freed; until then no other run of the account begins.
 */
async function expectAlone(
  tx: Executor,
  { account, batchId, attempt, workerId }: RunPlace & { account: string },
) {
  await sql`select pg_advisory_xact_lock(${lockKeys('runBegin', account)}) ${ahead}`.execute(tx);
  const found = await sql<{ busy: boolean }>`
    select exists (
      select from sync.run r join sync.batch b on b.id = r.batch_id join sync.worker w on w.id = r.worker_id
      where r.account = ${account} and r.status = 'running' and b.is_queued
        and (r.batch_id, r.attempt, r.worker_id) is distinct from (${batchId}::bigint, ${attempt}::integer, ${workerId}::bigint)
    ) as busy`.execute(tx);
  if (found.rows[0]?.busy === true) throw new BusyAccountError(account);
}

async function insertRun(
  db: Executor,
  input: RunPlace & { account: string; runDate: RunDate; plan: unknown },
): Promise<Run> {
  const { account, batchId, workerId, attempt, runDate } = input;
  const plan = JSON.stringify(input.plan);
  const inserted = await db
    .insertInto('sync.run')
    .columns(['account', 'batch_id', 'worker_id', 'attempt', 'run_date', 'plan'])
    // Nothing begins under a number that was given up.
    .expression((eb) =>
      eb
        .selectFrom('sync.worker as w')
        .select([
          sql<string>`${account}::text`.as('account'),
          sql<number>`${batchId}::bigint`.as('batch_id'),
          'w.id',
          sql<number>`${attempt}::integer`.as('attempt'),
          sql<string>`${runDate}::date`.as('run_date'),
          sql<string>`${plan}::jsonb`.as('plan'),
        ])
        .where('w.id', '=', workerId)
        .where('w.given_up_at', 'is', null)
        .forShare(),
    )
    .onConflict((conflict) =>
      conflict.columns(['batch_id', 'account', 'attempt', 'worker_id']).doUpdateSet((eb) => ({
        plan: eb.ref('excluded.plan'),
        run_date: eb.ref('excluded.run_date'),
        status: 'running' as const,
        finished_at: null,
      })),
    )
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) throw new LostRunError(account);
  const { id } = inserted;
  return {
    id,
    async finish(status, summary, tx = db) {
      const ended = await tx
        .updateTable('sync.run')
        .set({ status, summary: JSON.stringify(summary), finished_at: sql`now()` })
        .where('account', '=', account)
        .where('id', '=', id)
        .where('given_up_at', 'is', null)
        .executeTakeFirst();
      if (ended.numUpdatedRows === 0n) throw new LostRunError(account);
    },
  };
}
