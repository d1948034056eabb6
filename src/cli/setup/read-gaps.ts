// Pruned run dates, as far as the role may know of them.

import type { Executor } from '../../db/database.ts';
import { isForbidden } from '../../db/sqlstate.ts';
import { type PrunedDates, readPrunedDates } from '../../status/pruned-dates.ts';

/** None where the role reads some views alone. */
export async function readGaps(
  db: Executor,
  between: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<readonly PrunedDates[]> {
  return await readPrunedDates(db, between).catch((error: unknown) => {
    if (isForbidden(error)) return [];
    throw error;
  });
}

/** From the first day of a month to the last one of another; --from and --to may be any days in these. */
export function wholeMonths({ from, to }: { readonly from?: string; readonly to?: string }) {
  const [year = 0, month = 0] = to?.split('-').map(Number) ?? [];
  return {
    from: from === undefined ? undefined : `${from.slice(0, 7)}-01`,
    to: to === undefined ? undefined : new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10),
  };
}
