// Dates as texts, and the days between them.
import { dayMs } from '../../../core/run-date.ts';
import type { Period } from './chart.ts';

/** Days since 1970; NaN: no date. */
export function dayOf(date: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) / dayMs : Number.NaN;
}

/** `2026-04-03`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function isWithin(date: string | null, { from, to }: Period): date is string {
  return date !== null && date >= from && date <= to;
}

/** The Monday of its week. */
export function mondayOf(date: string): string {
  const day = dayOf(date);
  // 1970 began on a Thursday.
  return Number.isNaN(day) ? date : dateOf(day - ((((day + 3) % 7) + 7) % 7));
}

/** Where a date of the period beside it stands on the axis of the period: as far from its beginning. */
export function shiftedOnto(period: Period, compare: Period, date: string): string {
  const day = dayOf(date) - dayOf(compare.from) + dayOf(period.from);
  return Number.isNaN(day) ? date : dateOf(day);
}

/** The usual number of days from one date to the next: the median. @param dates in order */
export function usualStepDays(dates: readonly string[]): number {
  const steps = dates
    .slice(1)
    .map((date, place) => dayOf(date) - dayOf(dates[place] ?? ''))
    .filter((days) => days > 0)
    .sort((one, other) => one - other);
  return steps[Math.floor((steps.length - 1) / 2)] ?? 1;
}
