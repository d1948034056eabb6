// The connection on which a process holds all its advisory locks, however many runs it works on. One for each
// pool, taken with the first lock and given back with the last.
import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type pg from 'pg';

/**
 * A machine that is lost closes nothing: the server asks it, and has its locks free after half a minute. The last one is
 * for an answer that nobody confirms, about which the first three never ask. The server may end no session for being idle.
 */
const settings = `set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 30000; set idle_session_timeout = 0`;

export class LockSession {
  /** Locks that are held on it or asked for: Postgres would grant a lock again to the session that has it. */
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
    // One a lock: Node would warn of a leak from the eleventh on.
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

  /** Each user calls this once. */
  leave(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#leaveForGood(false);
  }

  /** @throws when it cannot connect, or the query fails: the connection is then lost, because its locks are not known */
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

/** The session of a pool, a new one where there is none or it was lost. Leave it once. */
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
