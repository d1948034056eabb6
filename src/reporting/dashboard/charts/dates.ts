// Days as numbers, for axes of time.
import { dayMs } from '../../../core/run-date.ts';

/** Returns days since 1970; NaN if it is not a date. */
export function dayOf(date: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) / dayMs : Number.NaN;
}

export function addDays(date: string, days: number): string {
  return dateOf(dayOf(date) + days);
}

/** Writes a day as `2026-04-03`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
