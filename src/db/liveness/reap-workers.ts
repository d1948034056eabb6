// Finds workers that are gone by their lock, never by age, and frees what they had.
import { sql } from 'kysely';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../database.ts';
import { isLockTimeout } from '../sqlstate.ts';

export interface ReapedWorker {
  readonly id: number;
  readonly host: string;
  readonly pid: number;
  /** Jobs of the queue that are free again. */
  readonly jobs: number;
  /** Slices that others may go on with, from their stored pages. */
  readonly slices: number;
}

/**
 * Gives up workers whose lock has been missing for longer than a moment. Each step is a transaction of its own, and
 * whoever looks next goes on where this one died.
 */
export async function reapWorkers(db: Executor): Promise<readonly ReapedWorker[]> {
  const found = await sql<{ id: number }>`select id from sync.find_dead_workers() as id`.execute(db);
  await sql`select sync.free_orphans()`.execute(db);
  const reaped: ReapedWorker[] = [];
  for (const { id } of found.rows) {
    const freed = await giveUpWorker(db, id).catch((error: unknown) => {
      // It froze with rows in its hands: the others are not kept waiting, and the next look tries again.
      if (isLockTimeout(error)) return [];
      throw error;
    });
    reaped.push(...freed);
  }
  return reaped;
}

/** Of each that was given up the log says what it had. */
export async function reapAndTell(db: Executor, logger: Logger): Promise<void> {
  for (const { id, ...freed } of await reapWorkers(db)) {
    logger.warn({ event: 'worker.given_up', worker_id: id, ...freed });
  }
}

async function giveUpWorker(db: Executor, id: number): Promise<readonly ReapedWorker[]> {
  const endConnections = async () => {
    const ended = await sql<{ ended: boolean }>`select sync.end_connections(${id}) as ended`.execute(db);
    return ended.rows[0]?.ended === true;
  };
  // What it holds locked would be waited for; what it begins before it is refused is ended too.
  await endConnections();
  await sql`select sync.give_up_worker(${id})`.execute(db);
  // What still commits must not meet those who take over: the next look goes on.
  if (!(await endConnections())) return [];
  const freed = await sql<Omit<ReapedWorker, 'id'>>`
    select host, pid, jobs, slices from sync.free_worker(${id})`.execute(db);
  return freed.rows.map((row) => ({ id, ...row }));
}
