// The sandbox with awkward bodies, strict about what it is asked.
import { gzipSync } from 'node:zlib';
import type { Asked as Request, Told } from '../../src/sandbox/faults.ts';
import type { Reply } from '../../src/sandbox/reply.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { json, list, object, type Raw, raw, wireBytes } from './awkward-json.ts';
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

/** Beyond 2^53, where neighbours are one number to JavaScript. */
const firstNumber = 9_007_199_254_740_993n;

function cursorOf(style: CursorStyle, pageNo: number): Raw {
  return style === 'number' ? raw(textOf(style, pageNo)) : json(textOf(style, pageNo));
}

function textOf(style: CursorStyle, pageNo: number): string {
  if (style === 'number') return String(firstNumber + BigInt(pageNo));
  const start = { short: 'c', odd: 'a&b/c+d=e%20%f ñ🚀?#', long: 'Zm9v+/='.repeat(300) }[style];
  return `${start}${pageNo}`;
}

/** Undefined: no such cursor was ever given. */
function pageNumberOf(style: CursorStyle, cursor: string): number | undefined {
  if (cursor === '') return 1;
  return Array.from({ length: 50 }, (_, index) => index + 2).find(
    (pageNo) => textOf(style, pageNo) === cursor,
  );
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

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  | { readonly kind: 'body'; readonly body: string; readonly type?: string }
  | { readonly kind: 'truncated' | 'reset' | 'hang' }
  | { readonly kind: 'delay'; readonly until: Promise<unknown> };

export interface AwkwardServer {
  readonly url: string;
  readonly key: string;
  /** The day whose data is served. */
  day: number;
  /** Decides what goes wrong with a request; undefined: nothing. */
  fault: ((asked: Asked) => Fault | undefined) | undefined;
  readonly asked: Asked[];
  /** Requests that no correct client makes. */
  readonly violations: string[];
  close(): Promise<void>;
}

export async function startAwkwardServer(): Promise<AwkwardServer> {
  const key = 'ak_live_5up3r-s3cr3t/+=%clave';
  const times = new Map<string, number>();
  const answer = async (request: Request, due: Reply): Promise<Told | undefined> => {
    const now = readAsked(request, state.asked.length + 1);
    const name = JSON.stringify([now.route, now.clientId, now.cursor, now.value]);
    times.set(name, (times.get(name) ?? 0) + 1);
    const asked: Asked = { ...now, times: times.get(name) ?? 1 };
    state.asked.push(asked);
    checkManners(request, asked, state);
    if (due.status === 429) state.violations.push(`429 at request ${asked.number}`);
    if (due.status === 429 || due.status === 401) return undefined;
    const fault = state.fault?.(asked);
    if (fault?.kind === 'delay') await fault.until;
    else if (fault !== undefined) return await toldOf(fault);
    const body = bodyOf(asked, state);
    if (body === undefined) return jsonOf(404, '{"error":"not_found"}');
    const zip = asked.route === 'optimizer' && String(request.headers['accept-encoding']).includes('gzip');
    const reply = jsonOf(200, body.sent);
    return zip ? { ...reply, body: gzipSync(reply.body), headers: { 'content-encoding': 'gzip' } } : reply;
  };
  const sandbox = await startSandbox({
    ...{ apiKeys: [key], clients: 0, perMinute: 1_000_000, perDay: 1_000_000 },
    faults: { answer },
  });
  const state: AwkwardServer = {
    ...{ url: sandbox.url, key, day: 1, fault: undefined, asked: [], violations: [] },
    close: () => sandbox.close(),
  };
  return state;
}

function jsonOf(status: number, body: string): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body: wireBytes(body) };
}

async function toldOf(fault: Exclude<Fault, { kind: 'delay' }>): Promise<Told> {
  switch (fault.kind) {
    case 'status':
      return jsonOf(fault.status, fault.body ?? '{"error":"algo"}');
    case 'body':
      return { ...jsonOf(200, fault.body), contentType: fault.type ?? 'application/json' };
    case 'truncated':
      return 'cut';
    case 'reset':
      return 'drop';
    case 'hang':
      return await new Promise(() => undefined);
  }
}

function readAsked({ path, query }: Request, number: number): Omit<Asked, 'times'> {
  const known = routes.some(({ route }) => route === path) || path === 'ask';
  const publicId =
    !known && path.startsWith('airank/') ? decodeURIComponent(path.slice('airank/'.length)) : '';
  return {
    route: publicId === '' ? path : 'airank/:id',
    clientId: query.get('cliente') ?? '',
    cursor: query.get('cursor') ?? '',
    value: publicId || (query.get('id') ?? query.get('pregunta') ?? ''),
    number,
  };
}

function checkManners(
  { method, path, query, headers }: Request,
  asked: Asked,
  { violations, key }: AwkwardServer,
): void {
  const wrong = (what: string) => violations.push(`${asked.route}: ${what}`);
  if (method !== 'GET') wrong(`method ${method}`);
  if (path === '') wrong('path');
  if (query.has('key') || [...query.values(), path].some((text) => text.includes(key)))
    wrong('the key is in the URL');
  if (asked.route === 'airank/:id' && (headers.authorization ?? headers['x-api-key']) !== undefined) {
    wrong('the public route got the key');
  }
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) wrong(`${name} comes twice`);
    if (!['limite', 'cursor', 'cliente', 'texto', 'id', 'pregunta', 'format'].includes(name))
      wrong(`parameter ${name}`);
  }
  const limit = query.get('limite');
  if (limit !== null && limit !== '200') wrong(`limite=${limit}`);
  if (asked.route === 'respuestas' && query.get('texto') !== '1') wrong('texto is not 1');
  if (asked.clientId !== '') {
    if (routes.find(({ route }) => route === asked.route)?.perClient !== true)
      wrong('cliente on an account route');
    if (!clientIds.some(({ id }) => id === asked.clientId)) wrong(`unknown client ${asked.clientId}`);
  }
}

function bodyOf(asked: Asked, state: AwkwardServer): Raw | undefined {
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
    next === undefined ? ends[route.end] : object(['siguiente', cursorOf(route.cursors, next)]);
  return object(
    ...page.extra.slice(0, 1),
    ...(pagination === undefined ? [] : ([['paginacion', pagination]] as const)),
    [key, records],
    ...page.extra.slice(1),
  );
}

/** `paginacion` of the last page. */
const ends: Readonly<Record<AwkwardRoute['end'], Raw | undefined>> = {
  empty: json({ siguiente: '' }),
  null: json({ siguiente: null, anterior: 'c1' }),
  absent: json({ total: 3 }),
  'null-paginacion': json(null),
  'empty-paginacion': json({}),
  'no-paginacion': undefined,
};
