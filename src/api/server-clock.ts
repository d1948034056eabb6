// The server's clock, by the Date header of an answer, and whether it shows another day than ours.
import { type RunDate, runDateIn } from '../core/run-date.ts';
import { headerText, type RawHead } from './exchange.ts';

/**
 * The server's clock less ours, ms, give or take a second; undefined: no usable Date header. The header says whole
 * seconds, rounded down, of some moment between request and answer; a cache says by Age how long ago that was.
 */
export function clockAhead({ headers }: RawHead, startedAtMs: number, headAtMs: number): number | undefined {
  const serverMs = Date.parse(headerText(headers['date']) ?? '');
  if (Number.isNaN(serverMs)) return undefined;
  const ageS = Number(headerText(headers['age']) ?? 0);
  const ageMs = Number.isFinite(ageS) && ageS > 0 ? ageS * 1_000 : 0;
  return serverMs + ageMs + 500 - (startedAtMs + headAtMs) / 2;
}

/** Clocks that differ by less are taken for equal: then the day of ours counts. */
const clockToleranceMs = 5 * 60_000;

export interface OtherDay {
  readonly ours: RunDate;
  readonly theirs: RunDate;
}

/** The dates that both clocks show, where they are not the same one. */
export function otherDay(aheadMs: number, nowMs: number, timeZone: string): OtherDay | undefined {
  if (Math.abs(aheadMs) <= clockToleranceMs) return undefined;
  const ours = runDateIn(timeZone, new Date(nowMs));
  const theirs = runDateIn(timeZone, new Date(nowMs + aheadMs));
  return ours === theirs ? undefined : { ours, theirs };
}
