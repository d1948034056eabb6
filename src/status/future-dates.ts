// Accounts whose newest published run date has not come yet: until then no other one can be published.
import type { Executor } from '../db/database.ts';

export interface FutureDate {
  readonly account: string;
  /** The newest published run date. */
  readonly newest: string;
}

/** @param latest the last run date that is right anywhere on earth */
export async function readFutureDates(db: Executor, latest: string): Promise<readonly FutureDate[]> {
  const rows = await db
    .selectFrom('sync.slice')
    .select((eb) => ['account', eb.fn.max('run_date').as('newest')])
    .where('completed_at', 'is not', null)
    .where('run_date', '>', latest)
    .groupBy('account')
    .orderBy('account')
    .execute();
  return rows.flatMap(({ account, newest }) => (newest === null ? [] : [{ account, newest }]));
}
