// Input of a publish: the slice, its pages, and the findings of its walk.
import { sql } from 'kysely';
import { type Executor, prepared } from '../db/database.ts';
import { isAboutKeys } from '../db/sqlstate.ts';
import { keyedRecords, type RecordKey, shortened } from '../store/pages/incoming.ts';
import type { IncrementalRule } from '../store/scopes/incremental.ts';
import type { Claim, Scope, SliceKey, VersionScope } from '../store/slices/slices.ts';
import type { Pages } from '../store/slices/walk-history.ts';
import type { LossRule } from '../validation/judge-loss.ts';

export class UnfitKeyError extends Error {
  constructor(key: RecordKey) {
    super(`The key ${JSON.stringify(key)} does not fit`);
  }
}

/**
 * Inserts the records of a slice whose scope has no open version; returns how many there were.
 * @throws UnfitKeyError when records lack the key or share one: the transaction can then do nothing else
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

export interface PublishInput extends Claim, Scope {
  readonly pages: Pages;
  readonly lastPage?: number;
  readonly key: RecordKey;
  /** `key` is not fixed yet; this publish fixes it if it is unique in every record. */
  readonly fixesKey?: boolean;
  /**
   * Adds records that this walk did not fetch and that stay as they are; returns why the slice still fails, if it does.
   */
  readonly carry?: (tx: Executor) => Promise<string | undefined>;
  readonly loss?: LossRule;
  /** Pages moved during the walk: a record that came again unchanged on another page is one record, except these. */
  readonly storesOnceBut?: readonly string[] | undefined;
  /** The client is no longer listed: nothing was requested, and all its records end. */
  readonly hasLeft?: boolean;
  /** Kind of walk and the end of incremental refreshes, for archives. Default: a full refresh of a state. */
  readonly archive?: ArchiveWalk;
}

interface ArchiveWalk {
  readonly isIncremental: boolean;
  readonly rule: IncrementalRule;
  readonly fullPages: number;
}
