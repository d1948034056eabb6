// The records of a scope that has none yet go from the pages into versions at once: there is nothing to
// compare with, and the constraints of the table say whether every record has a key of its own.

import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { isAboutKeys } from '../connection/sqlstate.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage, shortened } from '../pages/incoming.ts';
import { pagesOf, type SliceKey, type VersionScope } from '../slices/slices.ts';

/**
 * Inserts the records of a slice whose scope has no open version.
 * Returns how many there were; undefined, with nothing inserted, when records lack the key or share one.
 */
export async function insertFirst(
  tx: Executor,
  slice: SliceKey,
  scope: VersionScope,
  key: RecordKey,
): Promise<number | undefined> {
  if (key.length === 0) return undefined;
  await sql`savepoint first_load`.execute(tx);
  try {
    const result = await sql`
      insert into snapshot.record (stream, account, client_id, record_key, run_date, hash, payload)
      select ${scope.stream}, ${scope.account}, ${scope.clientId}, ${shortened(keyExpression(key))},
        ${scope.runDate}::date, ${hashOf(sql`e.value`)}, e.value
      from sync.page p cross join lateral ${recordsOfPage} as e
      where ${pagesOf(slice)} and p.record_key is null`.execute(tx);
    await sql`release savepoint first_load`.execute(tx);
    return Number(result.numAffectedRows ?? 0);
  } catch (error) {
    if (!isAboutKeys(error)) throw error;
    await sql`rollback to savepoint first_load`.execute(tx);
    return undefined;
  }
}
