// Walks one slice from its checkpoint to its end: every page is stored with its cursor before the
// next one is asked for.
import type { Answer, ApiClient } from '../api/client.ts';
import { csvToJsonList } from '../api/csv-records.ts';
import { type Page, PaginationLoopError, paginate } from '../api/paginate.ts';
import type { PageRequest } from '../api/request.ts';
import { SkippableError, UnavailableError } from '../core/errors.ts';
import { findList, recordsIn } from '../streams/find-list.ts';
import type { Stream } from '../streams/stream.ts';
import type { Executor } from '../warehouse/database.ts';
import { type Checkpoint, dropPages, type PageInput, readCheckpoint, storePage } from '../warehouse/pages.ts';
import { pinList } from '../warehouse/pins.ts';
import { SeenTypes } from '../warehouse/seen-types.ts';
import type { Scope } from '../warehouse/slices.ts';

/** Items per page, the API's maximum (api-reference.md, Limits). */
const pageLimit = 200;

export interface WalkInput {
  readonly db: Executor;
  readonly client: ApiClient;
  readonly stream: Stream;
  readonly slice: Scope & { readonly id: number };
  /** The run that has claimed the slice. */
  readonly runId: number;
  /** Pinned key of the list, where the reference gives none; '' once the body itself is the list. */
  readonly pinnedList: string | undefined;
  /** Values to ask for, for streams of one request a record. */
  readonly values: readonly string[];
  readonly priority: number;
  /** Whether a walk from the head may end after a stored page; undefined: every page is walked. */
  readonly endsHead?: ((pageNo: number) => Promise<boolean>) | undefined;
  readonly signal: AbortSignal;
  /** The page in flight is stored, and no other one is asked for. */
  readonly stop: AbortSignal;
  onPage(pageNo: number, records: number): void;
}

export interface Walked {
  /** Key of the list; undefined when bodies are records. */
  readonly listKey: string | undefined;
  /** Ended before the last page. */
  readonly isHead: boolean;
}

export async function walkSlice(input: WalkInput): Promise<Walked> {
  const checkpoint = await readCheckpoint(input.db, input.slice.id);
  if (input.stream.source.kind !== 'walk') {
    await walkValues(input, checkpoint);
    return { listKey: undefined, isHead: false };
  }
  try {
    return await walkPages(input, checkpoint);
  } catch (error) {
    if (error instanceof PaginationLoopError) await dropPages(input.db, input.slice.id);
    if (!isCursorRefused(error, checkpoint)) throw error;
    // The server no longer knows the cursor of an interrupted walk: start this walk over, once.
    await dropPages(input.db, input.slice.id);
    return await walkPages(input, { pageNo: 0, nextCursor: undefined, seenCursors: [], recordKeys: [] });
  }
}

function isCursorRefused(error: unknown, checkpoint: Checkpoint): boolean {
  if (checkpoint.pageNo === 0) return false;
  if (!(error instanceof SkippableError || error instanceof UnavailableError)) return false;
  return [400, 404, 409, 410, 422].includes(error.place.status ?? 0);
}

function requestOf(input: WalkInput): PageRequest {
  const { stream, slice } = input;
  return {
    stream: stream.name,
    route: stream.route,
    query: stream.format === 'csv' ? { ...stream.query, format: 'csv' } : stream.query,
    ...(slice.clientId === '' ? {} : { clientId: slice.clientId }),
    withKey: true,
    accept: stream.format,
    purpose: 'job',
    priority: input.priority,
  };
}

async function walkPages(input: WalkInput, checkpoint: Checkpoint): Promise<Walked> {
  const { stream, endsHead } = input;
  let listKey = knownList(input);
  if (checkpoint.pageNo > 0 && checkpoint.nextCursor === undefined) {
    // Walked to the end before: what was detected then and is not pinned was the body itself.
    return { listKey: stream.list.kind === 'detect' ? (listKey ?? '') : listKey, isHead: false };
  }
  if (checkpoint.pageNo > 0 && (await endsHead?.(checkpoint.pageNo))) return { listKey, isHead: true };
  const resume =
    checkpoint.nextCursor === undefined
      ? {}
      : { resume: { cursor: checkpoint.nextCursor, pageNo: checkpoint.pageNo + 1 } };
  const pages = paginate(input.client, requestOf(input), {
    ...(stream.list.kind === 'none' ? {} : { limit: pageLimit }),
    ...resume,
    seenCursors: checkpoint.seenCursors,
    signal: input.signal,
  });
  // While a page is stored the next one is already asked for; pages are stored one after another.
  let stored: Promise<void> = Promise.resolve();
  const seen = new SeenTypes();
  try {
    for await (const page of pages) {
      if (stream.list.kind === 'detect' && listKey === undefined) listKey = await detectList(input, page);
      // The parsed body is garbage from here on; while it waited it would be copied from one heap space to the next.
      const next = toStore(input, listKey, seen, page);
      await stored;
      stored = storePage(input.db, next).then(() => input.onPage(next.pageNo, next.records));
      // Awaited before the next page or the end; here only so that a failure is never unhandled.
      stored.catch(() => undefined);
      if (next.nextCursor === undefined) continue;
      if (endsHead !== undefined) {
        await stored;
        if (await endsHead(next.pageNo)) return { listKey, isHead: true };
      }
      input.stop.throwIfAborted();
    }
  } finally {
    // Also when the next page cannot be had: what came before it is the checkpoint.
    await stored;
  }
  return { listKey, isHead: false };
}

