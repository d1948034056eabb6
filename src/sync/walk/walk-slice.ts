// Walks one slice from its checkpoint to its end, and starts over if the server no longer knows the cursor.

import type { Answer } from '../../api/client.ts';
import { type Page, pageLimit, paginate } from '../../api/paginate.ts';
import type { PageRequest } from '../../api/request.ts';
import {
  AirankError,
  messageOf,
  RetryableError,
  SkippableError,
  UnavailableError,
} from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import { holdNothingNew } from '../../store/pages/incoming.ts';
import {
  type Checkpoint,
  checkpointOf,
  dropPages,
  type PageInput,
  storePage,
} from '../../store/pages/pages.ts';
import { LostSliceError } from '../../store/slices/slices.ts';
import { paginationKey } from '../../streams/stream.ts';
import { bodyIsList } from '../../validation/bodies.ts';
import { isLifted } from '../../validation/rules.ts';
import { knownList, type ReadPage, readPage } from './read-page.ts';
import { pageInput, placeOf, requestOf, type Walked, type WalkInput } from './walk.ts';
import { mostStalePages, WalkGuard } from './walk-guard.ts';

/** The server refuses a request because of a cursor that it gave itself. */
class CursorRefusedError extends Error {}

const cursorStatuses: readonly number[] = [400, 404, 409, 410, 414, 422, 431];

type ChainWalked = Omit<Walked, 'refused'>;

async function walkPages(input: WalkInput, checkpoint: Checkpoint): Promise<ChainWalked> {
  const { stream, endsIncremental } = input;
  let listKey = knownList(input);
  if (checkpoint.pageNo > 0 && checkpoint.nextCursor === undefined) {
    // It was already walked to its end; the key of an empty list is not fixed.
    return {
      listKey: stream.list.kind === 'none' ? undefined : (listKey ?? ''),
      isIncremental: false,
      lastPage: checkpoint.pageNo,
      repeats: undefined,
    };
  }
  let lastPage = checkpoint.pageNo;
  if (lastPage > 0 && (await endsIncremental?.(lastPage)))
    return { listKey, isIncremental: true, lastPage, repeats: undefined };
  const guard = guardOf(input, checkpoint);
  let stored: Promise<void> = Promise.resolve();
  let asked = checkpoint.nextCursor ?? '';
  const sizes: Sizes = { listKey, largest: 0 };
  try {
    // While a page is stored, the next is already requested; pages are stored one after another.
    for await (const page of pagesOf(input, checkpoint, sizes)) {
      asked = page.nextCursor ?? '';
      const read = await readPage(input, listKey, page.answer);
      listKey = read.listKey;
      sizes.listKey = listKey;
      sizes.largest = Math.max(sizes.largest, read.records.length);
      const verdict =
        listKey === undefined ? 'fine' : guard.note(page.pageNo, read.records, page.nextCursor !== undefined);
      // Drops the parsed body early: if it waited, V8 would copy it from one heap space to the next.
      const next = toStore(input, page, read);
      await stored;
      stored = storePage(input.db, next).then(() => input.onPage());
      // Awaited before the next page or the end; this only keeps a failure from being unhandled.
      stored.catch(() => undefined);
      lastPage = next.pageNo;
      if (next.nextCursor === undefined) continue;
      if (verdict === 'stale') {
        await stored;
        await endIfStale(input, guard, next.pageNo);
      }
      if (endsIncremental !== undefined) {
        await stored;
        if (await endsIncremental(lastPage))
          return { listKey, isIncremental: true, lastPage, repeats: undefined };
      }
      input.stop.throwIfAborted();
    }
  } catch (error) {
    if (asked !== '' && error instanceof AirankError && cursorStatuses.includes(error.place.status ?? 0))
      throw new CursorRefusedError('The cursor is refused', { cause: error });
    throw error;
  } finally {
    // Runs even if the next page fails: the pages before it are the checkpoint.
    await stored;
  }
  return { listKey, isIncremental: false, lastPage, repeats: guard.repeats };
}

interface Sizes {
  listKey: string | undefined;
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

function envelopeOf(body: unknown, listKey: string | undefined): object {
  if (!isObject(body) || listKey === undefined || listKey === bodyIsList) return {};
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== listKey && key !== paginationKey));
}

