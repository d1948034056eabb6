// Pages in flight. One statement stores a page and its cursor, so they cannot disagree.

import { sql } from 'kysely';
import { messageOf, SkippableError } from '../../core/errors.ts';
import { type Executor, prepared, type Row } from '../../db/database.ts';
import { isBadValue } from '../../db/sqlstate.ts';
import { paginationKey } from '../../streams/stream.ts';
import {
  type Claim,
  LostSliceError,
  ofScope,
  pagesOf,
  rowOf,
  type Scope,
  type SliceKey,
} from '../slices/slices.ts';

/**
 * JSON text that jsonb can hold. Where it cannot hold a value, the value is replaced and counted: \u0000 and lone
 * surrogates become U+FFFD, a number beyond numeric's range becomes a string. All else reaches Postgres as the server
 * sent it.
 */
interface JsonbText {
  readonly text: string;
  readonly replaced: number;
}

/** Limits of Postgres numeric: digits before and after the point (PostgreSQL manual, Numeric Types). */
const maxIntegerDigits = 131_072;
const maxFractionDigits = 16_383;
/** Postgres reads exponents as 32-bit integers and stops at half of their range, even for a zero. */
const maxExponent = 1_000_000_000;

const suspiciousEscape = /\\u(?:0000|[dD][89a-fA-F])/;
/**
 * Misses no number beyond the limits: fewer than 100 digits on each side of the point, with an exponent of at most
 * three digits, give fewer than 1,100 digits before or after it. Kept short, because the search looks that far from
 * every digit.
 */
const suspiciousNumber = /\d[eE][+-]?\d{4,}|\d{100}/;
const escapes = /\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|.)/g;

export function toJsonbText(text: string): JsonbText {
  let replaced = 0;
  let clean = text;
  if (suspiciousEscape.test(clean)) {
    clean = clean.replace(escapes, (found: string, first?: string, second?: string) => {
      if (first === undefined) return found;
      const unit = Number.parseInt(first, 16);
      const high = unit >= 0xd800 && unit <= 0xdbff;
      if (high && second !== undefined) return found;
      const low = unit >= 0xdc00 && unit <= 0xdfff;
      const bad = unit === 0 || high || low;
      if (bad) replaced += 1;
      // A low surrogate without a high one before it is lone as well.
      if (second !== undefined) replaced += 1;
      return (bad ? '\\ufffd' : `\\u${first}`) + (second === undefined ? '' : '\\ufffd');
    });
  }
  if (suspiciousNumber.test(clean)) {
    const numbers = quoteHugeNumbers(clean);
    clean = numbers.text;
    replaced += numbers.replaced;
  }
  return { text: clean, replaced };
}

function quoteHugeNumbers(text: string): JsonbText {
  const parts: string[] = [];
  let replaced = 0;
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, at);
      if (end - at > 5 && !fitsNumeric(text.slice(at, end))) {
        parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
        replaced += 1;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), replaced };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return at + 1;
    at += char === 0x5c ? 2 : 1;
  }
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && '0123456789+-.eE'.includes(text.charAt(at))) at += 1;
  return at;
}

/** True if Postgres numeric takes the literal without loss. */
export function fitsNumeric(literal: string): boolean {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (match === null) return true;
  const [, integer = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const significant = (integer + fraction).replace(/^0+/, '');
  const leadingZeros = integer.length + fraction.length - significant.length;
  const integerDigits = significant === '' ? 0 : integer.length - leadingZeros + exponent;
  const fractionDigits = fraction.length - exponent;
  return integerDigits <= maxIntegerDigits && fractionDigits <= maxFractionDigits && exponent < maxExponent;
}

/** True if the newest published slice had replaced values; false before the first. */
export async function hadReplacedValues(
  db: Executor,
  { stream, account, clientId }: Scope,
): Promise<boolean> {
  const newest = await db
    .selectFrom('sync.slice')
    .select('replaced_values')
    .where(ofScope({ stream, account, clientId }))
    .where('completed_at', 'is not', null)
    .orderBy('run_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.replaced_values > 0;
}

export interface PageInput extends Claim {
  readonly pageNo: number;
  readonly cursor: string;
  readonly nextCursor: string | undefined;
  /** If set, the whole body is one record with this key. */
  readonly recordKey: string | undefined;
  /** Key of the list in the body; '' if the body itself is the list. */
  readonly listKey: string;
  /** Valid JSON, as the server sent it. */
  readonly text: string;
  readonly records: number;
  /** True if it may hold types that no earlier page and no published walk of the stream held. */
  readonly hasNewTypes: boolean;
  readonly requests: number;
  /** Values replaced earlier, because their bytes were not UTF-8. */
  readonly replacedBytes: number;
  /** A first page read again after the walk, outside of its chain. Default: false. */
  readonly isReread?: boolean;
}

/**
 * Stores a page and its cursor by one statement. Values that jsonb cannot hold are replaced and counted.
 * @throws LostSliceError when the slice is no longer the run's
 * @throws SkippableError when Postgres still refuses the body (nested too deep, too large)
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
  readonly pageNo: number;
  /** Cursor to go on with. Undefined although pages are stored: the walk is at its end. */
  readonly nextCursor: string | undefined;
  readonly seenCursors: readonly string[];
  readonly recordKeys: readonly string[];
}

export type StoredPage = Pick<
  Row<'sync.page'>,
  'page_no' | 'cursor' | 'next_cursor' | 'record_key' | 'is_reread'
>;

export const storedPages = (slice: SliceKey) => sql<StoredPage>`
  select page_no, cursor, next_cursor, record_key, is_reread from sync.page p where ${pagesOf(slice)} order by page_no`;

export async function readCheckpoint(db: Executor, slice: SliceKey): Promise<Checkpoint> {
  return checkpointOf((await storedPages(slice).execute(db)).rows);
}

export function checkpointOf(pages: readonly StoredPage[]): Checkpoint {
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
