// Pages that moved under a walk: a record that came again on another page is evidence that another one was skipped.
// A short list is walked again, of a longer one the head is read again, and what still repeats is real.
import { paginate } from '../api/paginate.ts';
import type { RecordKey } from '../warehouse/incoming.ts';
import { countShifted, countUnseen } from '../warehouse/page-repeats.ts';
import { dropReread, readCheckpoint, storePage } from '../warehouse/pages.ts';
import { readPage } from './read-page.ts';
import { pageLimit, requestOf, type Walked, type WalkInput } from './walk.ts';
import { walkAnew } from './walk-slice.ts';

/** Lists of so many pages are walked again as a whole. */
const shortList = 10;

export interface Settled {
  readonly walked: Walked;
  /** A record that came again unchanged is the same one, because pages moved. */
  readonly storesOnce: boolean;
}

/**
 * Looks at a finished walk, and asks again where its pages moved.
 * @param key what identifies its records; []: content does, which tells nothing of pages
 */
export async function settleShifted(
  input: WalkInput,
  walked: Walked,
  key: RecordKey | undefined,
): Promise<Settled> {
  const asItIs = { walked, storesOnce: false };
  if (key === undefined || key.length === 0 || walked.isHead || walked.repeats === 0) return asItIs;
  if ((await countShifted(input.db, input.slice, key)) === 0) return asItIs;
  const { pageNo: pages } = await readCheckpoint(input.db, input.slice.id);
  if (pages <= shortList) return { walked: { ...(await walkAnew(input)), refused: [] }, storesOnce: false };
  return { walked, storesOnce: await rereadHead(input, walked.listKey, pages) };
}

/** Reads the head again until a page holds nothing unseen; true: something was there that the walk had missed. */
async function rereadHead(input: WalkInput, listKey: string | undefined, pages: number): Promise<boolean> {
  const { db, slice, runId } = input;
  await dropReread(db, slice.id);
  const most = Math.floor(pages / 10);
  let found = false;
  for await (const page of paginate(input.client, requestOf(input), {
    limit: pageLimit,
    signal: input.signal,
  })) {
    const { text, records } = await readPage(input, listKey, page.answer);
    const pageNo = pages + page.pageNo;
    await storePage(db, {
      sliceId: slice.id,
      runId,
      pageNo,
      cursor: page.cursor,
      nextCursor: page.nextCursor,
      recordKey: undefined,
      listKey: listKey ?? '',
      text,
      records: records.length,
      hasNewTypes: true,
      requests: page.answer.attempts,
      replacedBytes: page.answer.replacedBytes,
      isReread: true,
    });
    input.onPage(pageNo, records.length);
    if ((await countUnseen(db, slice.id, pageNo)) === 0) break;
    found = true;
    if (page.pageNo >= most) break;
    input.stop.throwIfAborted();
  }
  // Nothing moved, so what repeats is real, and the second look holds nothing but repeats.
  if (!found) await dropReread(db, slice.id);
  return found;
}
