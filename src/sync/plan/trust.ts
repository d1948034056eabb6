// Whether an archive may be walked from its head: learned from how deep its recent full walks found changes.
// Pure. A change that a head walk would have missed doubles the number of clean full walks that are needed.
import { dayMs } from '../../core/run-date.ts';
import { hashText } from '../../core/text.ts';
import type { FullWalk } from '../../store/slices/walk-history.ts';

export interface Trust {
  /** Recent full walks in a row that a walk from the head would have matched. */
  readonly clean: number;
  /** How many of them it takes. */
  readonly needed: number;
  /** Recent full walks with changes that a walk from the head would have missed. */
  readonly surprises: number;
  /** Pages that a head walk walks at least: the deepest change of the clean walks and a margin. */
  readonly leastPages: number;
}

/** Full walks that are looked at; an older surprise is forgiven. */
const memory = 8;
const leastClean = 2;
const mostClean = 6;

/** @param fullWalks newest first */
export function trustOf(fullWalks: readonly FullWalk[]): Trust {
  const recent = fullWalks.slice(0, memory);
  const surprises = recent.filter((walk) => walk.late > 0).length;
  const firstUnclean = recent.findIndex((walk) => !isClean(walk));
  const clean = firstUnclean === -1 ? recent : recent.slice(0, firstUnclean);
  const deepest = Math.max(0, ...clean.map((walk) => walk.depth ?? 0));
  return {
    clean: clean.length,
    needed: Math.min(leastClean * 2 ** surprises, mostClean),
    surprises,
    leastPages: deepest + marginOf(deepest),
  };
}

export function isTrusted(trust: Trust): boolean {
  return trust.clean >= trust.needed;
}

/** One page, and a quarter of the depth. */
function marginOf(depth: number): number {
  return 1 + Math.floor(depth / 4);
}

/** A repeated or missing key makes it uncertain which stored record is which. */
function isClean(walk: FullWalk): boolean {
  return walk.depth !== null && walk.late === 0 && walk.keyConflicts === 0;
}

/**
 * Whether the full walk is due: once in `everyDays`. Each scope has a day of its own, so that the full walks of
 * many scopes do not fall on one day.
 */
export function isFullWalkDue(
  scope: { readonly stream: string; readonly clientId: string },
  dates: { readonly lastFull: string; readonly runDate: string },
  everyDays: number,
): boolean {
  const phase = hashText(`${scope.stream} ${scope.clientId}`) % everyDays;
  const round = (date: string) => Math.floor((dayNumber(date) + phase) / everyDays);
  return round(dates.runDate) > round(dates.lastFull);
}

/** Whole days since 1970. */
export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / dayMs);
}
