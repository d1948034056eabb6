// Walks the pages of a list from its checkpoint to its end. Every page is stored with its cursor; while that happens the
// next one is already asked for.
import type { Answer } from '../../api/client.ts';
import { type Page, pageLimit, paginate } from '../../api/paginate.ts';
import { AirankError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import { holdNothingNew } from '../../store/pages/incoming.ts';
import { type Checkpoint, type PageInput, storePage } from '../../store/pages/pages.ts';
import { bodyIsList } from '../../streams/fields/judge-body.ts';
import { paginationKey } from '../../streams/stream.ts';
import { isLifted } from './confirmation.ts';
import { knownList, type ReadPage, readPage } from './read-page.ts';
import { pageInput, placeOf, requestOf, type Walked, type WalkInput } from './walk.ts';
import { mostStalePages, WalkGuard } from './walk-guard.ts';

/** The server refuses a request because of its cursor: what it gave does not lead on. */
export class CursorRefusedError extends Error {}

const cursorStatuses: readonly number[] = [400, 404, 409, 410, 414, 422, 431];

type ChainWalked = Omit<Walked, 'refused'>;

export async function walkPages(input: WalkInput, checkpoint: Checkpoint): Promise<ChainWalked> {
  const { stream, endsHead } = input;
  let listKey = knownList(input);
  if (checkpoint.pageNo > 0 && checkpoint.nextCursor === undefined) {
    // It was walked to its end before; the key of an empty list is not fixed.
    return {
      listKey: stream.list.kind === 'none' ? undefined : (listKey ?? ''),
      isHead: false,
      repeats: undefined,
    };
  }
  if (checkpoint.pageNo > 0 && (await endsHead?.(checkpoint.pageNo)))
    return { listKey, isHead: true, repeats: undefined };
  const guard = guardOf(input, checkpoint);
  let stored: Promise<void> = Promise.resolve();
  let asked = checkpoint.nextCursor ?? '';
  const sizes: Sizes = { listKey, largest: 0 };
  try {
    // While a page is stored the next one is already asked for; pages are stored one after another.
    for await (const page of pagesOf(input, checkpoint, sizes)) {
      asked = page.nextCursor ?? '';
      const read = await readPage(input, listKey, page.answer);
      listKey = read.listKey;
      sizes.listKey = listKey;
      sizes.largest = Math.max(sizes.largest, read.records.length);
      const verdict =
        listKey === undefined ? 'fine' : guard.note(page.pageNo, read.records, page.nextCursor !== undefined);
      // The parsed body is not needed from here on. If it waited, V8 would copy it from one heap space to the next.
      const next = toStore(input, page, read);
      await stored;
      stored = storePage(input.db, next).then(() => input.onPage(next.pageNo, next.records));
      // Awaited before the next page or the end; here only so that a failure is never unhandled.
      stored.catch(() => undefined);
      if (next.nextCursor === undefined) continue;
      if (verdict === 'stale') {
        await stored;
        await endIfStale(input, guard, next.pageNo);
      }
      if (endsHead !== undefined) {
        await stored;
        if (await endsHead(next.pageNo)) return { listKey, isHead: true, repeats: undefined };
      }
      input.stop.throwIfAborted();
    }
  } catch (error) {
    if (asked !== '' && error instanceof AirankError && cursorStatuses.includes(error.place.status ?? 0))
      throw new CursorRefusedError('The cursor is refused', { cause: error });
    throw error;
  } finally {
    // Also when the next page fails: the pages before it are the checkpoint.
    await stored;
  }
  return { listKey, isHead: false, repeats: guard.repeats };
}

interface Sizes {
  listKey: string | undefined;
  /** Records of the largest page so far. */
  largest: number;
}

function pagesOf(input: WalkInput, checkpoint: Checkpoint, sizes: Sizes) {
  const { stream } = input;
  const isList = stream.list.kind !== 'none';
  return paginate(input.client, requestOf(input), {
    ...(isList ? { limit: pageLimit } : {}),
    ...(checkpoint.nextCursor === undefined
      ? {}
      : { resume: { cursor: checkpoint.nextCursor, pageNo: checkpoint.pageNo + 1 } }),
    ...(isList && stream.format === 'json'
      ? { asksEndAgain: (answer: Answer, pageNo: number) => isFull(answer, pageNo, sizes) }
      : {}),
    seenCursors: checkpoint.seenCursors,
    signal: input.signal,
  });
}

/** Page size of a server that ignores `limite`: the documented default. */
const defaultLimit = 50;

/** A full last page may have lost its cursor. */
function isFull(answer: Answer, pageNo: number, { listKey, largest }: Sizes): boolean {
  const size = listSize(answer.json, listKey);
  return pageNo === 1 ? size === defaultLimit || size >= pageLimit : size > 1 && size >= largest;
}

function listSize(body: unknown, listKey: string | undefined): number {
  if (Array.isArray(body)) return body.length;
  if (!isObject(body)) return 0;
  const lists = listKey === undefined ? Object.values(body) : [body[listKey]];
  return Math.max(0, ...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}

function guardOf(input: WalkInput, checkpoint: Checkpoint): WalkGuard {
  const { history, stream } = input;
  const isLimitLifted = !input.isProbe && isLifted('page_limit', history.datesBefore('page_limit'));
  return new WalkGuard({
    route: stream.route,
    place: placeOf(input),
    lastFullPages: history.lastFullPages,
    firstWalkLimit: input.firstWalkLimit,
    isLimitLifted,
    isWhole: checkpoint.pageNo === 0,
  });
}

async function endIfStale(input: WalkInput, guard: WalkGuard, pageNo: number): Promise<void> {
  if (await holdNothingNew(input.db, input.slice, pageNo - mostStalePages)) throw guard.staleError();
  guard.trust(pageNo);
}

function toStore(input: WalkInput, page: Page, read: ReadPage): PageInput {
  const { stream, seen } = input;
  const { text, records, listKey } = read;
  return pageInput(input, page.answer, {
    pageNo: page.pageNo,
    cursor: page.cursor,
    nextCursor: page.nextCursor,
    recordKey: stream.list.kind === 'none' ? stream.name : undefined,
    listKey: listKey ?? '',
    text,
    records: records.length,
    hasNewTypes: seen.areNew(records, text, envelopeOf(page.answer.json, listKey)),
  });
}

/** What a body holds beside its list. */
function envelopeOf(body: unknown, listKey: string | undefined): object {
  if (!isObject(body) || listKey === undefined || listKey === bodyIsList) return {};
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== listKey && key !== paginationKey));
}
