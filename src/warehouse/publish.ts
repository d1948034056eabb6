// Publishing: the one transaction that turns a slice's pages into versions and marks it complete.
// A reader sees the slice before or after, never between; publishing a date twice ends in the state
// of the last time; what did not change is not written.
import { sql } from 'kysely';
import { SkippableError } from '../core/errors.ts';
import type { Executor } from './database.ts';
import { fillEnvelope } from './envelope.ts';
import { fillIncoming, openIncoming, type RecordRules, settleKeys } from './incoming.ts';
import { learnFields } from './learn-fields.ts';
import { applyVersions, countVersions, type VersionCounts } from './versions.ts';

export interface PublishInput {
  readonly sliceId: number;
  readonly rules: RecordRules;
  /** Record keys that this walk did not fetch and that stay as they are; see details.ts. */
  readonly carry?: (tx: Executor) => Promise<void>;
}

export interface Published extends VersionCounts {
  readonly records: number;
  readonly keyConflicts: number;
  readonly envelopeConflicts: number;
}

/** A slice of a newer run date is published already: an older one would rewrite history. */
export class OlderRunDateError extends SkippableError {}

/**
 * Publishes a slice whose last page is stored.
 * @throws OlderRunDateError when a newer run date of the same stream and scope is published
 */
export async function publish(db: Executor, input: PublishInput): Promise<Published> {
  return await db.transaction().execute(async (tx) => {
    // The pool writes without waiting for the disc; a published slice must be there after a crash.
    await sql`set local synchronous_commit = on`.execute(tx);
    const slice = await lockSlice(tx, input.sliceId);
    // The plan must not depend on statistics: right after a first load they are stale, and nested
    // loops over what they call one row made the same publish take 50 times as long.
    await sql`set local enable_nestloop = off`.execute(tx);
    await sql`set local work_mem = '64MB'`.execute(tx);
    await openIncoming(tx);
    await fillIncoming(tx, slice, input.rules);
    const keyConflicts = await settleKeys(tx, input.rules);
    await input.carry?.(tx);
    const envelopeConflicts = await fillEnvelope(tx, slice, input.rules.listKey);

    const scope = { ...slice, clientId: slice.client_id, runDate: slice.run_date };
    const again = slice.completed_at !== null;
    await applyVersions(tx, { ...scope, again, onlyKey: undefined });
    await applyVersions(tx, { ...scope, stream: 'envelope', again, onlyKey: slice.stream });
    const counts = await countVersions(tx, scope);
    await learnFields(tx, scope, counts);
    await finishSlice(tx, slice.id, { ...counts, keyConflicts, envelopeConflicts });
    return { ...counts, keyConflicts, envelopeConflicts };
  });
}

async function lockSlice(tx: Executor, id: number) {
  const slice = await tx
    .selectFrom('sync.slice')
    .select(['id', 'stream', 'account', 'client_id', 'run_date', 'completed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // Two run dates of one scope must not be published at the same time.
  const scope = JSON.stringify([slice.stream, slice.account, slice.client_id]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${scope}, 0))`.execute(tx);
  const newer = await tx
    .selectFrom('sync.slice')
    .select('run_date')
    .where('stream', '=', slice.stream)
    .where('account', '=', slice.account)
    .where('client_id', '=', slice.client_id)
    .where('run_date', '>', slice.run_date)
    .where('completed_at', 'is not', null)
    .orderBy('run_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newer !== undefined) {
    throw new OlderRunDateError(
      `Run date ${slice.run_date} of ${slice.stream} is older than ${newer.run_date}, which is published; history is not rewritten`,
      { account: slice.account, stream: slice.stream, clientId: slice.client_id },
    );
  }
  return slice;
}

async function finishSlice(tx: Executor, id: number, counts: Published): Promise<void> {
  await sql`
    with gone as (
      delete from sync.page where slice_id = ${id} returning requests, replaced_values
    ), total as (
      select count(*) as pages, coalesce(sum(replaced_values), 0) as replaced from gone
    )
    update sync.slice s set
      status = 'complete', error = null, completed_at = clock_timestamp(), updated_at = clock_timestamp(),
      pages = total.pages, records = ${counts.records}, replaced_values = total.replaced,
      inserted = ${counts.inserted}, changed = ${counts.changed}, vanished = ${counts.vanished},
      unchanged = ${counts.unchanged}, key_conflicts = ${counts.keyConflicts},
      envelope_conflicts = ${counts.envelopeConflicts}
    from total where s.id = ${id}`.execute(tx);
  await sql`
    insert into sync.newest as n (stream, account, client_id, run_date, completed_at)
    select stream, account, client_id, run_date, completed_at from sync.slice where id = ${id}
    on conflict (stream, account, client_id)
    do update set run_date = excluded.run_date, completed_at = excluded.completed_at`.execute(tx);
}
