// What a batch is given: what it works with, and what is asked of it.
import type pg from 'pg';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import type { WalkMode } from '../plan/plan.ts';
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

export interface SyncOptions {
  /** Name of the job, or `sync` for one run by hand. */
  readonly job: string;
  /** Of each account's run. */
  readonly runDate: RunDate;
  readonly accounts: readonly AccountConfig[];
  readonly streams: readonly Stream[];
  /** The stream that lists an account's clients; undefined when it is switched off. */
  readonly clientsStream: Stream | undefined;
  /** Undefined: the account itself and every client. */
  readonly clientIds: readonly string[] | undefined;
  /** Of the known clients only those, and not the account itself. */
  readonly clientFits?: ((clientId: string) => boolean) | undefined;
  /** Walk and publish again what this run date has already. */
  readonly again: boolean;
  /** Of that, slices published since then are skipped: an earlier attempt has done them. */
  readonly againSince?: Date | undefined;
  /** Streams whose vanished records are gone, as somebody said. */
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  /** `full`: archives are walked in full whatever the budget says. */
  readonly walk: WalkMode;
  /** It is the job's, and leaves it as due as it was: another run date than that of today. Default: no. */
  readonly isAside?: boolean;
  /** The moment of the schedule that the batch answers. */
  readonly dueAt?: Date | undefined;
  /** Ends the run at once; what is stored stays. */
  readonly signal: AbortSignal;
  /** Begins no slice any more, stores the pages in flight, and ends. */
  readonly stop?: AbortSignal;
}
