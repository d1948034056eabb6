// The records of a scope that has none yet go from the pages into versions at once: there is nothing to
// compare with, and the constraints of the table say whether every record has a key of its own.

import { sql } from 'kysely';
import { type Executor, prepared } from '../db/database.ts';
import { isAboutKeys } from '../db/sqlstate.ts';
import { keyedRecords, type RecordKey, shortened } from '../store/pages/incoming.ts';
import type { SliceKey, VersionScope } from '../store/slices/slices.ts';

/** The key does not fit every record; nothing was published. */
export class UnfitKeyError extends Error {
  constructor(key: RecordKey) {
    super(`The key ${JSON.stringify(key)} does not fit`);
  }
}

/**
 * Inserts the records of a slice whose scope has no open version; returns how many there were.
 * @throws UnfitKeyError when records lack the key or share one: then nothing else can be done in the transaction
 */
export async function insertFirst(
  tx: Executor,
  slice: SliceKey,
  scope: VersionScope,
  key: RecordKey,
): Promise<number> {
  try {
    const result = await sql`${prepared}
      insert into snapshot.record (stream, account, client_id, record_key, run_date, hash, payload)
      select ${scope.stream}, ${scope.account}, ${scope.clientId}, ${shortened(sql`r.key`)},
        ${scope.runDate}::date, r.hash, r.payload
      from ${keyedRecords(slice, key)}`.execute(tx);
    return Number(result.numAffectedRows ?? 0);
  } catch (error) {
    if (!isAboutKeys(error)) throw error;
    throw new UnfitKeyError(key);
  }
}
