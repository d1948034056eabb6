// --run-date: the date that a run is published under.
import { addDays, parseRunDate, type RunDate, runDateIn } from '../../core/run-date.ts';

/** Where it is tomorrow already. */
export const mostDaysAhead = 1;

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
    faults.push(
      `Expected --run-date to be at most ${addDays(today, mostDaysAhead)}, tomorrow in ${timeZone}, got "${text}": ` +
        'the API shows today’s data, and once a later date is published every date before it is refused',
    );
    return undefined;
  }
  return runDate;
}
