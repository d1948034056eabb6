import { afterEach, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, getText, startOpenSandbox } from '../support/sandbox-requests.ts';

let sandbox: Sandbox | undefined;
let nowMs = 0;
afterEach(() => sandbox?.close());

async function start(): Promise<Sandbox> {
  nowMs = Date.parse('2026-05-01T10:00:00Z');
  sandbox = await startOpenSandbox({ clock: () => nowMs });
  return sandbox;
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
