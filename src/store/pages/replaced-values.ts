// Whether a scope's data came with values that had to be replaced (invalid UTF-8, what jsonb cannot hold).
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../slices/slices.ts';

/** As of its newest published slice; false before the first. */
export async function hadReplacedValues(
  db: Executor,
  { stream, account, clientId }: Scope,
): Promise<boolean> {
  const newest = await db
    .selectFrom('sync.slice')
    .select('replaced_values')
    .where('stream', '=', stream)
    .where('account', '=', account)
    .where('client_id', '=', clientId)
    .where('completed_at', 'is not', null)
    .orderBy('run_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.replaced_values > 0;
}
