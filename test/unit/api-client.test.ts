import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { probe } from '../../src/api/ask-once.ts';
import type { Answer } from '../../src/api/client.ts';
import type { Attempt, Gate } from '../../src/api/gate/gate.ts';
import type { PageRequest } from '../../src/api/request.ts';
import {
  BudgetExhaustedError,
  RetryableError,
  SkippableError,
  UnavailableError,
} from '../../src/core/errors.ts';
import { moment } from '../../src/core/text.ts';
import { listRequest, recordedClient, testAccount, testHttp, testKey } from '../support/api-client-setup.ts';
import { closing } from '../support/closing.ts';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';

const kept = closing();
const serve = async (...args: Parameters<typeof startLoopbackServer>) =>
  kept(await startLoopbackServer(...args));

function connect(...args: Parameters<typeof recordedClient>) {
  const recorded = recordedClient(...args);
  kept(recorded.client);
  return recorded;
}

const never = new AbortController().signal;
const publicRequest = { route: 'airank', withKey: false };

/** Asks a server that answers so for one page: what came of it, and all that the client and the server noted. */
async function ask(
  respond: (response: ServerResponse, number: number) => unknown,
  request: Partial<PageRequest> = {},
  over: Parameters<typeof recordedClient>[1] = {},
) {
  const server = await serve((_request, response, number) => void respond(response, number));
  const recorded = connect(server.url, over);
  const got: unknown = await recorded.client
    .get({ ...listRequest, ...request }, never)
    .catch((error: unknown) => error);
  return { ...recorded, got, answer: got as Answer, requests: server.requests };
}

describe('the request', () => {
  it('sends the key as a bearer token and nowhere else', async () => {
    const { requests } = await ask((response) => sendJson(response, 200, []));
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
    expect(requests[0]?.headers['x-api-key']).toBeUndefined();
    expect(requests[0]?.url).toBe('/api/v1/acciones');
  });

  it('sends no key to the public route, and does not take its rate headers for ours', async () => {
    const rate = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' };
    const request = { ...publicRequest, pathId: 'a/b c?&' };
    const { requests, headers } = await ask((response) => sendJson(response, 200, {}, rate), request);
    expect(requests[0]?.url).toBe('/api/v1/airank/a%2Fb%20c%3F%26');
    expect(requests[0]?.headers.authorization).toBeUndefined();
    expect(requests[0]?.headers['x-api-key']).toBeUndefined();
    expect(headers).toEqual([{}]);
  });

  it('keeps the path prefix of the base URL and encodes cursor and client', async () => {
    const server = await serve((_request, response) => sendJson(response, 200, []));
    const { client } = connect(`${server.url}/proxy/eu/`);
    await client.get({ ...listRequest, clientId: 'A&B /ñ+', query: { cursor: 'x==&y%/+' } }, never);
    const url = new URL(server.requests[0]?.url ?? '', server.url);
    expect(url.pathname).toBe('/proxy/eu/api/v1/acciones');
    expect(Object.fromEntries(url.searchParams)).toEqual({ cursor: 'x==&y%/+', cliente: 'A&B /ñ+' });
    expect(server.requests[0]?.url).not.toContain('+');
  });

  it('refuses a public id that a URL would resolve away', async () => {
    const { got, runs } = await ask(() => undefined, { pathId: '..' });
    expect(got).toBeInstanceOf(SkippableError);
    expect(runs()).toBe(0);
  });

  it('does not follow a redirect', async () => {
    const target = await serve((_request, response) => sendJson(response, 200, []));
    const location = `${target.url}/api/v1/acciones`;
    const { got, requests } = await ask((response) => response.writeHead(302, { location }).end());
    expect(got).toBeInstanceOf(SkippableError);
    expect(String(got)).toContain('AIRANK_BASE_URL');
    expect([target.requests.length, requests.length]).toEqual([0, 1]);
  });
});

