// Serves a world on loopback, its lists in pages.
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import type { World } from './table.ts';

export interface ServedWorld {
  readonly baseUrl: string;
  /** The next run date. */
  readonly nextDay: () => void;
  readonly close: () => Promise<void>;
}

export async function serveWorld(world: World): Promise<ServedWorld> {
  let day = 0;
  const { url: baseUrl, close } = await startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = decodeURIComponent(pathname.replace('/api/v1/', ''));
    const body = world.body(route, searchParams, day);
    const headers = {
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': '99000',
      'x-ratelimit-reset': '30',
    };
    if (typeof body === 'string')
      response.writeHead(200, { ...headers, 'content-type': 'text/csv' }).end(body);
    else if (body === undefined) sendJson(response, 404, { error: 'not_found' }, headers);
    else sendJson(response, 200, page(world, route, searchParams, body), headers);
  });
  return {
    baseUrl,
    nextDay: () => {
      day += 1;
    },
    close,
  };
}

function page(world: World, route: string, query: URLSearchParams, body: unknown): unknown {
  const key = world.listKeys[route];
  const holder = body as Record<string, unknown>;
  const list = key === undefined ? undefined : holder[key];
  if (key === undefined || key === '' || !Array.isArray(list)) return body;
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Math.min(Number(query.get('limite') ?? 50), 200);
  const next = end < list.length ? String(end) : null;
  return { ...holder, [key]: list.slice(start, end), paginacion: { siguiente: next } };
}
