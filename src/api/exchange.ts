// One request over the wire and its whole answer, or a failure with a code. Follows no redirect, retries nothing.
import { type Dispatcher, request as undiciRequest } from 'undici';
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import { proxyFor } from '../config/server-addresses.ts';
import { linkSignals } from '../core/clock.ts';
import { createDispatcher } from '../core/http.ts';
import { type BodyText, readBody } from './body.ts';
import type { PageRequest } from './request.ts';

export interface RawAnswer extends BodyText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The whole exchange took longer than the setting allows. */
export class ExchangeTimeoutError extends Error {}

/** What a request says beside its URL. */
export interface Sent extends Pick<PageRequest, 'accept' | 'withKey'> {
  /** Makes it a POST, on a connection of its own: one that is open may be closed by the server just now. */
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
}

export interface Exchange {
  /** `onHead` runs as soon as the status line and headers are in, before the body. */
  send(url: string, request: Sent, signal: AbortSignal, onHead: (head: RawHead) => void): Promise<RawAnswer>;
  close(): Promise<void>;
}

export type RawHead = Pick<RawAnswer, 'status' | 'headers'>;

/** The answer of which only the head came, as if its body were empty. */
export function bodiless(head: RawHead): RawAnswer {
  return { ...head, text: '', bytes: 0, replacedBytes: 0 };
}

/** Undefined: for routes that take no key. */
type KeyOwner = Pick<AccountConfig, 'apiKey' | 'authHeader'> | undefined;

/** Keeps connections of one account open between requests. */
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
        return { ...head, ...(await readBody(response.body, encoding, http.maxBodyBytes)) };
      }),
    // destroy() and not close(): a program that stops must not wait for a slow server.
    close: async () => await dispatcher?.destroy(),
  };
}

/** The answer's time begins when the body is sent: a slow line is no silent server. */
function timeLimitMs({ body }: Sent, { bodyTimeoutMs, slowestLine = 32_000 }: HttpConfig): number {
  return bodyTimeoutMs + ((body?.bytes.length ?? 0) / slowestLine) * 1_000;
}

/** The first value of a header that may be repeated. */
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
  const key = account.apiKey.reveal();
  if (account.authHeader === 'x-api-key') headers['x-api-key'] = key;
  else headers['authorization'] = `Bearer ${key}`;
  return headers;
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