describe('the body', () => {
  it('is handed back as the text that was sent, with large numbers whole', async () => {
    const text = '{"acciones":[{"id":9007199254740993,"v":0.1234567890123456789}]}';
    const { got } = await ask((response) => response.end(text));
    expect(got).toMatchObject({ status: 200, text, bytes: text.length, replacedBytes: 0, attempts: 1 });
  });

  it.each([
    ['gzip', gzipSync('["ñ"]')],
    ['br', brotliCompressSync('["ñ"]')],
    ['deflate', deflateSync('["ñ"]')],
    ['deflate', deflateRawSync('["ñ"]')],
    ['gzip, br', brotliCompressSync(gzipSync('["ñ"]'))],
    ['identity', Buffer.from('["ñ"]')],
  ])('may be encoded with %s', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    const { got } = await ask((response) => response.writeHead(200, headers).end(body));
    expect(got).toMatchObject({ json: ['ñ'], bytes: 6 });
  });

  it('of a compressed bomb is read to the cap, and the error names the setting', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
    const headers = { 'content-encoding': 'gzip' };
    const { got, requests } = await ask((response) => response.writeHead(200, headers).end(bomb));
    expect(got).toBeInstanceOf(SkippableError);
    expect(String(got)).toContain('Leave the stream out');
    expect(requests).toHaveLength(1);
  });

  it('may be of exactly the cap, and not one byte more', async () => {
    const of = (bytes: number) =>
      ask((response) => response.end(`"${'x'.repeat(bytes - 2)}"`), {}, { http: { maxBodyBytes: 10 } });
    expect((await of(10)).got).toMatchObject({ bytes: 10 });
    expect((await of(11)).got).toBeInstanceOf(SkippableError);
  });

  it('loses a BOM, and invalid UTF-8 is counted but not a U+FFFD the server sent', async () => {
    const parts = ['\ufeff["a', [0xff, 0xc3], 'b\ufffd"]'] as const;
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const { got } = await ask((response) => response.end(body));
    expect(got).toMatchObject({ text: '["a\ufffd\ufffdb\ufffd"]', replacedBytes: 2 });
  });

  it.each([
    ['application/json; charset=iso-8859-1', Buffer.from('["Año"]', 'latin1')],
    ['application/json; charset="utf-16le"', Buffer.from('["Año"]', 'utf16le')],
    // Said to be another, and it is UTF-8 all the same.
    ['application/json; charset=iso-8859-1', Buffer.from('["Año"]')],
    ['application/json; charset=unknown-9', Buffer.from('["Año"]')],
  ])('is read in the charset that the answer declares: %s', async (type, body) => {
    const { got } = await ask((response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(got).toMatchObject({ text: '["Año"]', replacedBytes: 0 });
  });

  it('of CSV is handed back as text', async () => {
    const text = 'fecha,valor\n2026-01-01,3\n';
    const { answer, requests } = await ask((response) => response.end(text), { accept: 'csv' });
    expect([answer.text, answer.json]).toEqual([text, undefined]);
    expect(requests[0]?.headers.accept).toContain('text/csv');
  });

  it('that says an error with 200 is an answer: the history of the stream decides what it means', async () => {
    const body = { error: 'interno', mensaje: 'x' };
    const { got } = await ask((response) => sendJson(response, 200, body));
    expect(got).toMatchObject({ status: 200, json: body, attempts: 1 });
  });
});

