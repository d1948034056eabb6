// An advisory lock held on a connection of its own. Whoever holds it knows when the connection, and
// with it the lock, is gone.
import type pg from 'pg';

export interface LockKey {
  readonly kind: keyof typeof classes;
  readonly id: number;
}

export interface SessionLock {
  /** Aborted when the connection is lost; the lock is then anybody's. */
  readonly lost: AbortSignal;
  /** Sees to it that a broken connection is noticed: asks the server. */
  check(): Promise<boolean>;
  release(): Promise<void>;
}

/** First keys: what the second one is about. */
const classes = { run: 'sync.run_lock_class()', schedule: 'sync.schedule_lock_class()' } as const;

/** Undefined: another session holds it. Rejects when the database cannot be reached. */
export async function tryLock(pool: pg.Pool, key: LockKey): Promise<SessionLock | undefined> {
  const client = await pool.connect();
  const lost = new AbortController();
  const lose = (error: Error) => lost.abort(error);
  const loseAtEnd = () => lose(new Error('the connection that held the lock has ended'));
  client.once('error', lose);
  client.once('end', loseAtEnd);
  const giveBack = (broken: boolean) => {
    client.off('error', lose);
    client.off('end', loseAtEnd);
    client.release(broken);
  };
  const keys = `${classes[key.kind]}, $1::integer`;
  let taken = false;
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${keys}) as taken`, [key.id]);
    taken = rows[0]?.taken === true;
  } catch (error) {
    giveBack(true);
    throw error;
  }
  if (!taken) {
    giveBack(false);
    return undefined;
  }
  let released = false;
  return {
    lost: lost.signal,
    async check() {
      if (lost.signal.aborted || released) return false;
      try {
        await client.query('select 1');
      } catch (error) {
        lost.abort(error);
      }
      return !lost.signal.aborted;
    },
    async release() {
      if (released) return;
      released = true;
      if (lost.signal.aborted) {
        giveBack(true);
        return;
      }
      const unlocked = await client.query(`select pg_advisory_unlock(${keys})`, [key.id]).then(
        () => true,
        () => false,
      );
      // A connection that cannot unlock must not go back with the lock on it.
      giveBack(!unlocked);
    },
  };
}

export interface KeptLock {
  release(): Promise<void>;
}

const takeAgainMs = 300;

/** Takes a lock that is nobody else's by its number, and takes it again whenever its connection was lost. */
export async function keepLock(pool: pg.Pool, key: LockKey): Promise<KeptLock> {
  let released = false;
  let lock = await tryLock(pool, key);
  let timer: NodeJS.Timeout | undefined;
  const takeLater = () => {
    if (!released) timer = setTimeout(() => void take(), takeAgainMs).unref();
  };
  const watch = () => lock?.lost.addEventListener('abort', takeLater, { once: true });
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
