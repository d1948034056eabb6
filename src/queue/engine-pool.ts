// The pool as the queue's library gets it: nothing that it asks for fails. graphile-worker 0.17.3 lets some of its
// promises go (`completeJob(job)`, `failJob(…)` in its worker.js), so that one lost connection would end the process, and
// writes failures of others to the console, between the lines of the log.
import type pg from 'pg';
import { systemClock } from '../core/clock.ts';
import { codeOf, isConnectionLost, isDisturbance } from '../db/sqlstate.ts';

export interface EnginePoolOptions {
  /** Nothing is asked any more: others may have the jobs. */
  readonly lost: AbortSignal;
  /** No answer is waited for any more. */
  readonly stopping: () => boolean;
  /** A statement got no answer, so nobody knows which jobs it took or gave back. */
  readonly onBroken: (error: unknown) => void;
}

type Connected = Parameters<pg.Pool['connect']>[0];
type Statement = Parameters<pg.ClientBase['query']>[0];

const againMs = 1_000;
const nothing = { rows: [], rowCount: 0 };

export function enginePool(pool: pg.Pool, options: EnginePoolOptions): pg.Pool {
  const query = (statement: Statement) => answerOf(pool, statement, options);
  const client = { query, release: () => undefined };
  const connect = (given?: Connected) =>
    given === undefined ? Promise.resolve(client) : pool.connect(releasedOnce(given));
  return Object.create(pool, { connect: { value: connect } });
}

/** Asks again while the server is away or cannot work. Where that ends, the answer is empty. */
async function answerOf(
  pool: pg.Pool,
  statement: Statement,
  { lost, stopping, onBroken }: EnginePoolOptions,
): Promise<unknown> {
  while (!lost.aborted) {
    let asked = false;
    try {
      const client = await pool.connect();
      try {
        asked = true;
        return await client.query(statement);
      } finally {
        client.release();
      }
    } catch (error) {
      // serialization_failure, deadlock_detected: the library asks again by itself.
      if (['40001', '40P01'].includes(codeOf(error) ?? '')) throw error;
      if (!isDisturbance(error) || (asked && isConnectionLost(error))) {
        onBroken(error);
        break;
      }
    }
    if (stopping()) break;
    await systemClock.sleep(againMs, lost).catch(() => undefined);
  }
  return nothing;
}

/** The library gives its listening connection back a second time where the database goes away while it stops, and pg throws. */
function releasedOnce(given: NonNullable<Connected>): NonNullable<Connected> {
  return (error, client, done) => {
    let released = false;
    given(error, client, (reason?: unknown) => {
      if (released) return;
      released = true;
      done(reason);
    });
  };
}