describe('failures that may pass', () => {
  const cutGzip = gzipSync(JSON.stringify({ a: 'x'.repeat(500) })).subarray(0, -12);

  const cutBody = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '100' }).write('[1');
    setTimeout(() => response.destroy(), 5);
  };
  const gzipped = { 'content-encoding': 'gzip' };

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['a 503', (response) => response.writeHead(503).end('busy')],
    ['a body that is no JSON', (response) => response.end('<html>maintenance</html>')],
    ['a closed connection', (response) => response.destroy()],
    ['a truncated body', cutBody],
    ['a truncated gzip body', (response) => response.writeHead(200, gzipped).end(cutGzip)],
  ])('tries again after %s, with a token for each try', async (_name, break_) => {
    const { got, runs, sleeps } = await ask((response, number) =>
      number < 3 ? break_(response) : sendJson(response, 200, ['fine']),
    );
    expect(got).toMatchObject({ json: ['fine'], attempts: 3 });
    expect(runs()).toBe(3);
    expect(sleeps).toEqual([250, 500]);
  });

  it('gives up after the tries that the setting allows and says what came', async () => {
    const request = { clientId: 'c1', query: { cursor: 'zzz' } };
    const asked = await ask((response) => response.writeHead(502).end('bad gateway'), request);
    expect(asked.got).toBeInstanceOf(RetryableError);
    expect(asked.got).toMatchObject({
      place: { route: 'acciones', clientId: 'c1', method: 'GET', status: 502, attempt: 4 },
    });
    expect(String(asked.got)).toContain('GET acciones answered 502, got "bad gateway", after 4 of 4 tries');
    expect(String(asked.got)).not.toContain('zzz');
    expect(asked.requests).toHaveLength(4);
    expect([asked.sleeps, asked.unsent()]).toEqual([[250, 500, 1_000], 0]);
    expect(asked.infos.map((info) => info.outcome)).toEqual(['retry', 'retry', 'retry', 'retry']);
  });

  it('ends an exchange that is too slow, body included', async () => {
    const http = { bodyTimeoutMs: 250, maxAttempts: 2 };
    const { got, requests } = await ask((response) => response.writeHead(200).write('['), {}, { http });
    expect(got).toBeInstanceOf(RetryableError);
    expect(String(got)).toContain('did not answer completely within 250 ms');
    expect(requests).toHaveLength(2);
  });

  it('takes no token for what never reached the server, and waits after each try', async () => {
    const waits = [250, 500, 1_000, 2_000];
    const server = await startLoopbackServer(() => {});
    await server.close();
    const { client, sleeps, runs, unsent, infos } = connect(server.url);
    await expect(client.get(listRequest, never)).rejects.toMatchObject({ place: { attempt: 0 } });
    expect([runs(), unsent(), sleeps]).toEqual([4, 4, waits]);
    expect(infos.map((info) => info.unsent)).toEqual(waits.map(() => true));
  });

  it('stops at once when the run is aborted, with the reason of the abort', async () => {
    const controller = new AbortController();
    const server = await serve((_request, response) => {
      response.writeHead(200).write('[');
      controller.abort(new Error('Ctrl-C'));
    });
    const { client, infos } = connect(server.url);
    await expect(client.get(listRequest, controller.signal)).rejects.toThrow('Ctrl-C');
    expect([infos.length, server.requests.length]).toEqual([0, 1]);
  });
});

describe('answers that no retry fixes', () => {
  it('takes a 401 whose body breaks for what it is', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { got, requests } = await ask((response) => response.writeHead(401, headers).end('not gzip'));
    expect(got).toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(1);
  });

  it('tells a probe how far the clocks are apart, also where a body breaks', async () => {
    const nowMs = Date.UTC(2026, 0, 5, 6, 0, 0);
    const headers = { 'content-encoding': 'gzip', date: new Date(nowMs + 60_000).toUTCString() };
    const { url } = await serve((_, response) => response.writeHead(401, headers).end('not gzip'));
    const run = async <T>(_: unknown, attempt: Attempt<T>) => (await attempt(() => undefined)).result;
    const clock = { now: () => nowMs, sleep: async () => undefined };
    const deps = { account: testAccount(url), http: testHttp, timeZone: 'UTC', gate: { run } as Gate, clock };
    expect(await probe(deps, listRequest, never)).toMatchObject({
      verdict: { kind: 'unavailable', status: 401 },
      clockAheadMs: 60_500,
    });
  });

  it.each([
    [404, 'There is no public result "pub x".'],
    [403, 'Result "pub x" cannot be read without a key.'],
  ])('tells a public id that is answered %i as that, and no route that is missing', async (status, what) => {
    const request = { ...publicRequest, pathId: 'pub x' };
    const { got } = await ask((response) => sendJson(response, status, { error: 'x' }), request);
    expect(got).toBeInstanceOf(UnavailableError);
    expect(String(got)).toContain(
      `GET airank/pub%20x answered ${status}, got "{\\"error\\":\\"x\\"}". ${what} Correct it or remove it in public_ids`,
    );
  });

  it('never shows the key, not even when the server quotes it', async () => {
    const server = await serve(({ headers, url }, response) =>
      sendJson(response, 400, { error: `bad ${headers.authorization} at ${url}` }),
    );
    const { client, log } = connect(server.url);
    const error: unknown = await client.get(listRequest, never).catch((reason: unknown) => reason);
    expect(String(error)).toContain('400');
    expect(String(error) + JSON.stringify(error) + log.join('')).not.toContain(testKey);
  });
});

