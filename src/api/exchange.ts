// One request over the wire and its whole answer, or a failure with a code. Follows no redirect, retries nothing.
import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { type Dispatcher, request as undiciRequest } from 'undici';
import { proxyFor } from '../config/addresses.ts';
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import { linkSignals } from '../core/clock.ts';
import { createDispatcher } from '../core/http.ts';
import { type RunDate, runDateIn } from '../core/run-date.ts';
import type { PageRequest } from './request.ts';

export class BodyTooLargeError extends Error {}

export class UnknownEncodingError extends Error {}

interface BodyText {
  readonly text: string;
  readonly bytes: number;
  readonly replacedBytes: number;
  /** Raw bytes, if asked for: the text has lost its byte order mark and whatever is not UTF-8. */
  readonly raw?: Uint8Array;
}

interface HowRead {
  readonly maxBytes: number;
  readonly keepsBytes: boolean | undefined;
  readonly charset: string | undefined;
}

/** Reads `body` to its end. The cap counts decompressed bytes, so a small bomb cannot fill the memory. */
async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  { maxBytes, keepsBytes = false, charset }: HowRead,
): Promise<BodyText> {
  const source = await decompressed(body, contentEncoding);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BodyTooLargeError(`body larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    source.destroy();
    body.destroy();
  }
  const raw = Buffer.concat(chunks, bytes);
  return { bytes, ...decode(raw, charset), ...(keepsBytes && { raw }) };
}

/** Decodes as UTF-8, whatever is declared; the declared charset counts only if it cannot be UTF-8. */
function decode(raw: Buffer, charset: string | undefined): Pick<BodyText, 'text' | 'replacedBytes'> {
  if (charset === undefined || (isUtf8(raw) && !raw.includes(0))) return decodeUtf8(raw);
  try {
    const text = new TextDecoder(charset).decode(raw);
    return { text, replacedBytes: count(text, '\ufffd') };
  } catch {
    return decodeUtf8(raw);
  }
}

/** Decodes UTF-8, strips one BOM, replaces invalid sequences by U+FFFD and counts them. */
function decodeUtf8(raw: Buffer): Pick<BodyText, 'text' | 'replacedBytes'> {
  const text = new TextDecoder('utf-8').decode(raw);
  if (isUtf8(raw)) return { text, replacedBytes: 0 };
  return { text, replacedBytes: count(text, '\ufffd') - countGenuine(raw) };
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** Counts each U+FFFD that the server itself sent. */
function countGenuine(raw: Buffer): number {
  const mark = Buffer.from('\ufffd');
  let found = 0;
  for (let at = raw.indexOf(mark); at !== -1; at = raw.indexOf(mark, at + mark.length)) found += 1;
  return found;
}

async function decompressed(body: Readable, contentEncoding: string | undefined): Promise<Readable> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let source = body;
  for (const coding of codings.reverse()) {
    const previous = source;
    const decoder = await decoderFor(coding, previous);
    // Errors travel down the pipe and surface where the last stream is read.
    source = pipeline(previous, decoder, () => {});
  }
  return source;
}

async function decoderFor(coding: string, source: Readable): Promise<Transform> {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return (await startsWithZlibHeader(source)) ? createInflate() : createInflateRaw();
    default:
      source.destroy();
      throw new UnknownEncodingError(`content encoding "${coding}"`);
  }
}

/** Some servers send raw deflate under the name of the zlib format; the first byte tells. */
async function startsWithZlibHeader(source: Readable): Promise<boolean> {
  const first = await new Promise<Buffer | null>((resolve, reject) => {
    source.once('error', reject);
    source.once('end', () => resolve(null));
    source.once('readable', () => resolve(source.read(1) as Buffer | null));
  });
  if (first === null) return true;
  source.unshift(first);
  return ((first[0] ?? 0) & 0x0f) === 8;
}

/**
 * Returns the server clock minus ours in ms, within about a second; undefined without a usable Date header. The header
 * gives whole seconds, rounded down, for some moment between request and answer; the Age of a cached answer says how
 * long ago that was.
 */
export function clockAhead({ headers }: RawHead, startedAtMs: number, headAtMs: number): number | undefined {
  const serverMs = Date.parse(headerText(headers['date']) ?? '');
  if (Number.isNaN(serverMs)) return undefined;
  const ageS = Number(headerText(headers['age']) ?? 0);
  const ageMs = Number.isFinite(ageS) && ageS > 0 ? ageS * 1_000 : 0;
  return serverMs + ageMs + 500 - (startedAtMs + headAtMs) / 2;
}

/** Clocks that differ by less count as equal; then our date is the one that counts. */
const clockToleranceMs = 5 * 60_000;

export interface OtherDay {
  readonly ours: RunDate;
  readonly theirs: RunDate;
}

/** Returns the dates that both clocks show, if they differ. */
export function otherDay(aheadMs: number, nowMs: number, timeZone: string): OtherDay | undefined {
  if (Math.abs(aheadMs) <= clockToleranceMs) return undefined;
  const ours = runDateIn(timeZone, new Date(nowMs));
  const theirs = runDateIn(timeZone, new Date(nowMs + aheadMs));
  return ours === theirs ? undefined : { ours, theirs };
}

export interface RawAnswer extends BodyText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export class ExchangeTimeoutError extends Error {}

interface Sent extends Pick<PageRequest, 'accept' | 'withKey' | 'keepsBytes'> {
  /** Makes it a POST, on a new connection: the server may just be closing one that is open. */
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
}

export interface Exchange {
  /** `onHead` runs as soon as the status line and headers are in, before the body. */
  send(url: string, request: Sent, signal: AbortSignal, onHead: (head: RawHead) => void): Promise<RawAnswer>;
  close(): Promise<void>;
}

export type RawHead = Pick<RawAnswer, 'status' | 'headers'>;

/** Returns an answer of which only the head came, with an empty body. */
export function bodiless(head: RawHead): RawAnswer {
  return { ...head, text: '', bytes: 0, replacedBytes: 0 };
}

/** Undefined: for routes that take no key. */
type KeyOwner = Pick<AccountConfig, 'apiKey'> | undefined;

export function createExchange(account: KeyOwner, http: HttpConfig): Exchange {
  const { connectTimeoutMs } = http;
  let dispatcher: Dispatcher | undefined;
  const dispatcherFor = (url: string) => {
    const proxy = proxyFor(new URL(url), http.proxy)?.reveal();
    dispatcher ??= createDispatcher({ proxy, connectTimeoutMs });
    return dispatcher;
  };
  return {
    send: (url, request, signal, onHead) =>
      withDeadline(timeLimitMs(request, http), signal, async (deadline) => {
        const response = await undiciRequest(url, {
          dispatcher: dispatcherFor(url),
          headers: requestHeaders(account, request),
          ...(request.body === undefined
            ? { method: 'GET' }
            : { method: 'POST', body: request.body.bytes, reset: true }),
          signal: deadline,
        });
        const head: RawHead = { status: response.statusCode, headers: response.headers };
        onHead(head);
        const encoding = headerText(response.headers['content-encoding']);
        const charset = /;\s*charset="?([\w-]+)/i.exec(
          headerText(response.headers['content-type']) ?? '',
        )?.[1];
        const how = { maxBytes: http.maxBodyBytes, keepsBytes: request.keepsBytes, charset };
        return { ...head, ...(await readBody(response.body, encoding, how)) };
      }),
    // destroy() and not close(): a program that stops must not wait for a slow server.
    close: async () => await dispatcher?.destroy(),
  };
}

/** The answer's time begins when the body is sent: a slow upload does not mean a silent server. */
function timeLimitMs({ body }: Sent, { bodyTimeoutMs, slowestLine = 32_000 }: HttpConfig): number {
  return bodyTimeoutMs + ((body?.bytes.length ?? 0) / slowestLine) * 1_000;
}

export function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function requestHeaders(account: KeyOwner, request: Sent): Record<string, string> {
  const headers: Record<string, string> = {
    accept: request.accept === 'csv' ? 'text/csv, application/json;q=0.5' : 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'airank-warehouse',
    ...(request.body !== undefined && { 'content-type': request.body.type }),
  };
  if (!request.withKey || account === undefined) return headers;
  return { ...headers, authorization: `Bearer ${account.apiKey.reveal()}` };
}

async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = linkSignals(signal);
  const timer = setTimeout(() => {
    linked.abort(new ExchangeTimeoutError(`no whole answer within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    linked.signal.throwIfAborted();
    return await work(linked.signal);
  } catch (error) {
    // An aborted stream may surface as some other error; the reason says what happened.
    throw linked.signal.aborted ? linked.signal.reason : error;
  } finally {
    clearTimeout(timer);
    linked.release();
  }
}
