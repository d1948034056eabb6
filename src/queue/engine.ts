// The queue of jobs: graphile-worker on the warehouse's own Postgres. Nothing else starts it or names its tables in
// TypeScript.
import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import { enginePool } from './engine-pool.ts';
import { loadLibrary } from './library.ts';

/** What a job of the queue says. */
export interface QueueJob {
  readonly id: string;
  readonly payload: unknown;
  /** How often it was begun, this time too. */
  readonly tries: number;
}

export interface EngineOptions {
  readonly pool: pg.Pool;
  /** By kind: what is done with a job. Rejects: the job is tried again after a pause. */
  readonly kinds: Readonly<Record<string, (job: QueueJob) => Promise<void>>>;
  readonly atOnce: number;
  /** Registers what the engine writes into `locked_by`, before the first job is taken. */
  readonly register: (pool: string) => Promise<void>;
  /** Its jobs may be others' from then on: it asks the database nothing more. */
  readonly lost: AbortSignal;
  /** It cannot know any more which jobs it has; only a new one can go on. */
  readonly onBroken: (error: unknown) => void;
  readonly logger: Logger;
}

export interface Engine {
  /** Takes no job any more; resolves when those that were taken have ended. Never rejects. */
  stop(): Promise<void>;
}

/** Of its own: a database may hold another program's queue of the same library. */
export const queueSchema = 'airank_jobs';

/** How often it looks for jobs that came due; it is told of new ones at once. */
const pollMs = 1_000;
/** The engine frees jobs by age, which may be those of a living worker: the longest time that a timer takes. */
const neverMs = 2 ** 31 - 1;

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { pool, kinds, atOnce, register, lost, onBroken, logger } = options;
  const { Logger: EngineLogger, runTaskList } = await loadLibrary();
  let begin: () => void = () => undefined;
  const registered = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tasks = Object.fromEntries(
    Object.entries(kinds).map(([kind, work]) => [
      kind,
      async (payload: unknown, { job }: { job: { id: string; attempts: number } }) =>
        await work({ id: job.id, payload, tries: job.attempts }),
    ]),
  );
  let stopping: Promise<void> | undefined;
  const patient = enginePool(pool, { lost, stopping: () => stopping !== undefined, onBroken });
  const taking = runTaskList(
    {
      pgPool: patient,
      schema: queueSchema,
      concurrency: atOnce,
      pollInterval: pollMs,
      noHandleSignals: true,
      minResetLockedInterval: neverMs,
      maxResetLockedInterval: neverMs,
      logger: new EngineLogger(() => (_level, message) => logger.debug({ event: 'queue.said', message })),
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
    stopping ??= Promise.resolve(taking.gracefulShutdown())
      .catch((error: unknown) => logger.debug({ event: 'queue.stop_failed', err: error }))
      .then(() => undefined);
    begin();
    return stopping;
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
