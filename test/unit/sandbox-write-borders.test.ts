// Each bound of the write routes at its last value that passes and its first that does not.
import { afterEach, describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, startOpenSandbox } from '../support/sandbox-requests.ts';

let sandbox: Sandbox | undefined;
let nowMs = 0;
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

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

const lineOf = (number: number, padding = '') =>
  `192.0.2.1 - - [01/May/2026:10:00:00 +0000] "GET /a?id=${number}${padding} HTTP/1.1" 200 12 "-" "GPTBot"`;

/** Log lines of exactly so many bytes. */
function textOf(bytes: number): string {
  const line = `${lineOf(1)}\n`;
  const lines = line.repeat(Math.floor(bytes / line.length) - 1);
  const rest = bytes - lines.length;
  return `${lines}${lineOf(1, 'x'.repeat(rest - line.length))}\n`;
}

/** JSON events of exactly so many bytes. */
function jsonOf(bytes: number): string {
  const body = (ua: string) => JSON.stringify({ eventos: [{ fecha: 'f', ruta: '/', ua }] });
  return body('x'.repeat(bytes - body('').length));
}

describe('the size of an upload', () => {
  test('ends at 5,000,000 bytes of text and 1,000,000 of JSON', async () => {
    const [most, mostJson] = [5_000_000, 1_000_000];
    const to = await start();
    expect(Buffer.byteLength(textOf(most))).toBe(most);
    expect((await text(to, textOf(most))).status).toBe(202);
    expect(await text(to, textOf(most + 1))).toMatchObject({ status: 413, body: { maximo: most } });
    expect((await post(to, 'crawl-logs', jsonOf(mostJson))).status).toBe(202);
    expect(await post(to, 'crawl-logs', jsonOf(mostJson + 1))).toMatchObject({
      status: 413,
      body: { maximo: mostJson },
    });
  });

  test('is counted in bytes, not in characters', async () => {
    const to = await start();
    const body = (ua: string) => JSON.stringify({ eventos: [{ fecha: 'f', ruta: '/', ua }] });
    expect((await post(to, 'crawl-logs', body('ñ'.repeat(499_970)))).status).toBe(202);
    expect((await post(to, 'crawl-logs', body('ñ'.repeat(500_000)))).status).toBe(413);
  });

  test('without a length said beforehand has the same end', async () => {
    const to = await start();
    const streamed = async (bytes: number) => {
      const body = new Blob([textOf(bytes)]).stream();
      const headers = { 'x-api-key': to.keys[0] ?? '', 'content-type': 'text/plain' };
      const init = { method: 'POST', headers, body, duplex: 'half' } as const;
      return (await fetch(`${to.url}/api/v1/crawl-logs`, init)).status;
    };
    expect(await streamed(5_000_000)).toBe(202);
    expect(await streamed(5_000_001)).toBe(413);
  });

  test('ends at 5,000 events', async () => {
    const to = await start();
    const events = (count: number) => ({ eventos: Array(count).fill({ fecha: 'f', ruta: '/' }) });
    expect((await json(to, 'crawl-logs', events(5_000))).status).toBe(202);
    expect(await json(to, 'crawl-logs', events(5_001))).toMatchObject({
      status: 413,
      body: { maximo: 5_000 },
    });
  });
});

describe('uploads an hour', () => {
  test('end at 20, in any 60 minutes', async () => {
    const to = await start();
    for (let upload = 1; upload <= 20; upload++) {
      expect((await text(to, lineOf(upload))).status, `upload ${upload}`).toBe(202);
      nowMs += 60_000;
    }
    const refused = await text(to, lineOf(21));
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited', retryAfter: 40 * 60 } });
    nowMs += 40 * 60_000 - 1;
    expect((await text(to, lineOf(21))).status).toBe(429);
    nowMs += 1;
    expect((await text(to, lineOf(21))).status).toBe(202);
    expect((await text(to, lineOf(22))).status).toBe(429);
  });

  test('are as many, and the hour as long, as was asked for', async () => {
    const to = await start({ uploadsPerHour: 2, uploadWindowMs: 1_500 });
    const statuses = [];
    for (const number of [1, 2, 3]) statuses.push((await text(to, lineOf(number))).status);
    nowMs += 1_500;
    statuses.push((await text(to, lineOf(3))).status);
    expect(statuses).toEqual([202, 202, 429, 202]);
  });
});

describe('what uploads brought', () => {
  test('is counted and told, in JSON as in text, also when it is answered 500', async () => {
    const lines: string[] = [];
    const to = await start({ faults: { errorRate: 1, received: (told) => lines.push(...told) } });
    expect((await text(to, `${lineOf(1)}\n\n${lineOf(2)}\r\nrubbish`)).status).toBeGreaterThanOrEqual(500);
    const event = { fecha: 'f', ruta: '/a?id=3' };
    await json(to, 'crawl-logs', { eventos: [event] });
    expect(to.stats().received).toEqual({ uploads: 2, lines: 3, dropped: 1 });
    expect(lines).toEqual([lineOf(1), lineOf(2), 'rubbish', JSON.stringify(event)]);
  });

  test('leaves out what was refused', async () => {
    const to = await start({ uploadsPerHour: 0 });
    expect((await text(to, lineOf(1))).status).toBe(429);
    expect(to.stats().received).toEqual({ uploads: 0, lines: 0, dropped: 0 });
  });
});
