// Decides whether a walk that lacks published records is confirmed. Pure.
import { mostLacking } from '../store/scopes/scope-history.ts';

export interface LossFacts {
  readonly stored: number;
  /** Number of records that the walk lacks; if content is the identity, how many fewer there are. */
  readonly lost: number;
  readonly found: number;
  readonly thresholds: { readonly records: number; readonly percent: number };
}

/** A list of at least this size does not become empty without proof. */
const emptyFrom = 5;
/** An archive of at least this size does not become empty within one run date, even with proof. */
const emptyArchiveFrom = 20;
const usualFactor = 1.5;
const agreeingShare = 0.9;
const agreeingCounts = 0.05;

/** True if the loss alone needs proof, whatever is usual. */
export function isLarge({ stored, lost, found, thresholds }: LossFacts): boolean {
  if (lost <= 0) return false;
  if (found === 0 && stored >= emptyFrom) return true;
  return lost > Math.max(thresholds.records, (stored * thresholds.percent) / 100);
}

/** @param recentLosses records that the last full refreshes lost */
export function isUsual({ lost, found }: LossFacts, recentLosses: readonly number[]): boolean {
  return found > 0 && lost <= usualFactor * median(recentLosses);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? 0;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** An archive does not lose everything at once: its proof has to come on a later run date. */
export function needsLaterDate({ stored, found }: LossFacts, isArchive: boolean): boolean {
  return isArchive && found === 0 && stored >= emptyArchiveFrom;
}

export interface EarlierLoss {
  readonly runDate: string;
  /** True if at least half an hour old, long enough for a fault to pass. */
  readonly isOver: boolean;
  /** Keys that the earlier walk lacked, or a sample of them. */
  readonly lacking: readonly string[];
  readonly found: number;
}

interface SecondWalk {
  readonly runDate: string;
  readonly lacking: readonly string[];
  readonly found: number;
  readonly isByContent: boolean;
  readonly needsLaterDate: boolean;
}

/** True if a second walk, half an hour or a run date later, agrees with the one before it. */
export function confirms(before: EarlierLoss, now: SecondWalk): boolean {
  if ((now.needsLaterDate || !before.isOver) && before.runDate >= now.runDate) return false;
  if (now.isByContent)
    return Math.abs(before.found - now.found) <= agreeingCounts * Math.max(before.found, now.found);
  const lacking = new Set(now.lacking);
  const again = before.lacking.filter((key) => lacking.has(key)).length;
  return again >= agreeingShare * before.lacking.length;
}

/** Returns the keys that only this walk lacks, which therefore stay. If not all were stored, the sample decides. */
export function notLackedBefore(before: readonly string[], lacking: readonly string[]): string[] {
  if (before.length >= mostLacking) return [];
  const lacked = new Set(before);
  return lacking.filter((key) => !lacked.has(key));
}
