// Walks one slice from its checkpoint to its end, and starts over where the server no longer knows the cursor.
import type { Answer } from '../../api/client.ts';
import type { PageRequest } from '../../api/request.ts';
import { messageOf, RetryableError, SkippableError, UnavailableError } from '../../core/errors.ts';
import { type Checkpoint, dropPages, readCheckpoint, storePage } from '../../store/pages/pages.ts';
import { LostSliceError } from '../../store/slices/slices.ts';
import { judgeRecord, refuseOtherRecord } from './judge-answer.ts';
import { pageInput, type RefusedValue, requestOf, type Walked, type WalkInput } from './walk.ts';
import { CursorRefusedError, walkPages } from './walk-pages.ts';

/**
 * Asks for each value that is not stored yet, and once more at the end for those that gave no data.
 * Returns those that gave none twice.
 * @throws what refused the first of them, when none gave any: the stream as a whole has no data
 */
async function walkValues(input: WalkInput, checkpoint: Checkpoint): Promise<readonly RefusedValue[]> {
  const done = new Set(checkpoint.recordKeys);
  const walk = { pageNo: checkpoint.pageNo };
  const open = input.values.filter((value) => !done.has(value));
  const first = await askEach(input, walk, open);
  const [refusal] = first;
  // Details: only new values are asked for; the others may be fine, and stay.
  const isAll = input.stream.source.kind !== 'details' || !input.history.hadData;
  if (refusal !== undefined && walk.pageNo === 0 && isAll) throw refusal.error;
  const second = await askEach(input, walk, valuesOf(first));
  return second.map(({ value, error }) => ({ value, error: messageOf(error) }));
}

interface Refusal {
  readonly value: string;
  readonly error: Error;
}

/** After this many values in a row without an answer the server has a problem, not the values. */
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
      judgeRecord(input, answer, input.refusedDates.get(value) ?? 0);
      refuseOtherRecord(input, answer, value);
      walk.pageNo += 1;
      await storeValue(input, walk.pageNo, value, answer);
      input.onPage(walk.pageNo, 1);
      inARow = 0;
    } catch (error) {
      inARow = error instanceof RetryableError ? inARow + 1 : 0;
      if (!isAboutOneValue(error) || inARow >= mostInARow) throw error;
      refusals.push({ value, error });
    }
  }
  return refusals;
}

/** This one record is missing, is refused, or its body is no data; the others may be fine. A network failure is not about one record. */
function isAboutOneValue(error: unknown): error is Error {
  if (error instanceof UnavailableError) return error.place.status !== 401;
  if (error instanceof RetryableError) return error.place.status !== undefined;
  // A daily cap (429, quota) also refuses every value that follows.
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
export async function walkSlice(input: WalkInput): Promise<Walked> {
  const checkpoint = await readCheckpoint(input.db, input.slice);
  if (input.stream.source.kind !== 'walk') {
    const refused = await walkValues(input, checkpoint);
    return { listKey: undefined, isHead: false, repeats: 0, refused };
  }
  try {
    return { ...(await walkPages(input, checkpoint)), refused: [] };
  } catch (error) {
    if (!(error instanceof CursorRefusedError)) throw error;
    return { ...(await walkAnew(input)), refused: [] };
  }
}

/** Forgets what was walked and walks from the first page. A cursor that is refused now fails the slice. */
export async function walkAnew(input: WalkInput): Promise<Omit<Walked, 'refused'>> {
  await dropPages(input.db, input.slice);
  const start = { pageNo: 0, nextCursor: undefined, seenCursors: [], recordKeys: [] };
  return await walkPages(input, start).catch((error: unknown) => {
    throw error instanceof CursorRefusedError ? error.cause : error;
  });
}