describe('429', () => {
  const now = Date.UTC(2026, 0, 5, 6, 0, 0);
  /** Refuses so many times, and then answers. */
  const refusing =
    (body: unknown, times = Number.POSITIVE_INFINITY) =>
    (response: ServerResponse, number: number) =>
      number <= times ? sendJson(response, 429, body) : sendJson(response, 200, []);

  it.each([
    [{ error: 'rate_limited', retryAfter: 0.5 }, 500],
    [{ error: 'rate_limited', retryAfter: 900 }, 900_000],
    [{ error: 'rate_limited', retryAfter: 1e9 }, 30_000],
    ['?', 30_000],
  ])('waits what the body %j asks for and tells the gate', async (body, waitMs) => {
    const { got, refusals, sleeps, runs } = await ask(refusing(body, 1));
    expect(got).toMatchObject({ attempts: 2 });
    expect(refusals).toEqual([{ kind: 'minute', waitMs }]);
    expect([sleeps, runs()]).toEqual([[waitMs], 2]);
  });

  it('waits longer each time the same request is refused, without using up the tries for failures', async () => {
    const { got, sleeps } = await ask(refusing({ retryAfter: 1 }, 5), {}, { http: { maxAttempts: 1 } });
    expect(got).toMatchObject({ attempts: 6 });
    expect(sleeps).toEqual([1_000, 2_000, 2_500, 3_500, 5_500]);
  });

  it('lets the key rest for an hour when refused for a sixth time', async () => {
    const { got, refusals, sleeps, requests } = await ask(refusing({ retryAfter: 1 }));
    expect(got).toBeInstanceOf(BudgetExhaustedError);
    expect(got).toMatchObject({ place: { status: 429, attempt: 6 }, until: new Date(now + 3_600_000) });
    expect(String(got)).toContain(
      'GET acciones was refused 6 times (429, rate_limited) despite waiting: the key is paused until 2026-01-05 07:00 UTC',
    );
    expect(String(got)).toContain('airank budget --reopen default');
    expect(refusals[5]).toEqual({ kind: 'pause', waitMs: 3_600_000 });
    expect([refusals.length, sleeps.length, requests.length]).toEqual([6, 5, 6]);
  });

  it('takes a wait of more than 15 minutes for the end of the day', async () => {
    const { got, refusals, sleeps } = await ask(refusing({ error: 'rate_limited', retryAfter: 901 }));
    const until = new Date(now + 901_000);
    expect(got).toBeInstanceOf(BudgetExhaustedError);
    expect(got).toMatchObject({ until, place: { status: 429, attempt: 1 } });
    expect(String(got)).toContain(
      `GET acciones answered 429 (rate_limited): the server has closed the key until ${moment(until)}`,
    );
    expect(String(got)).toContain('airank budget --reopen default');
    expect(refusals).toEqual([{ kind: 'day', waitMs: 901_000 }]);
    expect(sleeps).toEqual([]);
  });

  it.each([
    [3_600, 1, 'answered 429 (rate_limited): the public route, which takes no key, refuses'],
    [1, 6, 'was refused 6 times (429, rate_limited) despite waiting: the public route'],
  ])(
    'on the public route closes no key and tells the gate nothing (%i s)',
    async (retryAfter, tries, told) => {
      const asked = await ask(refusing({ retryAfter }), { ...publicRequest, pathId: 'pub-1' });
      expect(asked.got).toBeInstanceOf(SkippableError);
      expect(asked.got).toMatchObject({ place: { status: 429, attempt: tries } });
      expect(String(asked.got)).toContain(`GET airank/pub-1 ${told}`);
      expect(String(asked.got)).not.toContain('--reopen');
      expect([asked.refusals.length, asked.requests.length]).toEqual([0, tries]);
    },
  );

  it('skips this kind of call on a quota, and does not stop the others', async () => {
    const { got, refusals } = await ask(refusing({ error: 'quota', mensaje: 'x', retryAfter: 9_999 }));
    expect(got).toBeInstanceOf(SkippableError);
    expect(String(got)).toMatch(/quota.*renews/);
    expect(refusals).toEqual([]);
  });

  it('shows the gate the headers of every answer, errors included', async () => {
    const rate = { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '31' };
    const { headers } = await ask((response, number) =>
      sendJson(response, number === 1 ? 500 : 200, {}, { ...rate, 'x-ratelimit-remaining': `${9 - number}` }),
    );
    expect(headers).toEqual([
      { limit: 60, remaining: 8, resetS: 31 },
      { limit: 60, remaining: 7, resetS: 31 },
    ]);
  });
});
