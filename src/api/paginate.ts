// Walks the pages of one route (api.md, "Pagination") and refuses to walk in circles.

import { SkippableError, ValidationError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { paginationKey } from '../streams/stream.ts';
import type { Answer, ApiClient } from './client.ts';
import type { PageRequest } from './request.ts';

/**
 * Returns the literal text at `path` (object keys, outermost first) in a valid JSON text; undefined if the path is not
 * there. Of repeated keys the last one counts, as in JSON.parse.
 */
export function literalAt(text: string, path: readonly string[]): string | undefined {
  let start = skipSpace(text, 0);
  for (const key of path) {
    const found = memberStart(text, start, key);
    if (found === undefined) return undefined;
    start = found;
  }
  return text.slice(start, valueEnd(text, start));
}

function memberStart(text: string, objectStart: number, key: string): number | undefined {
  if (text[objectStart] !== '{') return undefined;
  let found: number | undefined;
  let at = skipSpace(text, objectStart + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = stringEnd(text, at);
    const name: unknown = JSON.parse(text.slice(at, keyEnd));
    const colon = skipSpace(text, keyEnd);
    const start = skipSpace(text, colon + 1);
    if (name === key) found = start;
    at = skipSpace(text, valueEnd(text, start));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') {
    const scalar = /[^\s,\]}]*/y;
    scalar.lastIndex = start;
    return start + (scalar.exec(text)?.[0].length ?? 0);
  }
  const mark = /["{}[\]]/g;
  let depth = 0;
  mark.lastIndex = start;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '"') mark.lastIndex = stringEnd(text, match.index);
    else depth += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (depth === 0) return match.index + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

export interface Page {
  readonly pageNo: number;
  readonly cursor: string;
  readonly nextCursor: string | undefined;
  readonly answer: Answer;
}

export interface PaginateOptions {
  /** Records a page (`limite`, at most 200); not sent when undefined. */
  readonly limit?: number;
  /** Next page to ask for, when the walk goes on after a stop. */
  readonly resume?: { readonly cursor: string; readonly pageNo: number };
  readonly seenCursors?: Iterable<string>;
  /** True if a page without a next one, such as a full page, is asked for again before it counts as the last. */
  readonly asksEndAgain?: (answer: Answer, pageNo: number) => boolean;
  readonly signal: AbortSignal;
}

/** Records per page, the API's maximum (api.md, "Parameters"). */
export const pageLimit = 200;

/** Node allows 16 KiB for a request's headers, including the line with the URL; the rest needs some of it. */
const maxCursorBytes = 15_000;

/** Yields page after page. A page whose next cursor was seen before is not yielded: the slice fails. */
export async function* paginate(
  client: Pick<ApiClient, 'get'>,
  request: PageRequest,
  options: PaginateOptions,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set(options.seenCursors);
  let cursor = options.resume?.cursor ?? '';
  for (let pageNo = options.resume?.pageNo ?? 1; ; pageNo += 1) {
    if (cursor !== '') seen.add(cursor);
    const asked = pageRequest(request, options.limit, cursor);
    let answer = await client.get(asked, options.signal);
    let nextCursor = nextCursorOf(answer, request);
    if (nextCursor === undefined && options.asksEndAgain?.(answer, pageNo)) {
      const again = await client.get(asked, options.signal);
      answer = { ...again, attempts: answer.attempts + again.attempts };
      nextCursor = nextCursorOf(answer, request);
    }
    if (nextCursor !== undefined && seen.has(nextCursor)) {
      throw new ValidationError(
        `GET ${request.route}: pagination loop. Expected page ${pageNo} to name a new next cursor or none, got one that an earlier page had. The service has to fix its pagination.`,
        { rule: 'loop' },
        placeOf(request, answer),
      );
    }
    yield { pageNo, cursor, nextCursor, answer };
    if (nextCursor === undefined) return;
    cursor = nextCursor;
  }
}

/** Returns the next cursor; undefined if `paginacion` or `siguiente` is absent, null, false or empty. */
function nextCursorOf(answer: Answer, request: PageRequest): string | undefined {
  const body = answer.json;
  if (!isObject(body)) return undefined;
  const pagination = body[paginationKey];
  if (isNothing(pagination)) return undefined;
  if (!isObject(pagination)) throw unusable(paginationKey, 'an object', pagination, request, answer);
  const next = pagination['siguiente'];
  if (isNothing(next)) return undefined;
  if (typeof next === 'string') return carried(next, request, answer);
  // Takes the literal: JavaScript parses 9007199254740993 as another number.
  if (typeof next === 'number') return literalAt(answer.text, [paginationKey, 'siguiente']) ?? String(next);
  throw unusable(`${paginationKey}.siguiente`, 'a text or a number', next, request, answer);
}

function carried(cursor: string, request: PageRequest, answer: Answer): string {
  const bytes = new URLSearchParams({ cursor }).toString().length;
  if (bytes <= maxCursorBytes) return cursor;
  throw new SkippableError(
    `GET ${request.route}: expected \`paginacion.siguiente\` to be a cursor of at most ${maxCursorBytes} bytes in a URL, ` +
      `got ${bytes}, which no server accepts. The service has to fix its pagination`,
    placeOf(request, answer),
  );
}

function pageRequest(request: PageRequest, limit: number | undefined, cursor: string): PageRequest {
  const query = { ...request.query };
  if (limit !== undefined) query['limite'] = String(limit);
  if (cursor !== '') query['cursor'] = cursor;
  return { ...request, query };
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function unusable(
  field: string,
  expected: string,
  got: unknown,
  request: PageRequest,
  answer: Answer,
): SkippableError {
  const kind = Array.isArray(got) ? 'a list' : typeof got === 'object' ? 'an object' : `a ${typeof got}`;
  return new SkippableError(
    `GET ${request.route}: expected \`${field}\` to be ${expected}, got ${kind}, so the next page cannot be requested. Check AIRANK_BASE_URL, or leave the stream out (streams.${request.stream}.enabled: false).`,
    placeOf(request, answer),
  );
}

function placeOf(request: PageRequest, answer: Answer) {
  const { stream, route, clientId } = request;
  return { stream, route, clientId, method: 'GET', status: answer.status };
}
