// What values of flags have to be: numbers, dates, names of alerts.

import { type AlertRuleName, alertRuleNames } from '../../config/alert-rules.ts';
import { didYouMean } from '../../config/names.ts';
import { addDays, parseRunDate, type RunDate, runDateIn } from '../../core/run-date.ts';

// Numbers given as flags, checked all at once.
interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Default true. */
  readonly whole?: boolean;
}

/** Undefined stays undefined; a fault is added for what is no number of the range. */
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

// The arguments of the commands of alerts, checked all at once.
export function ruleArgument(name: string, faults: string[]): AlertRuleName | undefined {
  const rule = alertRuleNames.find((one) => one === name);
  if (rule === undefined) {
    const hint = didYouMean(name, alertRuleNames) ?? `Rules: ${alertRuleNames.join(', ')}.`;
    faults.push(`Expected <rule> to be a rule of alerts, got "${name}". ${hint}`);
  }
  return rule;
}

export function dateFlag(flag: string, date: string | undefined, faults: string[]): void {
  if (date === undefined || parseRunDate(date) !== undefined) return;
  faults.push(`Expected ${flag} to be a date such as 2026-04-03, got "${date}"`);
}
