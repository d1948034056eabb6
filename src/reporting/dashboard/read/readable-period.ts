// The part of a period that can hold data: an address may ask for the year 0, which Postgres refuses, or for the year
// 9999, of which every week would be counted.
import type { Period } from '../charts/chart.ts';
import { addDays } from '../page/dates.ts';

/** No engine was measured before. */
const firstDay = '2000-01-01';
/** No run date is further ahead. */
const mostDaysAhead = 366;

/** Both ends moved in between, so a period without data becomes one day. */
export function readablePeriod({ from, to }: Period, today = new Date().toISOString().slice(0, 10)): Period {
  const lastDay = addDays(today, mostDaysAhead);
  const within = (day: string) => (day < firstDay ? firstDay : day > lastDay ? lastDay : day);
  return { from: within(from), to: within(to) };
}
