// The lock of a job: whoever runs it by hand or gives it to the queue has it meanwhile, so that it never overlaps itself,
// whichever processes try.
import { hashText } from '../../core/text.ts';
import { tryLock } from '../../db/session-lock.ts';
import { isQueued } from '../../queue/queued-batches.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';

/** The scheduler's own lock has the number 0. */
export const schedulerLock = { kind: 'schedule', id: 0 } as const;

export interface LockedJob {
  readonly name: string;
  /** Does nothing while accounts of the job wait in the queue. */
  readonly unlessQueued: boolean;
}

/** Undefined: another process has the job just now, or workers do. */
export async function underJobLock<Result>(
  { pool, db }: Pick<SyncDeps, 'pool' | 'db'>,
  { name, unlessQueued }: LockedJob,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = await tryLock(pool, { kind: 'schedule', id: hashText(name) | 0 || 1 });
  if (lock === undefined) return undefined;
  try {
    // Not before: whoever gives it to the queue has the lock as well.
    if (unlessQueued && (await isQueued(db, name))) return undefined;
    return await work();
  } finally {
    await lock.release();
  }
}
