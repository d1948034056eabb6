// How a run may end for the slice under attack: the words of the table of wanted outcomes.
import type { FaultName } from './faults/all.ts';
import type { Kind } from './kinds.ts';

export type End =
  /** Exit 0, `complete`, and what the server's world holds on that day is visible. */
  | 'truth'
  /** Exit 0, `complete`, and what the answer under attack says is visible: it was believed. */
  | 'claim'
  /** Exit 1, `failed` with an error in words, and what the answer says is visible: it is published, and not enough. */
  | 'claim in need'
  /** Exit 0, `unavailable`; what was published before stays as it was. */
  | 'no data'
  /** Exit 1, `failed` with an error in words; what was published before stays as it was. */
  | 'failed'
  /** Exit 3, `deferred`; what was published before stays as it was. */
  | 'deferred'
  /** Exit 0, `complete`: every record of the day's truth once, and perhaps newer ones of the same walk. */
  | 'at least'
  /** Exit 0 or 1: all records but the refused one are the day's truth; of that one nothing, or what was before. */
  | 'others';

type Ends = End | `${End}|${End}` | `${End}|${End}|${End}`;

/**
 * While a fault lasts: how each run date may end; the last one holds for all that follow. A second plain sync
 * of the same date may end as that date may, and takes nothing back that was published.
 */
type ByDate = readonly [Ends, ...Ends[]];

export interface Wanted {
  readonly fault: FaultName;
  readonly kinds: readonly Kind[];
  /** One bad answer, or one bad walk where the fault is about the walk; then all is well. */
  readonly once: { readonly never: Ends; readonly had: Ends };
  /** For ever, for a stream that never had data, and for one that had. */
  readonly never: ByDate;
  readonly had: ByDate;
  /**
   * When the truth is back after the fault is cleared. `sync`: by a plain sync of the same date; `next`: by that of
   * the next run date; `third`: by that of the third; `week`: within eight. Default: `sync` where the last run failed, was deferred, or
   * found a stream unavailable that once had data; `next` where something was believed.
   */
  readonly heals?: 'sync' | 'next' | 'third' | 'week';
  /** The same where it was wrong once. */
  readonly healsOnce?: 'sync' | 'next';
  /** Most requests of one run for the slice under attack. */
  readonly requests?: number;
  /** The key itself is closed: other slices may wait too. */
  readonly closesKey?: true;
}

export function endsOf(ends: Ends): readonly End[] {
  return ends.split('|') as End[];
}

/** How the n-th run date (from 1) may end. */
export function endsOn(byDate: ByDate, n: number): readonly End[] {
  return endsOf(byDate[Math.min(n, byDate.length) - 1] ?? byDate[0]);
}
