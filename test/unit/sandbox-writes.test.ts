// The write routes of the sandbox: each bound at its last value that passes and its first that does not.
import { afterEach, describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, getText, startOpenSandbox } from '../support/sandbox-requests.ts';

let sandbox: Sandbox | undefined;
let nowMs = 0;
afterEach(() => sandbox?.close());

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  nowMs = Date.parse('2026-05-01T10:00:00Z');
  sandbox = await startOpenSandbox({ clock: () => nowMs, ...options });
  return sandbox;
}

async function post({ url, keys }: Sandbox, route: string, body: string, type = 'application/json') {
  const headers = { 'x-api-key': keys[0] ?? '', 'content-type': type };
  const response = await fetch(`${url}/api/v1/${route}`, { method: 'POST', headers, body });
  return { status: response.status, body: asBody(await response.json()) };
}

const json = (to: Sandbox, route: string, body: unknown) => post(to, route, JSON.stringify(body));
const text = (to: Sandbox, body: string) => post(to, 'crawl-logs', body, 'text/plain');
const untilMidnight = 14 * 3600;
const event = { fecha: '2026-05-01T10:00:00Z', ua: 'GPTBot', ruta: '/a', estado: 200 };
const lineOf = (number: number, padding = '') =>
  `192.0.2.1 - - [01/May/2026:10:00:00 +0000] "GET /a?id=${number}${padding} HTTP/1.1" 200 12 "-" "GPTBot"`;

/** Log lines of exactly so many bytes. */
function textOf(bytes: number): string {
  const line = `${lineOf(1)}\n`;
  const lines = line.repeat(Math.floor(bytes / line.length) - 1);
  return `${lines}${lineOf(1, 'x'.repeat(bytes - lines.length - line.length))}\n`;
}

/** JSON events of exactly so many bytes, half as many characters. */
function jsonOf(bytes: number): string {
  const body = (ua: string) => JSON.stringify({ eventos: [{ ...event, ua }] });
  const left = bytes - body('').length;
  return body(`${'x'.repeat(left % 2)}${'ñ'.repeat(Math.floor(left / 2))}`);
}

test('airank/run starts three one-offs a day that enter no list, and reuses a recent one unless forced', async () => {
  const to = await start();
  const before = await getText(to, 'mediciones');
  const run = (empresa: string, forzar?: boolean) => json(to, 'airank/run', { empresa, forzar });
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

describe('crawl-logs', () => {
  test.each([
    ['combinado', `${lineOf(1)}\nbasura`],
    ['json_por_linea', `${JSON.stringify(event)}\n{"ruta":`],
    ['csv', 'fecha,ua,ruta,estado\n2026-05-01,GPTBot,/a,200\nsolo'],
    ['json', JSON.stringify({ eventos: [event, { ...event, ruta: undefined }] })],
  ])('are taken as %s, and says how many lines are usable', async (formato, body) => {
    const type = formato === 'json' ? 'application/json' : 'text/plain';
    const sent = await post(await start(), 'crawl-logs', body, type);
    expect(sent).toMatchObject({ status: 202, body: { formato, aceptados: 1, descartados: 1 } });
  });

  test('end at 5,000,000 bytes of text, 1,000,000 of JSON and 5,000 events', async () => {
    const [most, mostJson] = [5_000_000, 1_000_000];
    const to = await start();
    expect((await text(to, textOf(most))).status).toBe(202);
    expect(await text(to, textOf(most + 1))).toMatchObject({ status: 413, body: { maximo: most } });
    expect((await post(to, 'crawl-logs', jsonOf(mostJson))).status).toBe(202);
    const refused = await post(to, 'crawl-logs', jsonOf(mostJson + 1));
    expect(refused).toMatchObject({ status: 413, body: { maximo: mostJson } });
    const events = (count: number) => ({ eventos: Array(count).fill({ fecha: 'f', ruta: '/' }) });
    expect((await json(to, 'crawl-logs', events(5_000))).status).toBe(202);
    const tooMany = await json(to, 'crawl-logs', events(5_001));
    expect(tooMany).toMatchObject({ status: 413, body: { maximo: 5_000 } });
  });

  test('are taken 20 times in any 60 minutes', async () => {
    const to = await start();
    for (let upload = 1; upload <= 20; upload++) {
      expect((await text(to, lineOf(upload))).status, `upload ${upload}`).toBe(202);
      nowMs += 60_000;
    }
    const refused = await text(to, lineOf(21));
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited', retryAfter: 40 * 60 } });
    nowMs += 40 * 60_000;
    expect((await text(to, lineOf(21))).status).toBe(202);
  });
});

describe('bgpi/observe', () => {
  test('takes questions of 8 to 300 characters, counted as people count, and 20 at once', async () => {
    const to = await start();
    const observe = (preguntas: unknown) => json(to, 'bgpi/observe', { preguntas });
    for (const preguntas of [['x'.repeat(7)], ['x'.repeat(301)], Array(21).fill('una pregunta')]) {
      expect((await observe(preguntas)).status).toBe(400);
    }
    const taken = await observe(['x'.repeat(8), 'ñ'.repeat(300), '🙂'.repeat(300)]);
    expect(taken).toMatchObject({ status: 202, body: { aceptadas: 3, restantesHoy: 197 } });
  });

  test('takes 200 a day, whole requests only', async () => {
    const to = await start();
    const observe = (count: number) =>
      json(to, 'bgpi/observe', { preguntas: Array(count).fill('una pregunta') });
    for (let request = 0; request < 9; request++) expect((await observe(20)).status).toBe(202);
    await observe(15);
    const body = { error: 'quota', retryAfter: untilMidnight };
    expect(await observe(6)).toMatchObject({ status: 429, body });
    expect((await observe(5)).status).toBe(202);
    nowMs += untilMidnight * 1000;
    expect((await observe(1)).status).toBe(202);
  });
});
