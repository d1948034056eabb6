// The arguments of the commands of alerts, checked all at once.
import { type AlertRuleName, alertRuleNames } from '../../config/alert-rules.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import { parseRunDate } from '../../core/run-date.ts';

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
