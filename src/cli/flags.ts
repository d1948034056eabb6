// Numbers and dates given as flags, checked all at once: each check adds its fault.
import { ConfigError } from '../core/errors.ts';
import { addDays, parseRunDate, type RunDate, runDateIn } from '../core/run-date.ts';

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Default true. */
  readonly whole?: boolean;
}

/** Passes on undefined; adds a fault for anything that is no number within the range. */
export function numberFlag(
  flag: string,
  text: string | undefined,
  range: NumberRange,
  faults: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const { min, max, whole = true } = range;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isSafeInteger(value))) return value;
  const kind = whole ? 'an integer' : 'a number';
  faults.push(`Expected ${flag} to be ${kind} from ${min} to ${max}, got "${text}"`);
  return undefined;
}

/** @throws ConfigError if it is no number of something */
export function idOf(name: string, text: string): number {
  const faults: string[] = [];
  const id = numberFlag(name, text, { min: 1, max: Number.MAX_SAFE_INTEGER }, faults);
  if (id === undefined) throw new ConfigError(faults);
  return id;
}

/** The most days that a run date may lie ahead: somewhere it is tomorrow already. */
export const mostDaysAhead = 1;

/** Returns undefined and adds a fault if it is no date, or too far ahead. */
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

export function dateFlag(flag: string, date: string | undefined, faults: string[]): void {
  if (date === undefined || parseRunDate(date) !== undefined) return;
  faults.push(`Expected ${flag} to be a date such as 2026-04-03, got "${date}"`);
}
