// Pages in flight. A page and its cursor are stored by one statement, so they cannot disagree.
import { sql } from 'kysely';
import { messageOf, SkippableError } from '../../core/errors.ts';
import { type Executor, prepared } from '../../db/database.ts';
import { isBadValue } from '../../db/sqlstate.ts';
import { paginationKey } from '../../streams/pagination-key.ts';
import { type Claim, LostSliceError, pagesOf, rowOf, type SliceKey } from '../slices/slices.ts';
import { toJsonbText } from './jsonb-text.ts';

export interface PageInput extends Claim {
  /** 1 for the first page of the walk. */
  readonly pageNo: number;
  readonly cursor: string;
  /** Undefined: this was the last page. */
  readonly nextCursor: string | undefined;
  /** Set: the whole body is one record with this key. */
  readonly recordKey: string | undefined;
  /** Key of the list in the body; '': the body itself is the list. */
  readonly listKey: string;
  /** The body as the server sent it; valid JSON. */
  readonly text: string;
  readonly records: number;
  /** May hold types of fields that neither a page before it nor a published walk of the stream held; see seen-types.ts. */
  readonly hasNewTypes: boolean;
  /** Attempts that it took. */
  readonly requests: number;
  /** Values that were replaced earlier: bytes that are no UTF-8. */
  readonly replacedBytes: number;
  /** A page of the head that was asked for again after the walk: no part of its chain. Default false. */
  readonly isReread?: boolean;
}

/**
 * Stores a page and its cursor by one statement. Values that jsonb cannot hold are replaced and counted.
 * @throws LostSliceError when the slice is no longer the run's
 * @throws SkippableError when Postgres refuses the body all the same (nested too deep, too large)
 */
export async function storePage(db: Executor, page: PageInput): Promise<void> {
  const body = toJsonbText(page.text);
  try {
    const result = await sql<{ stored: boolean }>`${prepared}
      select sync.store_page(${page.account}, ${page.sliceId}, ${page.runId}, ${page.pageNo}, ${page.cursor}, ${page.nextCursor ?? null},
        ${page.recordKey ?? null}, ${page.listKey}, ${page.records}, ${page.requests},
        ${body.replaced + page.replacedBytes}, ${page.hasNewTypes || body.replaced > 0},
        ${page.isReread ?? false}, ${body.text}, ${paginationKey}) as stored`.execute(db);
    if (result.rows[0]?.stored !== true) throw new LostSliceError();
  } catch (error) {
    if (!isBadValue(error)) throw error;
    throw new SkippableError(
      `Page ${page.pageNo} cannot be stored as jsonb: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  }
}

export interface Checkpoint {
  /** The newest stored page; 0: none. */
  readonly pageNo: number;
  /** Where the walk goes on; undefined with pages stored: it is at its end. */
  readonly nextCursor: string | undefined;
  /** Cursors asked for and given so far: one that comes again is a loop. */
  readonly seenCursors: readonly string[];
  /** Record keys of pages that are one record each. */
  readonly recordKeys: readonly string[];
}

/** Where the walk of a slice has reached. */
export async function readCheckpoint(db: Executor, slice: SliceKey): Promise<Checkpoint> {
  const pages = await db
    .selectFrom('sync.page')
    .modifyFront(prepared)
    .select(['page_no', 'cursor', 'next_cursor', 'record_key', 'is_reread'])
    .where('account', '=', slice.account)
    .where('slice_id', '=', slice.sliceId)
    .orderBy('page_no')
    .execute();
  const chain = pages.filter((page) => !page.is_reread);
  const last = chain.at(-1);
  return {
    pageNo: last?.page_no ?? 0,
    nextCursor: last?.next_cursor ?? undefined,
    seenCursors: chain.map((page) => page.cursor),
    recordKeys: pages.flatMap((page) => (page.record_key === null ? [] : [page.record_key])),
  };
}

/**
 * Drops pages that were read a second time.
 * @throws LostSliceError when the slice is no longer the run's
 */
export async function dropReread(db: Executor, claim: Claim): Promise<void> {
  const result = await sql`
    with mine as (
      select s.id from sync.slice s
      where ${rowOf(claim)} and s.run_id = ${claim.runId} and s.status = 'walking' for update
    ), gone as (
      delete from sync.page p where ${pagesOf(claim)} and p.is_reread and exists (select from mine)
    )
    select id from mine`.execute(db);
  if (result.rows.length === 0) throw new LostSliceError();
}

/**
 * Drops the pages of a walk: the next one starts at the first page.
 * @throws LostSliceError when the slice is no longer the run's
 */
export async function dropPages(db: Executor, claim: Claim): Promise<void> {
  const result = await sql`
    with mine as (
      update sync.slice s set pages = 0, records = 0
      where ${rowOf(claim)} and s.run_id = ${claim.runId} and s.status = 'walking' returning s.id
    ), gone as (
      delete from sync.page p where ${pagesOf(claim)} and exists (select from mine)
    )
    select id from mine`.execute(db);
  if (result.rows.length === 0) throw new LostSliceError();
}
