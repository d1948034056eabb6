// Rings when a schedule comes due: one node-cron task a job. overdue.ts decides what is due, so a ring
// that comes late, twice or never does no harm.
import cron from 'node-cron';
import type { Logger } from '../../core/logger.ts';
import type { Job } from '../define-job.ts';
import { zoneOf } from './overdue.ts';

export interface Alarms {
  stop(): Promise<void>;
}

export function setAlarms(
  jobs: readonly Job[],
  defaultZone: string,
  ring: () => void,
  logger: Logger,
): Alarms {
  // node-cron writes to the console by itself otherwise.
  const quiet = {
    info: () => undefined,
    debug: () => undefined,
    warn: (message: string) => logger.debug({ event: 'cron.warned', message }),
    error: (error: string | Error) => logger.warn({ event: 'cron.failed', err: error }),
  };
  const tasks = jobs.flatMap((job) =>
    job.schedule === undefined
      ? []
      : [
          cron.schedule(job.schedule, ring, {
            name: job.name,
            timezone: zoneOf(job, defaultZone),
            logger: quiet,
            suppressMissedWarning: true,
          }),
        ],
  );
  return {
    stop: async () => {
      for (const task of tasks) await task.destroy();
    },
  };
}
