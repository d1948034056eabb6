// What a worker is made of, in a process of its own or beside the scheduler.
import { systemClock } from '../../core/clock.ts';
import { createPool } from '../../db/pool.ts';
import { otherWork } from '../../jobs/kinds/other-work.ts';
import type { WorkerOptions } from '../../jobs/worker/worker.ts';
import type { Terminal } from './context.ts';
import type { LiveSettings } from './live-settings.ts';

/** Connections of a worker, those for its lock and for news of the queue among them, however many accounts it has. */
export const workerConnections = 16;

export function workerOptions(
  terminal: Terminal,
  live: LiveSettings,
  warehouseUrl: string,
  given: Pick<WorkerOptions, 'emit' | 'kinds' | 'accountsAtOnce' | 'onState' | 'onJobEnd'>,
): WorkerOptions {
  const { config, logger } = live.first;
  return {
    ...given,
    openPool: (applicationName) =>
      createPool({
        connectionString: warehouseUrl,
        max: Math.min(config.databaseConnections, workerConnections),
        applicationName,
      }),
    current: () => live.current(),
    work: ({ pool, db }) => otherWork({ ...live.current(), pool, db, warehouseUrl, env: terminal.env }),
    clock: systemClock,
    logger,
  };
}
