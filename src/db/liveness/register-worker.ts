// A process that takes jobs of the queue, as one row of sync.worker. It never takes its lock again: whoever lost it is
// dead to the others, ends what it does, and registers anew.
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/package.ts';
import type { Executor } from '../database.ts';
import { tryLock } from '../session-lock.ts';

export interface RegisteredWorker {
  readonly id: number;
  /** Aborted when its lock is lost, or it has given itself up: others may go on with what it had. */
  readonly lost: AbortSignal;
  /** Ends as if the lock were lost. */
  giveUp(reason: unknown): void;
  /** Takes jobs; what the engine writes into `locked_by`. */
  work(pool: string): Promise<void>;
  /** Says that its jobs are worked on still; a run may take hours. */
  renew(): Promise<void>;
  /** Takes none, for a reason that people read. */
  wait(reason: string): Promise<void>;
  /** Takes no new ones. */
  stopping(): Promise<void>;
  /** Gives lock and row back, when nothing works any more; never rejects. */
  release(): Promise<void>;
}

export interface WorkerFacts {
  /** application_name of its connections, and of no others. */
  readonly application: string;
  readonly kinds: readonly string[];
  readonly accountsAtOnce: number;
  /** Numbers that this process had: it lost the database, and lives, whatever others found. */
  readonly former?: readonly number[];
}

export async function registerWorker(
  connections: pg.Pool,
  db: Executor,
  facts: WorkerFacts,
): Promise<RegisteredWorker> {
  let pool = '';
  const { id } = await db
    .insertInto('sync.worker')
    .values({
      application: facts.application,
      host: hostname(),
      pid: process.pid,
      version: packageVersion(),
      kinds: [...facts.kinds],
      accounts_at_once: facts.accountsAtOnce,
      state: 'waiting',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lock = await tryLock(connections, { kind: 'worker', id });
  if (lock === undefined) throw new WarehouseError(`The lock of worker ${id} is held by another process`);
  for (const one of facts.former ?? []) await sql`select sync.outlive_worker(${one})`.execute(db);
  const lost = new AbortController();
  const onLost = () => lost.abort(lock.lost.reason);
  lock.lost.addEventListener('abort', onLost, { once: true });
  if (lock.lost.aborted) onLost();
  const set = async (row: {
    state: 'waiting' | 'working' | 'stopping';
    waits_for: string | null;
    pool?: string;
  }) => {
    const found = await db
      .updateTable('sync.worker')
      .set(row)
      .where('id', '=', id)
      .where('given_up_at', 'is', null)
      .executeTakeFirst();
    if (found.numUpdatedRows === 0n)
      throw new WarehouseError(`Worker ${id} was given up, because it seemed dead`);
  };
  return {
    id,
    lost: lost.signal,
    giveUp: (reason) => lost.abort(reason),
    async work(name) {
      await set({ state: 'working', waits_for: null, pool: name });
      pool = name;
    },
    async renew() {
      await sql`select sync.renew_locks(${pool})`.execute(db);
    },
    wait: (reason) => set({ state: 'waiting', waits_for: reason }),
    stopping: () => set({ state: 'stopping', waits_for: null }),
    async release() {
      // Jobs and slices that are left are free at once.
      await sql`select sync.free_worker(${id})`.execute(db).catch(() => undefined);
      lock.lost.removeEventListener('abort', onLost);
      await lock.release();
    },
  };
}
