// What the sandbox answers: whom it lets in, its limits and faults, every route, and writes.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { RateWindow } from '../../src/sandbox/rate-window.ts';
import { routes } from '../../src/sandbox/routes.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { closing } from '../support/closing.ts';
import {
  asBody,
  get,
  getBody,
  getText,
  listOf,
  listRoutes,
  nextCursor,
  startOpenSandbox,
  walk,
} from '../support/sandbox-requests.ts';

const kept = closing();
const started = async (options: SandboxOptions = {}) => kept(await startOpenSandbox(options));

describe('the key', () => {
  test.each([
    ['Authorization: Bearer', { authorization: 'Bearer sandbox-key' }],
    ['X-API-Key', { 'x-api-key': 'sandbox-key' }],
  ])('is let in as %s', async (_, headers) => {
    const sandbox = await started();
    expect((await fetch(`${sandbox.url}/api/v1/airank`, { headers })).status).toBe(200);
  });

  test.each([
    ['missing', '', {}],
    ['wrong', '', { authorization: 'Bearer other-key' }],
    ['in the query beside a good header', '?key=sandbox-key', { 'x-api-key': 'sandbox-key' }],
  ])('is refused with 401 in JSON and rate headers when %s', async (_, search, headers) => {
    const sandbox = await started();
    const response = await fetch(`${sandbox.url}/api/v1/airank${search}`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'no_autorizado' });
    expect(response.headers.has('x-ratelimit-reset')).toBe(true);
  });

  test('is not needed for a public result', async () => {
    const sandbox = await started();
    expect(sandbox.publicIds).toHaveLength(6);
    const { publico } = await getBody(sandbox, 'airank', { cliente: 'Nexo-SL' });
    const { id } = Object(publico);
    const response = await fetch(`${sandbox.url}/api/v1/airank/${id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, empresa: 'Gestión Brisa' });
    expect((await fetch(`${sandbox.url}/api/v1/airank/pub_none`)).status).toBe(404);
    expect((await fetch(`${sandbox.url}/api/v1/airank/history`)).status).toBe(401);
  });
});

/** A sandbox on a clock of its own that stands still until told otherwise. */
async function clocked(options: SandboxOptions) {
  const time = { nowMs: Date.parse('2026-05-01T10:00:20Z') };
  const sandbox = kept(await startSandbox({ date: '2026-05-01', clock: () => time.nowMs, ...options }));
  const ask = async () => {
    const response = await get(sandbox, 'rank2');
    const header = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`));
    const rates = { limit: header('limit'), remaining: header('remaining'), reset: header('reset') };
    return { status: response.status, rates, body: await response.json() };
  };
  return { sandbox, time, ask };
}

test('the minute counts down in the headers and refuses with retryAfter until it renews', async () => {
  const { sandbox, time, ask } = await clocked({ perMinute: 3 });
  expect((await ask()).rates).toEqual({ limit: 3, remaining: 2, reset: 40 });
  await ask();
  expect((await ask()).rates.remaining).toBe(0);
  const refused = await ask();
  expect(refused).toMatchObject({ status: 429, rates: { remaining: 0, reset: 40 } });
  expect(refused.body).toEqual({ error: 'rate_limited', mensaje: expect.any(String), retryAfter: 40 });
  time.nowMs += 40_000;
  expect(await ask()).toMatchObject({ status: 200, rates: { remaining: 2, reset: 60 } });
  expect(sandbox.stats()).toMatchObject({ requests: 5, refused: 1, byRoute: { rank2: 5 } });
});

