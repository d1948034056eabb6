// Input of a batch, and the events of its runs: for the progress display, the log and the tests.
import type pg from 'pg';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor, SliceStatus } from '../../db/database.ts';
import type { Published } from '../../publish/publish.ts';
import type { VersionCounts } from '../../publish/versions.ts';
import type { OpenRun } from '../../status/open-runs.ts';
import type { Scope } from '../../store/slices/slices.ts';
import type { PlanQuestion } from '../plan/plan-facts.ts';
import type { Phase } from '../plan/selected-scopes.ts';
import type { DayWatch } from './day-watch.ts';

/** Counts of a publish. */
export type Counts = VersionCounts & Pick<Published, 'keyConflicts' | 'pagesSaved' | 'late'>;

export type SliceEnd = Exclude<SliceStatus, 'planned' | 'walking'> | 'stopped' | 'not_started';

export interface SliceOutcome extends Scope, Counts {
  readonly end: SliceEnd;
  readonly already: boolean;
  readonly error: string | undefined;
  readonly status?: number | undefined;
  /** Time of the second walk that shows whether the loss is real; undefined if this is no first loss. */
  readonly looksAgainAt?: Date | undefined;
  readonly tooLarge: boolean;
}

export interface PlannedLoad {
  readonly stream: string;
  readonly clientId: string;
  readonly phase: Phase;
  readonly requests: number;
  /** Never synced: its list may have more pages, or its records are not counted yet. */
  readonly isAtLeast: boolean;
  readonly detailsOf: string | undefined;
}

export type SyncEvent =
  /** Sent before each phase, with the slices of all phases that are known. */
  | {
      readonly kind: 'planned';
      readonly account: string;
      readonly loads: readonly PlannedLoad[];
      readonly perMinute: number;
      readonly until: Date;
    }
  | { readonly kind: 'begun'; readonly scope: Scope }
  /** Another process walks a slice, and this run waits for it. Repeated while that lasts. */
  | { readonly kind: 'waiting'; readonly account: string; readonly run: OpenRun }
  /** No request goes out before `until`: a full minute, or a pause asked for. Repeated while it lasts. */
  | { readonly kind: 'full'; readonly account: string; readonly until: Date; readonly isAsked: boolean }
  /** The database has been away, or without a free connection, since then; undefined: it is back. */
  | { readonly kind: 'database'; readonly since: Date | undefined }
  | {
      readonly kind: 'request';
      readonly account: string;
      readonly status: number | undefined;
      readonly remainingToday: number | undefined;
    }
  | { readonly kind: 'page'; readonly scope: Scope }
  | { readonly kind: 'slice'; readonly outcome: SliceOutcome }
  | { readonly kind: 'account_ended'; readonly account: string; readonly reason: string }
  | { readonly kind: 'budget_ended'; readonly account: string; readonly until: Date };

/** Must not throw. */
export type SyncListener = (event: SyncEvent) => void;

export interface SyncDeps {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
}

/** Options of the walks of an account. */
export interface RunQuestion extends PlanQuestion {
  /** The run date comes from our clock, so the server's must show it too. Default: false, a date given by hand. */
  readonly isOwnDate?: boolean | undefined;
}

export interface RunEnds extends Pick<DayWatch, 'look'> {
  readonly signal: AbortSignal;
  /** Stops beginning slices, stores the pages in flight, and ends. */
  readonly stop: AbortSignal;
}

export interface SyncOptions extends RunQuestion, Pick<RunEnds, 'signal'> {
  /** Name of the job; `sync` for a run by hand. */
  readonly job: string;
  readonly accounts: readonly AccountConfig[];
  /** The run date is not today's, so the job stays as due as it was. Default: false. */
  readonly isAside?: boolean;
}
