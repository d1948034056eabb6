// Whether one stream of one client is as it should be: the rule by which `airank status` calls a warehouse fine. Pure.
// What is not known is never fine.
import { dayMs } from '../core/run-date.ts';
import type { SliceStatus } from '../db/database.ts';

export type ScopeState =
  /** Published, and young enough. */
  | 'complete'
  /** The account does not have it, as the rules of validation say. */
  | 'unavailable'
  /** Waits for requests, and what is published is young enough. */
  | 'deferred'
  /** A living run has it or comes to it, and what is published is young enough. */
  | 'running'
  | 'never_synced'
  | 'failed'
  /** Planned or begun, and no living run works on it. */
  | 'unfinished'
  /** Older than it may be, whatever is done about it. */
  | 'stale'
  /** Its run date has not come yet, so it says nothing of today. */
  | 'future';

const fine: ReadonlySet<ScopeState> = new Set(['complete', 'unavailable', 'deferred', 'running']);

export function isFine(state: ScopeState): boolean {
  return fine.has(state);
}

export interface ScopeFacts {
  /** Its newest slice; undefined: it was never planned. */
  readonly slice:
    | {
        readonly runDate: string;
        readonly status: SliceStatus;
        /** An attempt of that run date ended by itself; false: it has only waited, or was cut off. */
        readonly isTried: boolean;
        /** The newest run date of its account. */
        readonly isNewest: boolean;
      }
    | undefined;
  /** Newest run date that is published; undefined: none. */
  readonly published: string | undefined;
  /** Oldest run date that it was planned for. */
  readonly plannedSince: string | undefined;
  /** A living run of its account works on its stream. */
  readonly isRunning: boolean;
}

export interface ScopeRule {
  readonly today: string;
  /** What is published may be so many days old. */
  readonly mayBeDays: number;
}

export function judgeScope(facts: ScopeFacts, { today, mayBeDays }: ScopeRule): ScopeState {
  const { slice, published, plannedSince, isRunning } = facts;
  if (slice === undefined) return isRunning ? 'running' : 'never_synced';
  const { runDate, status, isTried, isNewest } = slice;
  if (runDate > today || (published ?? '') > today) return 'future';
  // Of an older run date only what ended by itself failed: the rest is cut off when the next date begins.
  if (status === 'failed' && (isTried || isNewest) && !isRunning) return 'failed';
  const isEnd = status === 'complete' || status === 'unavailable';
  const since = isEnd ? runDate : (published ?? plannedSince ?? runDate);
  if (daysBetween(since, today) > mayBeDays) return 'stale';
  if (isEnd) return status;
  if (isRunning) return 'running';
  return status === 'deferred' || status === 'failed' ? 'deferred' : 'unfinished';
}

/** Whole calendar days from one date to another; negative: that one is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}
