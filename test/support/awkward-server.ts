// The API (api.md, "The HTTP interface") once more, strict about what it is asked and awkward in
// what it answers. It shares no code with the product.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, misbehave, send } from './awkward-faults.ts';
import { json, list, object, type Raw, raw } from './awkward-json.ts';
import {
  type AwkwardPage,
  type AwkwardRoute,
  answerTo,
  type CursorStyle,
  clientIds,
  publicIds,
  publicOf,
  questions,
  routes,
  runIds,
  traceOf,
} from './awkward-world.ts';
import { startLoopbackServer } from './loopback-server.ts';

/** Beyond 2^53, where neighbours are one number to JavaScript. */
const firstNumber = 9_007_199_254_740_993n;

function cursorOf(style: CursorStyle, pageNo: number): Raw {
  return style === 'number' ? raw(textOf(style, pageNo)) : json(textOf(style, pageNo));
}

function textOf(style: CursorStyle, pageNo: number): string {
  switch (style) {
    case 'short':
      return `c${pageNo}`;
    case 'number':
      return String(firstNumber + BigInt(pageNo));
    case 'odd':
      return `a&b/c+d=e%20%f ñ🚀?#${pageNo}`;
    case 'long':
      return `${'Zm9v+/='.repeat(300)}${pageNo}`;
  }
}

/** Undefined: no such cursor was ever given. */
function pageNumberOf(style: CursorStyle, cursor: string): number | undefined {
  if (cursor === '') return 1;
  for (let pageNo = 2; pageNo < 50; pageNo += 1) {
    if (textOf(style, pageNo) === cursor) return pageNo;
  }
  return undefined;
}

/** The server's fixed minutes: a count that renews at once when the minute is over. */
class RateMinute {
  readonly limit: number;
  #used = 0;
  #endsAtMs = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Somebody else on the key used so much of a minute that ends soon. */
  borrow(used: number, endsInMs: number): void {
    this.#used = used;
    this.#endsAtMs = Date.now() + endsInMs;
  }

