// Advisory locks of this process. The holder of a lock is told when the connection, and with it the lock, is lost.
import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type pg from 'pg';
import { processLocks } from './lock-keys.ts';

/**
 * A machine that is lost closes nothing: the server probes the connection, and frees its locks after half a
 * minute. The last setting is for an answer that nobody confirms, which the first three do not cover. The
 * server must end no session for being idle.
 */
const settings = `set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 30000; set idle_session_timeout = 0`;

class LockSession {
  /** Locks that are held or asked for here: Postgres would grant a lock again to the session that has it. */
  readonly held = new Set<string>();
  readonly #lost = new AbortController();
  // pg 8 warns of a client that is asked while it works.
  readonly #queries = new PQueue({ concurrency: 1 });
  readonly #client: Promise<pg.PoolClient>;
  readonly #forget: () => void;
  #users = 0;
  #gone = false;

  constructor(pool: pg.Pool, forget: () => void) {
    this.#forget = forget;
    // A listener for each lock: Node would warn of a leak from the eleventh on.
    setMaxListeners(0, this.#lost.signal);
    this.#client = connect(pool);
    this.#client.then(
      (client) => {
        client.once('error', this.#lose);
        client.once('end', this.#loseAtEnd);
      },
      () => this.#leaveForGood(false),
    );
  }

  /** Aborted when the connection is lost; other processes may then take its locks. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  join(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#leaveForGood(false);
  }

  /** @throws if it cannot connect or the query fails; the connection then counts as lost: its locks are not known */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const client = await this.#client;
    return await this.#queries.add(async () => {
      this.lost.throwIfAborted();
      try {
        return (await client.query(text, [...values])).rows;
      } catch (error) {
        this.#lose(error);
        throw error;
      }
    });
  }

  readonly #lose = (error: unknown): void => {
    this.#leaveForGood(true);
    this.#lost.abort(error);
  };

  readonly #loseAtEnd = (): void => this.#lose(new Error('Connection terminated while it held locks'));

  #leaveForGood(broken: boolean): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#forget();
    this.#client.then(
      (client) => {
        client.off('error', this.#lose);
        client.off('end', this.#loseAtEnd);
        client.release(broken);
      },
      () => undefined,
    );
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(settings);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const sessions = new WeakMap<pg.Pool, LockSession>();

/** Returns the session of a pool; a new one if there was none or it was lost. Leave it once. */
export function joinSession(pool: pg.Pool): LockSession {
  let session = sessions.get(pool);
  if (session === undefined) {
    const fresh = new LockSession(pool, () => {
      if (sessions.get(pool) === fresh) sessions.delete(pool);
    });
    sessions.set(pool, fresh);
    session = fresh;
  }
  session.join();
  return session;
}

export interface LockKey {
  readonly kind: keyof typeof processLocks;
  readonly id: number;
}

export interface SessionLock {
  readonly lost: AbortSignal;
  /** Asks the server, so that a broken connection is noticed. */
  check(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Tries to take a lock; undefined: it is held already, here or by another process. Rejects when the database
 * cannot be reached.
 */
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

interface HeldLock {
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
