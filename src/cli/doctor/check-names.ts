// Doctor on names of the configuration that accounts have in the warehouse no more.
import { type RenamedAccount, renamedFix, renamedText } from '../../store/names/former-names.ts';
import type { Check } from './check.ts';

export function checkNames(renamed: readonly RenamedAccount[]): Check[] {
  return renamed.map((one) => {
    const fix = renamedFix(one);
    return {
      area: 'database',
      level: 'fault',
      text: renamedText(one),
      fix: `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`,
    };
  });
}