  /** Counts a request; returns seconds to wait when there is no room for it. */
  take(): number | undefined {
    this.#renew();
    if (this.#used >= this.limit) return this.#secondsLeft();
    this.#used += 1;
    return undefined;
  }

  headers(): Record<string, string> {
    this.#renew();
    return {
      'X-RateLimit-Limit': String(this.limit),
      'X-RateLimit-Remaining': String(this.limit - this.#used),
      'X-RateLimit-Reset': String(this.#secondsLeft()),
    };
  }

  #renew(): void {
    const now = Date.now();
    if (now < this.#endsAtMs) return;
    this.#used = 0;
    this.#endsAtMs = now + 60_000;
  }

  #secondsLeft(): number {
    return Math.max(Math.ceil((this.#endsAtMs - Date.now()) / 1_000), 0);
  }
}

export interface Asked {
  /** Below /api/v1/. */
  readonly route: string;
  readonly clientId: string;
  readonly cursor: string;
  /** Value of `id` or `pregunta`, or the public id. */
  readonly value: string;
  /** How often exactly this was asked, this time included. */
  readonly times: number;
  /** Requests so far, this one included. */
  readonly number: number;
}

interface AwkwardOptions {
  readonly key?: string;
  /** What X-RateLimit-Limit says and the fixed minute enforces. */
  readonly perMinute?: number;
  /** What goes wrong with a request; undefined: nothing. */
  readonly fault?: (asked: Asked) => Fault | undefined;
}

export interface AwkwardServer {
  readonly url: string;
  readonly key: string;
  /** The day whose data is served. */
  day: number;
  fault: ((asked: Asked) => Fault | undefined) | undefined;
  readonly asked: Asked[];
  /** What no right client does. */
  readonly violations: string[];
  readonly minute: RateMinute;
  close(): Promise<void>;
}

const awkwardKey = 'ak_live_5up3r-s3cr3t/+=%clave';

export async function startAwkwardServer(options: AwkwardOptions = {}): Promise<AwkwardServer> {
  const key = options.key ?? awkwardKey;
  const times = new Map<string, number>();
  const state: Omit<AwkwardServer, 'url' | 'close'> = {
    key,
    day: 1,
    fault: options.fault,
    asked: [],
    violations: [],
    minute: new RateMinute(options.perMinute ?? 1_000_000),
  };
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const now = readAsked(url, state.asked.length + 1);
    const name = JSON.stringify([now.route, now.clientId, now.cursor, now.value]);
    times.set(name, (times.get(name) ?? 0) + 1);
    const asked: Asked = { ...now, times: times.get(name) ?? 1 };
    state.asked.push(asked);
    void serve(request, response, url, asked, state);
  };
  const server = await startLoopbackServer(respond, 0, { maxHeaderSize: 65_536 });
  return Object.assign(state, {
    url: server.url,
    close: () => server.close(),
  });
}

function readAsked(url: URL, number: number): Omit<Asked, 'times'> {
  const path = url.pathname.replace(/^\/api\/v1\//, '');
  const known = routes.some(({ route }) => route === path) || path === 'ask';
  const publicId =
    !known && path.startsWith('airank/') ? decodeURIComponent(path.slice('airank/'.length)) : '';
  return {
    route: publicId === '' ? path : 'airank/:id',
    clientId: url.searchParams.get('cliente') ?? '',
    cursor: url.searchParams.get('cursor') ?? '',
    value: publicId || (url.searchParams.get('id') ?? url.searchParams.get('pregunta') ?? ''),
    number,
  };
}

type State = Omit<AwkwardServer, 'url' | 'close'>;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  asked: Asked,
  state: State,
): Promise<void> {
  const public_ = asked.route === 'airank/:id';
  checkManners(request, url, asked, state);
  // The public route takes no key, so it counts for nobody.
  const refused = public_ ? undefined : state.minute.take();
  const fault = refused === undefined ? state.fault?.(asked) : undefined;
  const headers = public_ ? {} : state.minute.headers();
  if (refused !== undefined) {
    state.violations.push(`429 at request ${asked.number}`);
    return send(
      response,
      429,
      headers,
      JSON.stringify({ error: 'rate_limited', mensaje: 'Más despacio', retryAfter: refused }),
    );
  }
  if (!public_ && !hasKey(request, state.key)) {
    return send(
      response,
      401,
      headers,
      JSON.stringify({ error: 'unauthorized', mensaje: 'Clave no válida' }),
    );
  }
  if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
  else if (fault !== undefined) return misbehave(response, headers, fault);
  const body = bodyOf(asked, state);
  if (body === undefined) return send(response, 404, headers, JSON.stringify({ error: 'not_found' }));
  const zip = asked.route === 'optimizer' && String(request.headers['accept-encoding']).includes('gzip');
  send(response, 200, { ...headers, ...(zip ? { 'content-encoding': 'gzip' } : {}) }, body.sent, zip);
}

function hasKey(request: IncomingMessage, key: string): boolean {
  return request.headers.authorization === `Bearer ${key}` || request.headers['x-api-key'] === key;
}

function checkManners(request: IncomingMessage, url: URL, asked: Asked, state: State): void {
  const wrong = (what: string) => state.violations.push(`${asked.route}: ${what}`);
  const { searchParams, pathname } = url;
  if (request.method !== 'GET') wrong(`method ${request.method}`);
  if (!pathname.startsWith('/api/v1/')) wrong(`path ${pathname}`);
  if (url.href.includes(encodeURIComponent(state.key)) || searchParams.has('key'))
    wrong('the key is in the URL');
  if (
    asked.route === 'airank/:id' &&
    (request.headers.authorization ?? request.headers['x-api-key']) !== undefined
  ) {
    wrong('the public route got the key');
  }
  for (const name of new Set(searchParams.keys())) {
    if (searchParams.getAll(name).length > 1) wrong(`${name} comes twice`);
    if (!['limite', 'cursor', 'cliente', 'texto', 'id', 'pregunta', 'format'].includes(name))
      wrong(`parameter ${name}`);
  }
  const limit = searchParams.get('limite');
  if (limit !== null && limit !== '200') wrong(`limite=${limit}`);
  if (asked.route === 'respuestas' && searchParams.get('texto') !== '1') wrong('texto is not 1');
  if (asked.clientId !== '') {
    if (routes.find(({ route }) => route === asked.route)?.perClient !== true)
      wrong('cliente on an account route');
    if (!clientIds.some(({ id }) => id === asked.clientId)) wrong(`unknown client ${asked.clientId}`);
  }
}

function bodyOf(asked: Asked, state: State): Raw | undefined {
  const { day } = state;
  if (asked.route === 'airank/:id')
    return publicIds.includes(asked.value) ? publicOf(asked.value, day) : undefined;
  if (asked.route === 'ask') return questions.includes(asked.value) ? answerTo(asked.value, day) : undefined;
  if (asked.route === 'agent/runs' && asked.value !== '') {
    const id = runIds.find(({ sent }) => sent === asked.value || sent === JSON.stringify(asked.value));
    return id === undefined ? undefined : traceOf(day, id);
  }
  const route = routes.find((candidate) => candidate.route === asked.route);
  if (route === undefined) return undefined;
  const answer = route.answer(day, asked.clientId);
  if (answer.kind === 'body') return answer.body;
  if (answer.kind === 'array') return list(answer.records);
  const pageNo = pageNumberOf(route.cursors, asked.cursor);
  const page = answer.pages[(pageNo ?? 0) - 1];
  if (pageNo === undefined || page === undefined) {
    state.violations.push(`${asked.route}: unknown cursor ${asked.cursor}`);
    return undefined;
  }
  return pageText(route, answer.key, page, pageNo < answer.pages.length ? pageNo + 1 : undefined);
}

function pageText(route: AwkwardRoute, key: string, page: AwkwardPage, next: number | undefined): Raw {
  const records = page.listText ?? list(page.records);
  const pagination =
    next === undefined ? lastPagination(route) : object(['siguiente', cursorOf(route.cursors, next)]);
  return object(
    ...page.extra.slice(0, 1),
    ...(pagination === undefined ? [] : ([['paginacion', pagination]] as const)),
    [key, records],
    ...page.extra.slice(1),
  );
}

function lastPagination(route: AwkwardRoute): Raw | undefined {
  switch (route.end) {
    case 'empty':
      return json({ siguiente: '' });
    case 'null':
      return json({ siguiente: null, anterior: 'c1' });
    case 'absent':
      return json({ total: 3 });
    case 'null-paginacion':
      return json(null);
    case 'empty-paginacion':
      return json({});
    case 'no-paginacion':
      return undefined;
  }
}
