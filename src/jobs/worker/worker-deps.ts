// What a worker works with, for all that it is handed on to.
import type pg from 'pg';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import type { DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import type { SyncListener } from '../../sync/run/events.ts';
import type { CurrentSettings } from '../schedule/current-settings.ts';
import type { OtherWork } from '../schedule/run-other-job.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
}

/** In one life of the worker. */
export interface LifeDeps extends WorkerDeps {
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly workerId: number;
  /** One for all that the worker does, so that an outage is logged once. */
  readonly retry: DatabaseRetry;
}

/** How jobs are done. */
export interface JobDeps {
  readonly current: () => CurrentSettings;
  /** Those that do not sync. */
  readonly work: (warehouse: { readonly pool: pg.Pool; readonly db: Executor }) => OtherWork;
  /** A job has ended. */
  readonly onJobEnd?: () => void;
}
