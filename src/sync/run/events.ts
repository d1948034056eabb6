// What a run tells while it works: for the progress display, the log and the tests.
import type { SliceStatus } from '../../warehouse/connection/database.ts';
import type { Scope } from '../../warehouse/slices/slices.ts';

export type SliceEnd = Exclude<SliceStatus, 'planned' | 'walking' | 'pruned'> | 'stopped' | 'not_started';

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
  /** Not requested, because an archive was walked from its head. */
  readonly pagesSaved: number;
  /** Records that a full walk found beyond the reach of walks from the head. */
  readonly late: number;
  /** Failed without a request: it needs more than a whole day's requests. */
  readonly tooLarge: boolean;
}

export type SyncEvent =
  | { readonly kind: 'planned'; readonly account: string; readonly slices: number; readonly requests: number }
  /** One attempt was answered or failed. */
  | {
      readonly kind: 'request';
      readonly account: string;
      /** Undefined: no answer came. */
      readonly status: number | undefined;
      readonly remainingToday: number | undefined;
    }
  | { readonly kind: 'page'; readonly scope: Scope; readonly pageNo: number; readonly records: number }
  | { readonly kind: 'slice'; readonly outcome: SliceOutcome }
  | { readonly kind: 'account_ended'; readonly account: string; readonly reason: string }
  | { readonly kind: 'budget_ended'; readonly account: string; readonly until: Date };

/** Must not throw. */
export type SyncListener = (event: SyncEvent) => void;
