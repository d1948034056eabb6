// Dates as texts, and the days between them.

import { dayMs } from '../../../core/run-date.ts';
import type { Language, Period } from './chart.ts';

/** Months of dates: `2026-04` of `2026-04-03`. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** `Apr 2026`, in Spanish `abr 2026`; `long`: `April 2026`, `abril de 2026`. A text that is no month stays as it is. */
export function formatMonth(month: string, language: Language, length: 'short' | 'long' = 'short'): string {
  const time = /^\d{4}-\d{2}$/.test(month) ? Date.parse(`${month}-01T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) return month;
  const format = { month: length, year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', format).format(time);
}

/** Every month from the first to the last, those without data too. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = first.split('-').map(Number);
  for (
    let next = first;
    next <= last;
    next = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
  ) {
    months.push(next);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return months;
}

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
