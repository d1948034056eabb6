// A command that works on accounts by hand, as one row of sync.worker: it takes no jobs of the queue, and its lock tells
// others that it lives, also over a restart of the database.
import { hostname } from 'node:os';
import type pg from 'pg';
import { packageVersion } from '../../core/package.ts';
import type { Executor } from '../database.ts';
import { holdLock } from '../session-lock.ts';

export interface HeldWorker {
  readonly id: number;
  /** Gives the lock back and deletes the row; never rejects. */
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
        // The next one finds it dead by its lock.
        .catch(() => undefined);
      await lock.release();
    },
  };
}
