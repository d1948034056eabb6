// Months of dates: `2026-04` of `2026-04-03`.
import type { Language } from './chart.ts';

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
