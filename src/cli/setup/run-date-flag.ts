// --run-date: the date that a run is published under.
import { addDays, parseRunDate, type RunDate, runDateIn } from '../../core/run-date.ts';

const mostDaysAhead = 366;

/** Undefined, and a fault: it is no date, or too far ahead. */
export function runDateFlag(
  text: string | undefined,
  timeZone: string,
  now: Date,
  faults: string[],
): RunDate | undefined {
  const today = runDateIn(timeZone, now);
  const runDate = text === undefined ? today : parseRunDate(text);
  if (runDate === undefined) {
    faults.push(`Expected --run-date to be a calendar date as YYYY-MM-DD, got "${text}"`);
  } else if (runDate > addDays(today, mostDaysAhead)) {
    // Once published it would be the newest date: every date up to it would be refused as older.
    faults.push(
      `Expected --run-date to be at most a year after today (${today} in ${timeZone}), got "${text}"`,
    );
    return undefined;
  }
  return runDate;
}
