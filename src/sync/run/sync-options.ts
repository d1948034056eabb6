// What a batch is given: what it works with, and what is asked of it.
import type pg from 'pg';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import type { DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import type { PlanQuestion } from '../plan/plan-facts.ts';
import type { DayWatch } from './day-watch.ts';
import type { SyncListener } from './events.ts';

export interface SyncDeps {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
}

/** What a batch works with: what its runs share. */
export interface RunDeps extends SyncDeps {
  readonly retry: DatabaseRetry;
  readonly day: Pick<DayWatch, 'look'>;
}

/** What is asked of each account's run. */
export interface RunOptions extends PlanQuestion {
  /** The run date is the one that our clock shows, so that of the server must show it too. Default: given by hand. */
  readonly isOwnDate?: boolean | undefined;
  /** Name of the job, or `sync` for one run by hand. */
  readonly job: string;
  /** Streams whose vanished records are gone, as somebody said. */
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  /** Ends the run at once; what is stored stays. */
  readonly signal: AbortSignal;
  /** Begins no slice any more, stores the pages in flight, and ends. */
  readonly stop: AbortSignal;
}

export interface SyncOptions extends RunOptions {
  readonly accounts: readonly AccountConfig[];
  /** It is the job's, and leaves it as due as it was: another run date than that of today. Default: no. */
  readonly isAside?: boolean;
  /** The moment of the schedule that the batch answers. */
  readonly dueAt?: Date | undefined;
}
