// Whether a scope's data came with values that had to be replaced (invalid UTF-8, what jsonb cannot hold).
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import type { Scope } from '../slices/slices.ts';

/** As of its newest published slice; false before the first. */
export async function hadReplacedValues(
  db: Executor,
  { stream, account, clientId }: Scope,
): Promise<boolean> {
  const result = await sql<{ had: boolean }>`
    select replaced_values > 0 as had from sync.slice
    where stream = ${stream} and account = ${account} and client_id = ${clientId} and completed_at is not null
    order by run_date desc limit 1`.execute(db);
  return result.rows[0]?.had ?? false;
}
