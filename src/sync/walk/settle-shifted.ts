// Repairs walks during which pages moved: a record that came again on another page means that another was skipped. A
// short list is walked again; of a longer one the first pages are read again. Records that still repeat are real
// repeats.
import { pageLimit, paginate } from '../../api/paginate.ts';
import { countUnseen, findShifted, type RecordKey } from '../../store/pages/incoming.ts';
import { dropReread, readCheckpoint, storePage } from '../../store/pages/pages.ts';
import { readPage } from './read-page.ts';
import { pageInput, requestOf, type Walked, type WalkInput } from './walk.ts';
import { walkAnew } from './walk-slice.ts';

/** A list of at most this many pages is walked again as a whole. */
const shortList = 10;

interface Settled {
  readonly walked: Walked;
  /** Pages moved: a record that came again unchanged is one record, except these. Undefined if no page moved. */
  readonly storesOnceBut: readonly string[] | undefined;
}

/**
 * Looks at a finished walk, and asks again if its pages moved.
 * @param key fields that identify its records; [] if content does, which says nothing about pages
 */
export async function settleShifted(
  input: WalkInput,
  walked: Walked,
  key: RecordKey | undefined,
): Promise<Settled> {
  const asItIs = { walked, storesOnceBut: undefined };
  if (key === undefined || key.length === 0 || walked.isIncremental || walked.repeats === 0) return asItIs;
  const shifted = await findShifted(input.db, input.slice, key);
  if (shifted.length === 0) return asItIs;
  const { pageNo: pages } = await readCheckpoint(input.db, input.slice);
  if (pages > shortList)
    return { walked, storesOnceBut: (await rereadFirstPages(input, walked.listKey, pages)) ? [] : undefined };
  const again = await walkAnew(input);
  const repeated = await findShifted(input.db, input.slice, key);
  // A record that repeats in both walks really repeats. If it repeats in one, pages moved again.
  const real = repeated.filter((name) => shifted.includes(name));
  const movedAgain = real.length < repeated.length;
  if (movedAgain)
    await rereadFirstPages(input, again.listKey, (await readCheckpoint(input.db, input.slice)).pageNo);
  return { walked: { ...again, refused: [] }, storesOnceBut: movedAgain ? real : undefined };
}

/** Reads the first pages again until one holds nothing unseen; true if the walk had missed something. */
async function rereadFirstPages(
  input: WalkInput,
  listKey: string | undefined,
  pages: number,
): Promise<boolean> {
  const { db, slice } = input;
  await dropReread(db, slice);
  const most = Math.max(Math.floor(pages / 10), 1);
  let found = false;
  for await (const page of paginate(input.client, requestOf(input), {
    limit: pageLimit,
    signal: input.signal,
  })) {
    const { text, records } = await readPage(input, listKey, page.answer);
    const pageNo = pages + page.pageNo;
    const stored = pageInput(input, page.answer, {
      pageNo,
      cursor: page.cursor,
      nextCursor: page.nextCursor,
      recordKey: undefined,
      listKey: listKey ?? '',
      text,
      records: records.length,
      hasNewTypes: true,
      isReread: true,
    });
    await storePage(db, stored);
    input.onPage();
    if ((await countUnseen(db, slice, pageNo)) === 0) break;
    found = true;
    if (page.pageNo >= most) break;
    input.stop.throwIfAborted();
  }
  // No page moved, so the repeats are real and the second reading holds nothing new.
  if (!found) await dropReread(db, slice);
  return found;
}