function toStore(input: WalkInput, listKey: string | undefined, seen: SeenTypes, page: Page): PageInput {
  const { stream, slice, runId } = input;
  const { text, body } = readBody(stream, page);
  const records = recordsIn(listKey, body);
  if (records === undefined) throw listMissing(input, listKey ?? '', body);
  return {
    sliceId: slice.id,
    runId,
    pageNo: page.pageNo,
    cursor: page.cursor,
    nextCursor: page.nextCursor,
    recordKey: stream.list.kind === 'none' ? stream.name : undefined,
    listKey: listKey ?? '',
    text,
    records: records.length,
    hasNewTypes: seen.areNew(records, text),
    requests: page.answer.attempts,
    replacedBytes: page.answer.replacedBytes,
  };
}

/** Undefined: bodies are records, or the list is still to be found. */
function knownList({ stream, pinnedList }: WalkInput): string | undefined {
  if (stream.list.kind === 'none') return undefined;
  return stream.list.kind === 'key' ? stream.list.key : pinnedList;
}

/** The body as JSON text and as what it says. */
function readBody(stream: Stream, { answer }: Page): { text: string; body: unknown } {
  if (stream.format !== 'csv') return { text: answer.text, body: answer.json };
  const text = csvToJsonList(answer.text);
  return { text, body: JSON.parse(text) };
}

async function detectList(input: WalkInput, page: Page): Promise<string> {
  const { stream, slice, db } = input;
  const found = findList(stream, readBody(stream, page).body);
  if (found.kind === 'key') return await pinList(db, stream.name, found.key);
  // Nothing to pin: wherever an array comes as the body, it is the list.
  if (found.kind === 'body') return '';
  throw new SkippableError(
    `Expected the answer of ${stream.route} to hold one list, got ${
      found.arrays.length === 0 ? 'no array' : `arrays ${found.arrays.join(', ')}`
    } among the keys ${found.keys.join(', ') || '(none)'}; set streams.${stream.name}.list in airank.config.yaml (null: the body is one record)`,
    { account: slice.account, stream: stream.name, route: stream.route, clientId: slice.clientId },
  );
}

function listMissing(input: WalkInput, listKey: string, body: unknown): SkippableError {
  const { stream, slice } = input;
  const keys = typeof body === 'object' && body !== null ? Object.keys(body).join(', ') : typeof body;
  return new SkippableError(
    `Expected the answer of ${stream.route} to hold the list "${listKey}", got ${keys || 'an empty object'}; ` +
      `nothing was published. If the list moved, set streams.${stream.name}.list in airank.config.yaml`,
    { account: slice.account, stream: stream.name, route: stream.route, clientId: slice.clientId },
  );
}

/** One request a value; each body is one record with the value as its key. */
async function walkValues(input: WalkInput, checkpoint: Checkpoint): Promise<void> {
  const done = new Set(checkpoint.recordKeys);
  let pageNo = checkpoint.pageNo;
  let missing: UnavailableError | undefined;
  for (const value of input.values) {
    if (done.has(value)) continue;
    input.signal.throwIfAborted();
    input.stop.throwIfAborted();
    const answer = await input.client
      .get(valueRequest(input, value), input.signal)
      .catch((error: unknown) => {
        if (!(error instanceof UnavailableError && error.place.status === 404)) throw error;
        // This one record is not there (any more); the others may be.
        missing = error;
        return undefined;
      });
    if (answer === undefined) continue;
    pageNo += 1;
    await storeValue(input, pageNo, value, answer);
    input.onPage(pageNo, 1);
  }
  if (missing !== undefined && pageNo === 0) throw missing;
}

async function storeValue(input: WalkInput, pageNo: number, value: string, answer: Answer): Promise<void> {
  await storePage(input.db, {
    sliceId: input.slice.id,
    runId: input.runId,
    pageNo,
    cursor: value,
    nextCursor: undefined,
    recordKey: value,
    listKey: '',
    text: answer.text,
    records: 1,
    hasNewTypes: true,
    requests: answer.attempts,
    replacedBytes: answer.replacedBytes,
  });
}

function valueRequest(input: WalkInput, value: string): PageRequest {
  const base = requestOf(input);
  const { source } = input.stream;
  if (source.kind === 'public') return { ...base, pathId: value, withKey: false };
  if (source.kind === 'walk') return base;
  return { ...base, query: { ...base.query, [source.parameter]: value } };
}
