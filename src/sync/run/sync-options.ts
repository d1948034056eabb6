// Input of a batch, and the events that its runs report while they work: for the progress display, the log
// and the tests.
import type pg from 'pg';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor, SliceStatus } from '../../db/database.ts';
import type { OpenRun } from '../../status/open-runs.ts';
import type { Scope } from '../../store/slices/slices.ts';
import type { PlanQuestion } from '../plan/plan-facts.ts';
import type { Phase } from '../plan/selected-scopes.ts';
import type { DayWatch } from './day-watch.ts';

export type SliceEnd = Exclude<SliceStatus, 'planned' | 'walking'> | 'stopped' | 'not_started';

export interface SliceOutcome extends Scope {
  readonly end: SliceEnd;
  /** It was published before this run came to it: no request was made. */
  readonly already: boolean;
  readonly error: string | undefined;
  /** HTTP status of the answer that the error is about, if one came. */
  readonly status?: number | undefined;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly vanished: number;
  readonly unchanged: number;
  readonly keyConflicts: number;
  readonly pagesSaved: number;
  readonly late: number;
  /** When a second walk shows whether its loss is one; undefined: it is no first loss. */
  readonly looksAgainAt?: Date | undefined;
  /** Failed without a request: it needs more than a whole day's requests. */
  readonly tooLarge: boolean;
}

/** A slice of the plan and the requests that it is expected to take. */
export interface PlannedLoad {
  readonly stream: string;
  readonly clientId: string;
  readonly phase: Phase;
  /** 0: nothing to do. */
  readonly requests: number;
  /** It was never synced: its list may have more pages, or its records are not counted yet. */
  readonly isAtLeast: boolean;
  /** Stream whose records have these details; undefined: not details. */
  readonly detailsOf: string | undefined;
}

export type SyncEvent =
  /** Before each phase, with the slices of all phases as far as they are known. */
  | {
      readonly kind: 'planned';
      readonly account: string;
      readonly phase: Phase;
      readonly loads: readonly PlannedLoad[];
      readonly perMinute: number;
      readonly until: Date;
    }
  | { readonly kind: 'begun'; readonly scope: Scope }
  /** A slice is walked by the run of another process, which is waited for. Told again while that lasts. */
  | { readonly kind: 'waiting'; readonly account: string; readonly run: OpenRun }
  /** No request goes out before: a full minute, or a pause asked for. Told again while it lasts. */
  | { readonly kind: 'full'; readonly account: string; readonly until: Date; readonly isAsked: boolean }
  /** The database is away since then, or has no connection free; undefined: it is back. */
  | { readonly kind: 'database'; readonly since: Date | undefined }
  /** One attempt was answered or failed. */
  | {
      readonly kind: 'request';
      readonly account: string;
      readonly status: number | undefined;
      readonly remainingToday: number | undefined;
    }
  | { readonly kind: 'page'; readonly scope: Scope; readonly pageNo: number; readonly records: number }
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
  /** The run date is that of our clock, so the server's must show it too. Default: given by hand. */
  readonly isOwnDate?: boolean | undefined;
}

/** Signals that end a run before its time. */
export interface RunEnds extends Pick<DayWatch, 'look'> {
  /** Ends the run at once; what is stored stays. */
  readonly signal: AbortSignal;
  /** Begins no slice any more, stores the pages in flight, and ends. */
  readonly stop: AbortSignal;
}

export interface SyncOptions extends RunQuestion, Pick<RunEnds, 'signal'> {
  /** Name of the job, or `sync` for one run by hand. */
  readonly job: string;
  readonly accounts: readonly AccountConfig[];
  /** It has another run date than today's, so it leaves the job as due as it was. Default: no. */
  readonly isAside?: boolean;
}
