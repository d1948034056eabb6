// Run dates that were thinned out: in what shows histories they are gaps, and dates without data are told from them.
import { plural } from '../../core/plural.ts';
import type { PrunedDates } from '../../status/pruned-dates.ts';

export function gapLines(pruned: readonly PrunedDates[]): string[] {
  return pruned.map(({ account, dates, first, last }) => {
    const which =
      dates === 1 ? `run date ${first} is` : `${plural(dates, 'run date')} from ${first} to ${last} are`;
    return `Account ${account}: ${which} pruned in some streams, and missing there`;
  });
}
