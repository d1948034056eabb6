// History is not rewritten: a run date must not be older than the newest that is published.
import type { RunDate } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { newestPublished } from '../../store/slices/slices.ts';

/** Undefined: the account may sync the run date. */
export async function olderDateFault(
  db: Executor,
  account: string,
  runDate: RunDate,
): Promise<string | undefined> {
  const newest = await newestPublished(db, account);
  if (newest === undefined || runDate >= newest) return undefined;
  return (
    `Expected a run date of ${newest} or later, the newest published date of account ${account}, ` +
    `got ${runDate}: the API shows today's data only, so an older date cannot be read any more`
  );
}
