// Publishes records as a walk would: a planned slice, its pages, publish.
import type { RunDate } from '../../src/core/run-date.ts';
import type { Executor } from '../../src/db/database.ts';
import { ensureStreams } from '../../src/install/migrate.ts';
import { type Published, publish } from '../../src/publish/publish.ts';
import type { PublishInput } from '../../src/publish/publish-input.ts';
import { storePage } from '../../src/store/pages/pages.ts';
import { claimSlice, planSlices } from '../../src/store/slices/slices.ts';

export interface PublishedSlice {
  readonly stream: string;
  readonly account?: string;
  readonly clientId?: string;
  readonly runDate: string;
  /** JSON texts of the records, or values. */
  readonly records: readonly unknown[];
  /** Fields of the body beside the list. */
  readonly rest?: Readonly<Record<string, unknown>>;
  readonly key?: readonly (readonly string[])[];
  /** Set: every record is the body of a page, under this key. */
  readonly pageKey?: string;
  /** Default true. */
  readonly hasNewTypes?: boolean;
  /** The records are the first pages of an archive: those that are not among them stay. */
  readonly isIncremental?: boolean;
  /** Rows that the publish carries over; set when the records are details. */
  readonly carry?: PublishInput['carry'];
}

/** The only page of a walk, but for its text. */
export const plainPage = {
  ...{ pageNo: 1, cursor: '', nextCursor: undefined, recordKey: undefined, records: 1 },
  ...{ hasNewTypes: true, requests: 1, replacedBytes: 0 },
};

/** Number that belongs to no stored batch. */
let batchId = 0;

export async function publishRecords(db: Executor, slice: PublishedSlice): Promise<Published> {
  const { stream, account = 'default', clientId = '', rest = {}, isIncremental = false } = slice;
  await ensureStreams(db, [stream]);
  batchId -= 1;
  const { id: runId } = await db
    .insertInto('sync.run')
    .values({ account, batch_id: batchId, run_date: slice.runDate })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [planned] = await planSlices(db, slice.runDate as RunDate, [{ stream, account, clientId }], runId);
  if (planned === undefined) throw new Error('no slice was planned');
  const claim = { ...planned, runId };
  await claimSlice(db, { ...claim, walk: 'full', again: true });
  const bodies = slice.pageKey === undefined ? [{ ...rest, records: slice.records }] : slice.records;
  for (const [index, body] of bodies.entries()) {
    await storePage(db, {
      ...claim,
      ...plainPage,
      pageNo: index + 1,
      cursor: index === 0 ? '' : String(index),
      nextCursor: isIncremental || index + 1 < bodies.length ? String(index + 1) : undefined,
      recordKey: slice.pageKey,
      listKey: 'records',
      text: JSON.stringify(body),
      records: slice.pageKey === undefined ? slice.records.length : 1,
      hasNewTypes: slice.hasNewTypes ?? true,
    });
  }
  return await publish(db, {
    ...claim,
    pages: slice.carry !== undefined ? 'single' : isIncremental ? 'incremental' : 'chain',
    ...(slice.carry === undefined ? {} : { carry: slice.carry }),
    ...(isIncremental ? { archive: { isIncremental, rule: { leastPages: 1 }, fullPages: 2 } } : {}),
    key: slice.key ?? (slice.pageKey === undefined ? [['id']] : []),
  });
}
