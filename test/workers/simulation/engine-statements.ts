// The statements of the queue's engine, as its workers send them, without its loops and timers: a simulation says when.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';

export interface TakenJob {
  readonly id: string;
  readonly job_queue_id: number | null;
  readonly payload: unknown;
}

export interface EngineStatements {
  /** Takes the next job for a pool; undefined: none is free. */
  take(pool: pg.Pool, lockedBy: string, kinds?: readonly string[]): Promise<TakenJob | undefined>;
  complete(pool: pg.Pool, lockedBy: string, job: TakenJob): Promise<void>;
  fail(pool: pg.Pool, lockedBy: string, job: TakenJob): Promise<void>;
}

type WithClient = ((work: (client: pg.Pool) => unknown) => unknown) & { withRetries: WithClient };
type Statement = (options: object, client: WithClient, ...more: readonly unknown[]) => Promise<unknown>;

/** Its modules of statements are not among what the package exports. */
function load(name: string): Readonly<Record<string, Statement>> {
  const require = createRequire(import.meta.url);
  return require(join(dirname(require.resolve('graphile-worker')), 'sql', `${name}.js`));
}

const takenJobs = z.array(
  z.object({ id: z.coerce.string(), job_queue_id: z.number().nullable(), payload: z.unknown() }),
);

export function engineStatements(): EngineStatements {
  const get = load('getJobs')['batchGetJobs'];
  const complete = load('completeJobs')['batchCompleteJobs'];
  const fail = load('failJobs')['batchFailJobs'];
  if (get === undefined || complete === undefined || fail === undefined)
    throw new Error('Expected the statements of graphile-worker 0.17.3, got another release');
  const options = {
    escapedWorkerSchema: 'airank_jobs',
    workerSchema: 'airank_jobs',
    resolvedPreset: { worker: { preparedStatements: false, useNodeTime: false } },
  };
  return {
    async take(pool, lockedBy, kinds = ['sync']) {
      // Known by name, so that each database learns its numbers of kinds anew.
      const found = await get(
        { ...options },
        clientOf(pool),
        Object.fromEntries(kinds.map((kind) => [kind, () => undefined])),
        lockedBy,
        null,
        1,
      );
      return takenJobs.parse(found)[0];
    },
    async complete(pool, lockedBy, job) {
      await complete(options, clientOf(pool), lockedBy, [job]);
    },
    async fail(pool, lockedBy, job) {
      await fail(options, clientOf(pool), lockedBy, [{ job, message: 'simulated' }]);
    },
  };
}

function clientOf(pool: pg.Pool): WithClient {
  const plain = (work: (client: pg.Pool) => unknown) => work(pool);
  const client: WithClient = Object.assign(plain, { withRetries: plain as WithClient });
  return client;
}