test('the day refuses until midnight UTC, and what it refuses uses up no minute', async () => {
  const { time, ask } = await clocked({ perMinute: 2, perDay: 3 });
  await ask();
  await ask();
  expect(await ask()).toMatchObject({ status: 429, body: { retryAfter: 40 } });
  time.nowMs += 60_000;
  expect(await ask()).toMatchObject({ status: 200, rates: { remaining: 1 } });
  const untilMidnight = 13 * 3600 + 58 * 60 + 40;
  const body = { error: 'rate_limited', retryAfter: untilMidnight };
  expect(await ask()).toMatchObject({ status: 429, rates: { remaining: 1 }, body });
  time.nowMs += untilMidnight * 1000;
  expect((await ask()).status).toBe(200);
});

test('no window of any kind grants more than its limit', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('fixed', 'fixed-first', 'sliding'),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 }),
      (kind, limit, gaps) => {
        const window = new RateWindow(limit, kind, 60_000);
        const granted: number[] = [];
        let nowMs = 1_000_000;
        for (const gapMs of gaps) {
          nowMs += gapMs;
          const { allowed, remaining, resetMs } = window.take(nowMs);
          if (allowed) granted.push(nowMs);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(resetMs).toBeGreaterThan(0);
          expect(resetMs).toBeLessThanOrEqual(60_000);
          const sinceMs = kind === 'fixed' ? nowMs - (nowMs % 60_000) : nowMs - 59_999;
          const sameWindow = granted.filter((time) => time >= sinceMs);
          // Two fixed-first windows meet within any 60 seconds at most.
          expect(sameWindow.length).toBeLessThanOrEqual(kind === 'fixed-first' ? limit * 2 : limit);
          if (!allowed) expect(sameWindow.length).toBeGreaterThanOrEqual(kind === 'fixed-first' ? 0 : limit);
        }
      },
    ),
  );
});

test('answers 500 and 503 and cuts connections at the given rates, the same requests each time', async () => {
  const outcomes = async () => {
    const sandbox = kept(await startOpenSandbox({ faults: { errorRate: 0.3, dropRate: 0.1 } }));
    const seen: string[] = [];
    for (let order = 0; order < 60; order++) {
      const response = await get(sandbox, 'rank2').catch(() => undefined);
      seen.push(response === undefined ? 'dropped' : String(response.status));
    }
    return seen;
  };
  const first = await outcomes();
  expect(new Set(first)).toEqual(new Set(['200', '500', '503', 'dropped']));
  expect(await outcomes()).toEqual(first);
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startOpenSandbox();
});
afterAll(() => sandbox.close());

test('has the routes of the catalog and no other, with their list keys, for the same clients', () => {
  const read = catalog.filter(({ source }) => source.kind === 'walk' || source.kind === 'questions');
  expect(routes.map(({ route }) => route).sort()).toEqual(read.map(({ route }) => route).sort());
  for (const { route, list, perClient } of read) {
    const answered = routes.find((one) => one.route === route);
    expect([route, answered?.perClient]).toEqual([route, perClient]);
    const key = answered?.kind === 'list' ? answered.list : undefined;
    if (list.kind === 'detect') expect([route, key]).toEqual([route, expect.any(String)]);
    else expect([route, key]).toEqual([route, list.kind === 'key' ? list.key : undefined]);
  }
});

describe.each(listRoutes)('%s', (route, key) => {
  test(`pages through "${key}" to the end with no record lost or doubled`, async () => {
    const wide = await walk(sandbox, route, key, { limite: '200' });
    const narrow = await walk(sandbox, route, key, { limite: '17' });
    expect(wide.records.length).toBeGreaterThan(0);
    expect(narrow.pages).toBe(Math.ceil(wide.records.length / 17));
    expect(narrow.records).toEqual(wide.records);
    expect(new Set(wide.records.map((record) => JSON.stringify(record))).size).toBe(wide.records.length);
  });
});
test('gives 50 records by default and 200 at most', async () => {
  for (const [limite, count] of [
    ['', 50],
    ['100000', 200],
    ['0', 1],
  ] as const)
    expect(listOf(await getBody(sandbox, 'citas', { limite }), 'citas')).toHaveLength(count);
});

