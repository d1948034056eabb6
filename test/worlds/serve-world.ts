// Serves a world on loopback, its lists in pages.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listKeys, type World } from './world.ts';

export interface ServedWorld {
  readonly baseUrl: string;
  /** The next run date. */
  readonly nextDay: () => void;
  readonly close: () => Promise<void>;
}

export async function serveWorld(world: World): Promise<ServedWorld> {
  let day = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = decodeURIComponent(url.pathname.replace('/api/v1/', ''));
    const body = world.body(route, url.searchParams, day);
    const csv = typeof body === 'string';
    const text = csv
      ? body
      : JSON.stringify(
          body === undefined ? { error: 'not_found' } : page(world, route, url.searchParams, body),
        );
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': csv ? 'text/csv' : 'application/json',
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': '99000',
      'x-ratelimit-reset': '30',
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextDay: () => {
      day += 1;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function page(world: World, route: string, query: URLSearchParams, body: unknown): unknown {
  const key = world.listKeys[route] ?? listKeys[route];
  const holder = body as Record<string, unknown>;
  const list = key === undefined ? undefined : holder[key];
  if (key === undefined || key === '' || !Array.isArray(list)) return body;
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Math.min(Number(query.get('limite') ?? 50), 200);
  const next = end < list.length ? String(end) : null;
  return { ...holder, [key]: list.slice(start, end), paginacion: { siguiente: next } };
}
