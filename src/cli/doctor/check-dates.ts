// Doctor on run dates that have not come yet: they lock those before them.
import type { FutureDate } from '../../status/future-dates.ts';
import type { Check } from './check.ts';

export function checkDates(future: readonly FutureDate[]): Check[] {
  return future.map(({ account, newest }) => ({
    area: 'database',
    level: 'fault',
    text: `account ${account} has data of run date ${newest}, which has not come yet: until then no sync of another date is taken`,
    fix:
      'Restore a backup that was made before it, or begin anew beside this history: ' +
      `airank rename account ${account} ${account}-until-now, then airank rename account --release ${account}`,
  }));
}
