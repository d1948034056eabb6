// Advisory locks of this process. The holder of a lock is told when the connection, and with it the lock, is lost.
import type pg from 'pg';
import { processLocks } from './lock-keys.ts';
import { joinSession } from './lock-session.ts';

export interface LockKey {
  readonly kind: keyof typeof processLocks;
  readonly id: number;
}

export interface SessionLock {
  /** Aborted when the connection is lost; another process may then take the lock. */
  readonly lost: AbortSignal;
  /** Asks the server, so that a broken connection is noticed. */
  check(): Promise<boolean>;
  release(): Promise<void>;
}

/** Undefined: it is held already, here or by another process. Rejects when the database cannot be reached. */
export async function tryLock(pool: pg.Pool, key: LockKey): Promise<SessionLock | undefined> {
  const session = joinSession(pool);
  const name = `${key.kind} ${key.id}`;
  const keys = `${processLocks[key.kind]}, $1::integer`;
  if (session.held.has(name)) {
    session.leave();
    return undefined;
  }
  session.held.add(name);
  const giveUp = () => {
    session.held.delete(name);
    session.leave();
  };
  try {
    const [row] = await session.query(`select pg_try_advisory_lock(${keys}) as taken`, [key.id]);
    if (row?.['taken'] !== true) {
      giveUp();
      return undefined;
    }
  } catch (error) {
    giveUp();
    throw error;
  }
  let released = false;
  return {
    lost: session.lost,
    async check() {
      if (released) return false;
      await session.query('select 1').catch(() => undefined);
      return !session.lost.aborted;
    },
    async release() {
      if (released) return;
      released = true;
      // A connection that cannot unlock is lost, and the lock with it.
      await session.query(`select pg_advisory_unlock(${keys})`, [key.id]).catch(() => undefined);
      giveUp();
    },
  };
}

/** Asks the server on the connection of the locks, which takes no further one. Rejects when it is lost. */
export async function askOnLockSession(pool: pg.Pool): Promise<void> {
  const session = joinSession(pool);
  try {
    await session.query('select 1');
  } finally {
    session.leave();
  }
}

export interface HeldLock {
  release(): Promise<void>;
}

const takeAgainMs = 300;

/** Takes a lock whose number no other process uses, and takes it again whenever its connection was lost. */
export async function holdLock(pool: pg.Pool, key: LockKey): Promise<HeldLock> {
  let released = false;
  let lock = await tryLock(pool, key);
  let timer: NodeJS.Timeout | undefined;
  const takeLater = () => {
    if (!released) timer = setTimeout(() => void take(), takeAgainMs).unref();
  };
  const watch = () => {
    if (lock?.lost.aborted) takeLater();
    else lock?.lost.addEventListener('abort', takeLater, { once: true });
  };
  const take = async () => {
    await lock?.release();
    lock = await tryLock(pool, key).catch(() => undefined);
    if (lock === undefined) takeLater();
    else if (released) await lock.release();
    else watch();
  };
  // The server may not have noticed yet that an earlier connection of ours is gone.
  if (lock === undefined) takeLater();
  else watch();
  return {
    async release() {
      released = true;
      clearTimeout(timer);
      await lock?.release();
    },
  };
}
