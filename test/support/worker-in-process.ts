// A worker inside the test's process, with the sandbox and a real queue: what a scheduler would do is done by hand.

import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { packageVersion } from '../../src/core/files.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { saveSchedulerSettings } from '../../src/db/workers.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import { enqueueJob, settleBatches } from '../../src/jobs/schedule/queue-job.ts';
import { digestOf, sharedValues } from '../../src/jobs/schedule/share-settings.ts';
import { runWorker } from '../../src/jobs/worker/worker.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { silent } from './config-fixtures.ts';
import type { TestDatabase } from './test-database.ts';

export interface TestWorker {
  /** Entries that it logged so far. */
  readonly log: Record<string, unknown>[];
  stop(): Promise<void>;
}

/** The scheduler's part: stores its settings, gives jobs to the queue, settles what has ended. */
export function createLeader({ pool }: TestDatabase, config: Config) {
  const db = createDatabase(pool);
  const deps = { pool, db, config, clock: systemClock, logger: silent };
  return {
    share: async (shared = config) => {
      const values = sharedValues(shared, 'salt');
      const head = { version: packageVersion(), digest: digestOf(values), salt: 'salt' };
      await saveSchedulerSettings(db, { ...head, values });
    },
    enqueue: (job: Job, dueAt?: Date) => enqueueJob(deps, { job, dueAt }),
    settle: (store: () => Promise<void> = async () => undefined) =>
      settleBatches(deps, new AbortController().signal, store),
  };
}

/** @param current the configuration as it is now */
export function startWorker(
  { url }: Pick<TestDatabase, 'url'>,
  current: () => Config,
  accountsAtOnce = 4,
  longestRunMs?: number,
): TestWorker {
  const log: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const write = (line: string) => log.push(JSON.parse(line));
  const ended = runWorker(
    {
      openPool: (applicationName) => createPool({ connectionString: url, max: 8, applicationName }),
      current: () => ({ config: current(), streams: resolveStreams(current()) }),
      kinds: ['sync'],
      accountsAtOnce,
      ...(longestRunMs !== undefined && { longestRunMs }),
      work: () => {
        throw new Error('Only syncs are tested here');
      },
      clock: systemClock,
      logger: createLogger({ level: 'info', format: 'json', secrets: [], write }),
      emit: () => undefined,
    },
    stop.signal,
  );
  return {
    log,
    stop: async () => {
      stop.abort(new Error('SIGTERM'));
      await ended;
    },
  };
}
