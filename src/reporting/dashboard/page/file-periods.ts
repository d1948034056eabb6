// Which dates a file holds, and which of them a choice is shown from. Statements give long periods by week, so a file of
// years has its last days once more, day by day.
import type { Period } from '../charts/chart.ts';
import { addDays, daysIn } from './dates.ts';

/** Longer periods are sampled by the statements of charts. */
const mostDaysUnsampled = 180;

/** The shortest first. */
export function filePeriods(period: Period): readonly Period[] {
  if (daysIn(period) <= mostDaysUnsampled) return [period];
  return [{ from: addDays(period.to, 1 - mostDaysUnsampled), to: period.to }, period];
}

/** The first that begins early enough, else the last one, which holds the most. @param from first date of each */
export function periodFor(wanted: Period, from: readonly string[]): number {
  const found = from.findIndex((first) => first <= wanted.from);
  return found === -1 ? from.length - 1 : found;
}
