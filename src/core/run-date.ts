// A run date: the logical day of the data, as YYYY-MM-DD. Fixed when a run starts.

/** A day of UTC, which knows no summer time. */
export const dayMs = 86_400_000;

declare const runDateBrand: unique symbol;

/** A real calendar date, `YYYY-MM-DD`. Compares correctly as a string. */
export type RunDate = string & { readonly [runDateBrand]: true };

/** Parses `YYYY-MM-DD`; undefined when it is not a real calendar date. */
export function parseRunDate(text: string): RunDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return undefined;
  return text as RunDate;
}

/** The calendar date at `at` in an IANA time zone. */
export function runDateIn(timeZone: string, at: Date): RunDate {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
  const date = parseRunDate(parts);
  if (date === undefined) throw new RangeError(`Cannot tell the date in time zone ${timeZone}`);
  return date;
}

/** The date `days` days later (earlier when negative). */
export function addDays(date: RunDate, days: number): RunDate {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10) as RunDate;
}