test('refuses a cursor that is garbage or of another route, client or sandbox', async () => {
  const cursor = nextCursor(await getBody(sandbox, 'products', { limite: '5' })) ?? '';
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect((await get(sandbox, 'products', { cursor })).status).toBe(200);
  expect((await get(sandbox, 'citas', { cursor })).status).toBe(400);
  expect((await get(sandbox, 'products', { cursor, cliente: 'nexo-sl' })).status).toBe(400);
  for (const garbage of ['abc', '%%%', Buffer.from('1.2.3').toString('base64url'), `${cursor}A`]) {
    expect((await get(sandbox, 'products', { cursor: garbage })).status, garbage).toBe(400);
  }
});

test('each client is known under its own id, whatever characters and letter case it has', async () => {
  const clients = listOf(await getBody(sandbox, 'clientes'), 'clientes');
  const ids = clients.map(({ id }) => id);
  expect(ids).toEqual([41027, 'bodega luna', 'moda&co/es', 'Nexo-SL', 'nexo-sl']);
  for (const client of clients) {
    for (const route of ['airank', 'visibility', 'rank2']) {
      const body = await getBody(sandbox, route, { cliente: String(client['id']) });
      expect(body).toMatchObject({ cliente: client['id'], empresa: client['nombre'] });
    }
  }
});

let nowMs = 0;
async function start(): Promise<Sandbox> {
  nowMs = Date.parse('2026-05-01T10:00:00Z');
  return kept(await startOpenSandbox({ clock: () => nowMs }));
}

async function post({ url, keys }: Sandbox, route: string, body: string, type = 'application/json') {
  const headers = { 'x-api-key': keys[0] ?? '', 'content-type': type };
  const response = await fetch(`${url}/api/v1/${route}`, { method: 'POST', headers, body });
  return { status: response.status, body: asBody(await response.json()) };
}

const untilMidnight = 14 * 3600;
const event = { fecha: '2026-05-01T10:00:00Z', ua: 'GPTBot', ruta: '/a', estado: 200 };
const line = '192.0.2.1 - - [01/May/2026:10:00:00 +0000] "GET /a?id=1 HTTP/1.1" 200 12 "-" "GPTBot"';

test('airank/run starts three one-offs a day that enter no list, and reuses a recent one unless forced', async () => {
  const to = await start();
  const before = await getText(to, 'mediciones');
  const run = (empresa: string, forzar?: boolean) =>
    post(to, 'airank/run', JSON.stringify({ empresa, forzar }));
  const first = await run('a');
  expect(first).toMatchObject({ status: 201, body: { tipo: 'puntual', comparable: false } });
  expect(await run('a')).toMatchObject({ status: 200, body: { id: first.body['id'], reutilizada: true } });
  expect((await run('a', true)).body['id']).not.toBe(first.body['id']);
  expect((await run('b')).status).toBe(201);
  const body = { error: 'quota', mensaje: expect.any(String), retryAfter: untilMidnight };
  expect(await run('c')).toEqual({ status: 429, body });
  expect((await run('a')).status).toBe(200);
  expect(await getText(to, 'mediciones')).toBe(before);
  nowMs += untilMidnight * 1000;
  expect((await run('c')).status).toBe(201);
});

test.each([
  ['combinado', `${line}\nbasura`],
  ['json_por_linea', `${JSON.stringify(event)}\n{"ruta":`],
  ['csv', 'fecha,ua,ruta,estado\n2026-05-01,GPTBot,/a,200\nsolo'],
  ['json', JSON.stringify({ eventos: [event, { ...event, ruta: undefined }] })],
])('crawl-logs are taken as %s, and say how many lines are usable', async (formato, body) => {
  const type = formato === 'json' ? 'application/json' : 'text/plain';
  const sent = await post(await start(), 'crawl-logs', body, type);
  expect(sent).toMatchObject({ status: 202, body: { formato, aceptados: 1, descartados: 1 } });
});
