// What must hold before a slice is published: it is the run's, no newer run date of its scope is published,
// and its walk is whole.

import { sql } from 'kysely';
import { SkippableError } from '../../core/errors.ts';
import type { Executor } from '../connection/database.ts';
import { type Claim, LostSliceError, pagesOf, type SliceKey, type VersionScope } from '../slices/slices.ts';
import { gapText, isWholeWalk, type Pages, type StoredPages } from '../slices/whole-walk.ts';

/**
 * Locks a slice that the run walks, and its scope: two run dates of one scope are never published at the same time.
 * @throws LostSliceError when the slice is no longer the run's
 */
export async function lockSlice(tx: Executor, { account, sliceId, runId }: Claim) {
  const slice = await tx
    .selectFrom('sync.slice')
    .select(['id', 'stream', 'account', 'client_id', 'run_date', 'completed_at'])
    .where('account', '=', account)
    .where('id', '=', sliceId)
    .where('run_id', '=', runId)
    .where('status', '=', 'walking')
    .forUpdate()
    .executeTakeFirst();
  if (slice === undefined) throw new LostSliceError();
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
    throw new SkippableError(
      `Run date ${slice.run_date} of ${slice.stream} is older than ${newer.run_date}, which is published; history is not rewritten`,
      { account: slice.account, stream: slice.stream, clientId: slice.client_id },
    );
  }
  return slice;
}

/** Whether an earlier run date of the scope is published. */
export async function isEarlierPublished(tx: Executor, scope: VersionScope): Promise<boolean> {
  const before = await tx
    .selectFrom('sync.slice')
    .select('id')
    .where('stream', '=', scope.stream)
    .where('account', '=', scope.account)
    .where('client_id', '=', scope.clientId)
    .where('run_date', '<', scope.runDate)
    .where('completed_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

/**
 * Returns whether a page may hold a field or type that is not learned yet.
 * @throws SkippableError when the stored pages are not all that the walk was to bring
 */
export async function refuseGaps(tx: Executor, slice: SliceKey, pages: Pages): Promise<boolean> {
  const result = await sql<StoredPages & { hasNewTypes: boolean }>`
    select count(*) as count, coalesce(max(page_no), 0) as last,
      count(*) filter (where next_cursor is null) as ends,
      coalesce((array_agg(next_cursor is null order by page_no desc))[1], false) as "atEnd",
      exists (select from sync.page p where ${pagesOf(slice)} and has_new_types) as "hasNewTypes"
    from sync.page p where ${pagesOf(slice)} and not is_reread`.execute(tx);
  const { hasNewTypes, ...stored } = result.rows[0] ?? {
    ...{ count: 0, last: 0, ends: 0, atEnd: false },
    hasNewTypes: false,
  };
  if (!isWholeWalk(pages, stored)) throw new SkippableError(gapText(pages, stored));
  return hasNewTypes;
}
