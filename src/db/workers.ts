// Processes that work on accounts, each with a row of sync.worker and a lock: they register, are given up
// when the lock is gone, and share the scheduler's settings. A lost lock is never taken again: a process that
// lost it is dead to the others, ends its work, and registers anew.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type pg from 'pg';
import { WarehouseError } from '../core/errors.ts';
import { packageVersion } from '../core/files.ts';
import type { Logger } from '../core/logger.ts';
import type { Executor } from './database.ts';
import { holdLock, tryLock } from './session-lock.ts';
import { isLockTimeout } from './sqlstate.ts';

/**
 * A command that works on accounts by hand. It takes no jobs of the queue; its lock tells others that it lives, also
 * across a restart of the database.
 */
export interface HeldWorker {
  readonly id: number;
  release(): Promise<void>;
}

export async function holdWorker(pool: pg.Pool, db: Executor): Promise<HeldWorker> {
  const { id } = await db
    .insertInto('sync.worker')
    .values({ host: hostname(), pid: process.pid, version: packageVersion() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lock = await holdLock(pool, { kind: 'worker', id });
  return {
    id,
    async release() {
      await db
        .deleteFrom('sync.worker')
        .where('id', '=', id)
        .execute()
        // The next process finds it dead by its lock.
        .catch(() => undefined);
      await lock.release();
    },
  };
}

/** A dead worker, found by its lock and never by age, and what was freed. */
interface ReapedWorker {
  readonly id: number;
  readonly host: string;
  readonly pid: number;
  /** Jobs of the queue that are free again. */
  readonly jobs: number;
  readonly slices: number;
}

/**
 * Gives up workers whose lock has been missing for longer than a moment. Each step is a transaction of its
 * own, so that another process can go on where this one died.
 */
export async function reapWorkers(db: Executor): Promise<readonly ReapedWorker[]> {
  const found = await sql<{ id: number }>`select id from sync.find_dead_workers() as id`.execute(db);
  await sql`select sync.free_orphans()`.execute(db);
  const reaped: ReapedWorker[] = [];
  for (const { id } of found.rows) {
    const freed = await giveUpWorker(db, id).catch((error: unknown) => {
      // The worker hung while holding row locks. Skip it; the next pass retries.
      if (isLockTimeout(error)) return [];
      throw error;
    });
    reaped.push(...freed);
  }
  return reaped;
}

export async function reapAndLog(db: Executor, logger: Logger): Promise<void> {
  for (const { id, ...freed } of await reapWorkers(db)) {
    logger.warn({ event: 'worker.given_up', worker_id: id, ...freed });
  }
}

async function giveUpWorker(db: Executor, id: number): Promise<readonly ReapedWorker[]> {
  const endConnections = async () => {
    const ended = await sql<{ ended: boolean }>`select sync.end_connections(${id}) as ended`.execute(db);
    return ended.rows[0]?.ended === true;
  };
  // End its connections first, as we would wait for its locks; the second call ends what it began meanwhile.
  await endConnections();
  await sql`select sync.give_up_worker(${id})`.execute(db);
  // A commit that is still under way must not meet those who take over: the next pass goes on.
  if (!(await endConnections())) return [];
  const freed = await sql<Omit<ReapedWorker, 'id'>>`
    select host, pid, jobs, slices from sync.free_worker(${id})`.execute(db);
  return freed.rows.map((row) => ({ id, ...row }));
}

/** The scheduler's configuration in one row, for workers to compare theirs with. */
interface SchedulerVersion {
  readonly version: string;
  readonly digest: string;
  readonly salt: string;
}

/** Undefined: no scheduler has worked on this warehouse yet. */
export async function readSchedulerVersion(db: Executor): Promise<SchedulerVersion | undefined> {
  const row = await db
    .selectFrom('sync.scheduler')
    .select(['version', 'digest', sql<string>`settings ->> 'salt'`.as('salt')])
    .executeTakeFirst();
  return row === undefined ? undefined : row;
}

/** Values of the settings by name, as JSON texts or hashes. */
export async function readSchedulerSettings(db: Executor): Promise<Readonly<Record<string, string>>> {
  const row = await db
    .selectFrom('sync.scheduler')
    .select(sql<Record<string, string>>`settings -> 'values'`.as('values'))
    .executeTakeFirst();
  return row?.values ?? {};
}

/** Salt of the warehouse, for the hashes of secrets. */
export async function schedulerSalt(db: Executor): Promise<string> {
  const scheduler = await readSchedulerVersion(db);
  return scheduler?.salt ?? randomBytes(16).toString('hex');
}

export async function saveSchedulerSettings(
  db: Executor,
  { version, digest, salt, values }: SchedulerVersion & { readonly values: Readonly<Record<string, string>> },
): Promise<void> {
  const settings = JSON.stringify({ salt, values });
  await db
    .insertInto('sync.scheduler')
    .values({ version, digest, settings })
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet({ version, digest, settings, changed_at: sql`now()` })
        .where((eb) =>
          eb.or([eb('sync.scheduler.digest', '<>', digest), eb('sync.scheduler.version', '<>', version)]),
        ),
    )
    .execute();
}

export interface RegisteredWorker {
  readonly id: number;
  /** Aborted when its lock is lost, or it has given itself up: others may continue its work. */
  readonly lost: AbortSignal;
  giveUp(reason: unknown): void;
  work(pool: string): Promise<void>;
  wait(reason: string): Promise<void>;
  stopping(): Promise<void>;
  /** Gives back lock and row, once all work has ended; never rejects. */
  release(): Promise<void>;
}

interface WorkerFacts {
  /** application_name of its connections, and of no others. */
  readonly application: string;
  readonly kinds: readonly string[];
  readonly accountsAtOnce: number;
  /** Earlier numbers of this process: it lost the database but lives, even if others gave those numbers up. */
  readonly former?: readonly number[];
}

export async function registerWorker(
  connections: pg.Pool,
  db: Executor,
  facts: WorkerFacts,
): Promise<RegisteredWorker> {
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
      throw new WarehouseError(`Worker ${id} seemed dead, so others have taken over its work`);
  };
  return {
    id,
    lost: lost.signal,
    giveUp: (reason) => lost.abort(reason),
    work: (name) => set({ state: 'working', waits_for: null, pool: name }),
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