/**
 * Asks for each value that is not stored yet, and once more at the end for those that gave no data. Returns those that
 * gave none twice.
 * @throws the refusal of the first, when none gave any: the stream as a whole has no data
 */
async function walkValues(input: WalkInput, checkpoint: Checkpoint): Promise<Walked> {
  const done = new Set(checkpoint.recordKeys);
  const walk = { pageNo: checkpoint.pageNo };
  const open = input.values.filter((value) => !done.has(value));
  const first = await askEach(input, walk, open);
  const [refusal] = first;
  // Only new values of details are asked for; the others may be fine, and stay.
  const isAll = input.stream.source.kind !== 'details' || !input.history.hadData;
  if (refusal !== undefined && walk.pageNo === 0 && isAll) throw refusal.error;
  const second = await askEach(input, walk, valuesOf(first));
  const refused = second.map(({ value, error }) => ({ value, error: messageOf(error) }));
  return { listKey: undefined, isIncremental: false, lastPage: walk.pageNo, repeats: 0, refused };
}

interface Refusal {
  readonly value: string;
  readonly error: Error;
}

/** If this many values in a row get no answer, the fault is the server's and not theirs. */
const mostInARow = 3;

const valuesOf = (refusals: readonly Refusal[]) => refusals.map(({ value }) => value);

async function askEach(
  input: WalkInput,
  walk: { pageNo: number },
  values: readonly string[],
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  let inARow = 0;
  for (const value of values) {
    input.signal.throwIfAborted();
    input.stop.throwIfAborted();
    try {
      const answer = await input.client.get(valueRequest(input, value), input.signal);
      await readPage(input, undefined, answer, value);
      walk.pageNo += 1;
      await storeValue(input, walk.pageNo, value, answer);
      input.onPage();
      inARow = 0;
    } catch (error) {
      inARow = error instanceof RetryableError ? inARow + 1 : 0;
      if (!isAboutOneValue(error) || inARow >= mostInARow) throw error;
      refusals.push({ value, error });
    }
  }
  return refusals;
}

/** True if just this record is missing, refused or no data. A network failure is not about one record. */
function isAboutOneValue(error: unknown): error is Error {
  if (error instanceof UnavailableError) return error.place.status !== 401;
  if (error instanceof RetryableError) return error.place.status !== undefined;
  // A daily cap (429, quota) would also refuse every value that follows.
  return error instanceof SkippableError && !(error instanceof LostSliceError) && error.place.status !== 429;
}

async function storeValue(input: WalkInput, pageNo: number, value: string, answer: Answer): Promise<void> {
  const page = pageInput(input, answer, {
    pageNo,
    cursor: value,
    nextCursor: undefined,
    recordKey: value,
    listKey: '',
    text: answer.text,
    records: 1,
    hasNewTypes: input.seen.areNew([answer.json], answer.text),
  });
  await storePage(input.db, page);
}

function valueRequest(input: WalkInput, value: string): PageRequest {
  const base = requestOf(input);
  const { source } = input.stream;
  if (source.kind === 'public') return { ...base, pathId: value, withKey: false };
  if (source.kind === 'walk') return base;
  return { ...base, query: { ...base.query, [source.parameter]: value } };
}

/** @throws ValidationError when an answer fails its validation */
export async function walkSlice(input: WalkInput, checkpoint: Checkpoint): Promise<Walked> {
  if (input.stream.source.kind !== 'walk') return await walkValues(input, checkpoint);
  try {
    return { ...(await walkPages(input, checkpoint)), refused: [] };
  } catch (error) {
    if (!(error instanceof CursorRefusedError)) throw error;
    return { ...(await walkAnew(input)), refused: [] };
  }
}

/** Walks from the first page again, because stored pages were lost. */
export async function walkLost(input: WalkInput): Promise<Walked> {
  await dropPages(input.db, input.slice);
  return await walkSlice(input, checkpointOf([]));
}

/** Forgets what was walked and starts at the first page. If a cursor is refused now, the slice fails. */
export async function walkAnew(input: WalkInput): Promise<Omit<Walked, 'refused'>> {
  await dropPages(input.db, input.slice);
  return await walkPages(input, checkpointOf([])).catch((error: unknown) => {
    throw error instanceof CursorRefusedError ? error.cause : error;
  });
}
