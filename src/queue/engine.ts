// The queue of jobs: graphile-worker on the warehouse's own Postgres. Nothing else starts it or names its tables in
// TypeScript.

import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { systemClock } from '../core/clock.ts';
import { WarehouseError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { createDatabaseRetry } from '../db/retry-on-disconnect.ts';
import { codeOf, isConnectionLost } from '../db/sqlstate.ts';
import type { JobKind } from './enqueue.ts';

/** Schema of its own: a database may hold another program's queue of the same library. */
const queueSchema = 'airank_jobs';

export interface QueueJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly payload: unknown;
  /** Starts so far, this one included. */
  readonly tries: number;
}

interface EngineOptions {
  readonly pool: pg.Pool;
  readonly kinds: readonly JobKind[];
  /** Rejects: the job is tried again after a pause. */
  readonly work: (job: QueueJob) => Promise<void>;
  readonly atOnce: number;
  /** Registers what the engine writes into `locked_by`, before the first job is taken. */
  readonly register: (pool: string) => Promise<void>;
  /** Aborted when its jobs may be others': it asks the database nothing more. */
  readonly lost: AbortSignal;
  /** Called when it no longer knows which jobs it has; only a new engine can go on. */
  readonly onBroken: (error: unknown) => void;
  readonly logger: Logger;
}

interface Engine {
  /** Takes no job any more; resolves when those that were taken have ended. Never rejects. */
  stop(): Promise<void>;
}

/** Pause between looks for jobs that came due; new ones are announced at once. */
const pollMs = 1_000;

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { pool, kinds, work, atOnce, register, lost, onBroken, logger } = options;
  await installQueue(pool);
  const { Logger: EngineLogger, runTaskList } = await import('graphile-worker');
  let begin: () => void = () => undefined;
  const registered = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tasks = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      async (payload: unknown, { job }: { job: { id: string; attempts: number } }) =>
        await work({ id: job.id, kind, payload, tries: job.attempts }),
    ]),
  );
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  const patient = enginePool(pool, { lost, stopping: stopping.signal, onBroken });
  const taking = runTaskList(
    {
      pgPool: patient,
      schema: queueSchema,
      concurrency: atOnce,
      pollInterval: pollMs,
      noHandleSignals: true,
      logger: new EngineLogger(() => (_level, message) => logger.debug({ event: 'queue.log', message })),
      // Each of its workers waits here before it looks for its first job.
      preset: {
        plugins: [{ name: 'airank', version: '1', worker: { hooks: { startWorker: () => registered } } }],
      },
    },
    tasks,
    patient,
  );
  // It ends by stop() only; what goes wrong then was logged.
  taking.promise.catch(() => undefined);
  const stop = () => {
    stopping.abort();
    stopped ??= Promise.resolve(taking.gracefulShutdown())
      .catch((error: unknown) => logger.debug({ event: 'queue.stop_failed', err: error }))
      .then(() => undefined);
    begin();
    return stopped;
  };
  try {
    await register(taking.id);
  } catch (error) {
    await stop();
    throw error;
  }
  begin();
  return { stop };
}

interface EnginePoolOptions {
  /** Aborted when others may have the jobs: nothing more is asked. */
  readonly lost: AbortSignal;
  /** Aborted when no answer is waited for any more. */
  readonly stopping: AbortSignal;
  /** Called when a statement got no answer, so nobody knows which jobs it took or gave back. */
  readonly onBroken: (error: unknown) => void;
}

type Connected = Parameters<pg.Pool['connect']>[0];
type Statement = Parameters<pg.ClientBase['query']>[0];

const nothing = { rows: [], rowCount: 0 };

/**
 * Wraps the pool so that nothing the library asks for fails. graphile-worker 0.17.3 drops promises that nobody can
 * catch (`completeJob(job)`, `failJob(…)` in its worker.js): one lost connection would end the process as an
 * unhandled rejection. A handler for the whole process would catch those of others too.
 */
export function enginePool(pool: pg.Pool, options: EnginePoolOptions): pg.Pool {
  const ended = AbortSignal.any([options.lost, options.stopping]);
  // Each of the library's workers waits: from the eleventh on Node would warn of a leak, in the middle of the log.
  setMaxListeners(0, ended);
  const retry = createDatabaseRetry({ clock: systemClock, patienceMs: () => Number.POSITIVE_INFINITY });
  const query = async (statement: Statement) => {
    try {
      return await retry(() => ask(pool, statement, options.lost), ended);
    } catch (error) {
      const cause = error instanceof UnansweredError ? error.cause : error;
      // serialization_failure, deadlock_detected: the library asks again by itself.
      if (['40001', '40P01'].includes(codeOf(cause) ?? '')) throw error;
      // Gave up waiting at the stop: nothing was asked.
      const isUnasked = ended.aborted && error instanceof WarehouseError;
      if (!options.lost.aborted && !isUnasked) options.onBroken(cause);
      return nothing;
    }
  };
  const client = { query, release: () => undefined };
  const connect = (given?: Connected) =>
    given === undefined ? Promise.resolve(client) : pool.connect(releasedOnce(given));
  return Object.create(pool, { connect: { value: connect } });
}

/** A connection that ends under a statement: nobody knows what that did, so it is not done twice. */
class UnansweredError extends Error {}

async function ask(pool: pg.Pool, statement: Statement, lost: AbortSignal): Promise<unknown> {
  const client = await pool.connect();
  try {
    // It took time to connect: others may have the jobs by now.
    lost.throwIfAborted();
    return await client.query(statement);
  } catch (error) {
    throw isConnectionLost(error) ? new UnansweredError('No answer', { cause: error }) : error;
  } finally {
    client.release();
  }
}

/** Ignores a second release: on a lost database the stopping library releases twice, and pg throws. */
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

/** Makes the tables of the queue where they are not there yet. Safe from several processes at once. */
export async function installQueue(pool: pg.Pool): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  // Without its first table the library makes the schema too, for which a role needs a right on the database.
  await pool.query(`do $$ begin
    if to_regnamespace('${queueSchema}') is not null then
      create table if not exists ${queueSchema}.migrations (
        id integer primary key, ts timestamptz not null default now(), breaking boolean not null default false);
    end if;
  end $$`);
  await runMigrations({ pgPool: pool, schema: queueSchema, logger: new Logger(() => () => undefined) });
}
