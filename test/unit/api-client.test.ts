import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  BudgetExhaustedError,
  ConfigError,
  RetryableError,
  SkippableError,
  UnavailableError,
} from '../../src/core/errors.ts';
import { moment } from '../../src/core/text.ts';
import { listRequest, recordedClient, testKey } from '../support/api-client-setup.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function serve(...args: Parameters<typeof startLoopbackServer>): Promise<LoopbackServer> {
  const server = await startLoopbackServer(...args);
  open.push(server);
  return server;
}

function connect(...args: Parameters<typeof recordedClient>) {
  const recorded = recordedClient(...args);
  open.push(recorded.client);
  return recorded;
}

const never = new AbortController().signal;

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error,
  );
}

describe('the request', () => {
  it('sends the key as a bearer token and nowhere else', async () => {
    const server = await serve((_request, response) => sendJson(response, 200, []));
    await connect(server.url).client.get(listRequest, never);
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${testKey}`);
    expect(request?.headers['x-api-key']).toBeUndefined();
    expect(request?.url).toBe('/api/v1/acciones');
  });

  it('sends no key to the public route, and does not take its rate headers for ours', async () => {
    const server = await serve((_request, response) =>
      sendJson(
        response,
        200,
        {},
        { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' },
      ),
    );
    const { client, headers } = connect(server.url);
    await client.get({ ...listRequest, route: 'airank', pathId: 'a/b c?&', withKey: false }, never);
    expect(server.requests[0]?.url).toBe('/api/v1/airank/a%2Fb%20c%3F%26');
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.headers['x-api-key']).toBeUndefined();
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
    const { client, runs } = connect('http://127.0.0.1:9');
    const error = await failure(client.get({ ...listRequest, pathId: '..' }, never));
    expect(error).toBeInstanceOf(SkippableError);
    expect(runs()).toBe(0);
  });

  it.each(['http://api.example.org', 'http://10.0.0.8:80', 'http://localhost.example.org'])(
    'refuses plain http to %s before anything is sent',
    (url) => {
      expect(() => recordedClient(url)).toThrow(ConfigError);
      expect(() => recordedClient(url)).toThrow(/AIRANK_BASE_URL/);
    },
  );

  it.each(['http://localhost:1', 'http://127.8.0.1:1', 'http://[::1]:1', 'https://api.example.org'])(
    'accepts %s',
    async (url) => {
      await recordedClient(url).client.close();
    },
  );

  it('does not follow a redirect', async () => {
    const target = await serve((_request, response) => sendJson(response, 200, []));
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${target.url}/api/v1/acciones` }).end();
    });
    const error = await failure(connect(server.url).client.get(listRequest, never));
    expect(error).toBeInstanceOf(SkippableError);
    expect(String(error)).toContain('AIRANK_BASE_URL');
    expect(target.requests).toHaveLength(0);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the body', () => {
  it('hands back the text as sent, with large numbers whole', async () => {
    const text = '{"acciones":[{"id":9007199254740993,"v":0.1234567890123456789}]}';
    const server = await serve((_request, response) => response.end(text));
    const answer = await connect(server.url).client.get(listRequest, never);
    expect(answer).toMatchObject({ status: 200, text, bytes: text.length, replacedBytes: 0, attempts: 1 });
  });

  it.each([
    ['gzip', gzipSync('["ñ"]')],
    ['br', brotliCompressSync('["ñ"]')],
    ['deflate', deflateSync('["ñ"]')],
    ['deflate', deflateRawSync('["ñ"]')],
    ['gzip, br', brotliCompressSync(gzipSync('["ñ"]'))],
    ['identity', Buffer.from('["ñ"]')],
  ])('reads a body encoded with %s', async (encoding, body) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    const answer = await connect(server.url).client.get(listRequest, never);
    expect(answer.json).toEqual(['ñ']);
    expect(answer.bytes).toBe(6);
  });

  it('stops a compressed bomb at the cap and names the setting', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const error = await failure(connect(server.url).client.get(listRequest, never));
    expect(error).toBeInstanceOf(SkippableError);
    expect(String(error)).toContain('Leave the stream out');
    expect(server.requests).toHaveLength(1);
  });

  it('reads a body of exactly the cap and refuses one byte more', async () => {
    const server = await serve((_request, response, number) => response.end(`"${'x'.repeat(7 + number)}"`));
    const { client } = connect(server.url, { http: { maxBodyBytes: 10 } });
    expect((await client.get(listRequest, never)).bytes).toBe(10);
    expect(await failure(client.get(listRequest, never))).toBeInstanceOf(SkippableError);
  });

  it('strips a BOM, and counts invalid UTF-8 but not a U+FFFD the server sent', async () => {
    const body = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('["a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('b\ufffd"]'),
    ]);
    const server = await serve((_request, response) => response.end(body));
    const answer = await connect(server.url).client.get(listRequest, never);
    expect(answer.text).toBe('["a\ufffd\ufffdb\ufffd"]');
    expect(answer.replacedBytes).toBe(2);
  });

  it.each([
    ['application/json; charset=iso-8859-1', Buffer.from('["Año"]', 'latin1')],
    ['application/json; charset="utf-16le"', Buffer.from('["Año"]', 'utf16le')],
    // Said to be another, and it is UTF-8 all the same.
    ['application/json; charset=iso-8859-1', Buffer.from('["Año"]')],
    ['application/json; charset=unknown-9', Buffer.from('["Año"]')],
  ])('reads the charset that an answer declares: %s', async (type, body) => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    const answer = await connect(server.url).client.get(listRequest, never);
    expect(answer).toMatchObject({ text: '["Año"]', replacedBytes: 0 });
  });

  it('hands back CSV as text', async () => {
    const server = await serve((_request, response) => response.end('fecha,valor\n2026-01-01,3\n'));
    const answer = await connect(server.url).client.get({ ...listRequest, accept: 'csv' }, never);
    expect(answer.text).toBe('fecha,valor\n2026-01-01,3\n');
    expect(answer.json).toBeUndefined();
    expect(server.requests[0]?.headers.accept).toContain('text/csv');
  });
});

describe('failures that may pass', () => {
  const flaky: [string, (response: import('node:http').ServerResponse) => void][] = [
    ['a 503', (response) => response.writeHead(503).end('busy')],
    ['a body that is no JSON', (response) => response.end('<html>maintenance</html>')],
    ['a closed connection', (response) => response.destroy()],
    [
      'a truncated body',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('[1');
        setTimeout(() => response.destroy(), 5);
      },
    ],
    [
      'a truncated gzip body',
      (response) => {
        const whole = gzipSync(JSON.stringify({ a: 'x'.repeat(500) }));
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length - 12));
      },
    ],
  ];

  it('returns a 200 that says an error: the history of the stream decides what it means', async () => {
    const body = { error: 'interno', mensaje: 'x' };
    const server = await serve((_request, response) => sendJson(response, 200, body));
    const { client } = connect(server.url);
    expect(await client.get(listRequest, never)).toMatchObject({ status: 200, json: body, attempts: 1 });
  });

  it.each(flaky)('tries again after %s, with a token for each try', async (_name, break_) => {
    const server = await serve((_request, response, number) =>
      number < 3 ? break_(response) : sendJson(response, 200, ['fine']),
    );
    const { client, sleeps, runs } = connect(server.url);
    const answer = await client.get(listRequest, never);
    expect(answer.json).toEqual(['fine']);
    expect(answer.attempts).toBe(3);
    expect(runs()).toBe(3);
    expect(sleeps).toEqual([250, 500]);
  });

  it('gives up after the tries that the setting allows and says what came', async () => {
    const server = await serve((_request, response) => response.writeHead(502).end('bad gateway'));
    const { client, sleeps, infos, unsent } = connect(server.url);
    const error = await failure(
      client.get({ ...listRequest, clientId: 'c1', query: { cursor: 'zzz' } }, never),
    );
    expect(error).toBeInstanceOf(RetryableError);
    expect(error).toMatchObject({
      place: { route: 'acciones', clientId: 'c1', method: 'GET', status: 502, attempt: 4 },
    });
    expect(String(error)).toContain('GET acciones answered 502, got "bad gateway", after 4 of 4 tries');
    expect(String(error)).not.toContain('zzz');
    expect(server.requests).toHaveLength(4);
    expect([sleeps, unsent()]).toEqual([[250, 500, 1_000], 0]);
    expect(infos.map((info) => info.outcome)).toEqual(['retry', 'retry', 'retry', 'retry']);
  });

  it('ends an exchange that is too slow, body included', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      response.write('[');
    });
    const { client } = connect(server.url, { http: { bodyTimeoutMs: 60, maxAttempts: 2 } });
    const error = await failure(client.get(listRequest, never));
    expect(error).toBeInstanceOf(RetryableError);
    expect(String(error)).toContain('did not answer completely within 60 ms');
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    [4, [250, 500, 1_000, 2_000]],
    [1, [250]],
  ])(
    'takes no token for what never reached the server, and waits after each of %i tries, the last one included',
    async (maxAttempts, waits) => {
      const server = await startLoopbackServer(() => {});
      await server.close();
      const { client, sleeps, runs, unsent, infos } = connect(server.url, { http: { maxAttempts } });
      const error = await failure(client.get(listRequest, never));
      expect(error).toMatchObject({ place: { attempt: 0 } });
      expect([runs(), unsent(), sleeps]).toEqual([maxAttempts, maxAttempts, waits]);
      expect(infos.map((info) => info.unsent)).toEqual(waits.map(() => true));
    },
  );

  it('does not count the tries before the server listened', async () => {
    const closed = await startLoopbackServer(() => {});
    const port = Number(new URL(closed.url).port);
    await closed.close();
    const { client, unsent } = connect(closed.url, {
      onSleep: async (sleeps) => {
        if (sleeps === 2) await serve((_request, response) => sendJson(response, 200, []), port);
      },
    });
    expect((await client.get(listRequest, never)).attempts).toBe(1);
    expect(unsent()).toBe(2);
  });

  it('stops at once when the run is aborted, with the reason of the abort', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      response.write('[');
      controller.abort(new Error('Ctrl-C'));
    });
    const controller = new AbortController();
    const { client, infos } = connect(server.url);
    const error = await failure(client.get(listRequest, controller.signal));
    expect(String(error)).toBe('Error: Ctrl-C');
    expect(infos).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('answers that no retry fixes', () => {
  it.each([
    [401, UnavailableError],
    [400, SkippableError],
  ])('reports %i after one request', async (status, kind) => {
    const server = await serve((_request, response) => sendJson(response, status, { error: 'x' }));
    const error = await failure(connect(server.url).client.get(listRequest, never));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ place: { status } });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [404, 'There is no public result "pub x".'],
    [403, 'Result "pub x" cannot be read without a key.'],
  ])('tells a public id that is answered %i as that, and no route that is missing', async (status, what) => {
    const server = await serve((_request, response) => sendJson(response, status, { error: 'x' }));
    const request = { ...listRequest, route: 'airank', pathId: 'pub x', withKey: false };
    const error = await failure(connect(server.url).client.get(request, never));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(String(error)).toMatch(
      `GET airank/pub%20x answered ${status}, got "{\\"error\\":\\"x\\"}". ${what} Correct it or remove it in public_ids`,
    );
  });

  it('keeps the status when an error body is broken', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(404, { 'content-encoding': 'gzip' }).end('not gzip');
    });
    expect(await failure(connect(server.url).client.get(listRequest, never))).toBeInstanceOf(
      UnavailableError,
    );
  });

  it('never shows the key, not even when the server quotes it', async () => {
    const server = await serve((request, response) => {
      sendJson(response, 400, { error: `bad ${request.headers.authorization} at ${request.url}` });
    });
    const { client, log } = connect(server.url);
    const error = await failure(client.get(listRequest, never));
    expect(String(error)).toContain('400');
    expect(String(error) + JSON.stringify(error) + log.join('')).not.toContain(testKey);
  });
});

describe('429', () => {
  const now = Date.UTC(2026, 0, 5, 6, 0, 0);
  const refuse = (body: unknown, headers: Record<string, string> = {}, times = Number.POSITIVE_INFINITY) =>
    serve((_request, response, number) =>
      number <= times ? sendJson(response, 429, body, headers) : sendJson(response, 200, []),
    );

  it.each([
    [{ error: 'rate_limited', retryAfter: 0.5 }, {}, 500],
    [{ error: 'rate_limited', retryAfter: '12' }, { 'retry-after': '99' }, 12_000],
    [{ error: 'rate_limited', retryAfter: 900 }, {}, 900_000],
    [{ error: 'rate_limited', retryAfter: 1e9 }, {}, 30_000],
    ['?', {}, 30_000],
  ])('waits what the body %j (headers %j) asks for and tells the gate', async (body, headers, waitMs) => {
    const server = await refuse(body, headers, 1);
    const { client, sleeps, refusals, runs } = connect(server.url);
    expect((await client.get(listRequest, never)).attempts).toBe(2);
    expect(refusals).toEqual([{ kind: 'minute', waitMs }]);
    expect(sleeps).toEqual([waitMs]);
    expect(runs()).toBe(2);
  });

  it('waits longer each time the same request is refused, without using up the tries for failures', async () => {
    const server = await refuse({ error: 'rate_limited', retryAfter: 1 }, {}, 5);
    const { client, sleeps } = connect(server.url, { http: { maxAttempts: 1 } });
    expect((await client.get(listRequest, never)).attempts).toBe(6);
    expect(sleeps).toEqual([1_000, 2_000, 2_500, 3_500, 5_500]);
  });

  it('waits 30 s and then twice as long each time where no wait can be believed', async () => {
    const server = await refuse({ error: 'rate_limited', retryAfter: 1e9 }, {}, 5);
    const { client, sleeps, refusals } = connect(server.url);
    expect((await client.get(listRequest, never)).attempts).toBe(6);
    const waits = [30_000, 60_000, 120_000, 240_000, 480_000];
    expect(refusals).toEqual(waits.map((waitMs) => ({ kind: 'minute', waitMs })));
    expect(sleeps).toEqual([30_000, 61_000, 121_500, 242_500, 484_500]);
  });

  it('lets the key rest for an hour when refused for a sixth time', async () => {
    const server = await refuse({ retryAfter: 1 });
    const { client, refusals, sleeps } = connect(server.url);
    const error = await failure(client.get(listRequest, never));
    expect(error).toBeInstanceOf(BudgetExhaustedError);
    expect(error).toMatchObject({ place: { status: 429, attempt: 6 }, until: new Date(now + 3_600_000) });
    expect(String(error)).toContain(
      'GET acciones was refused 6 times (429, rate_limited) despite waiting: the key is paused until 2026-01-05 07:00 UTC',
    );
    expect(String(error)).toContain('airank budget --reopen default');
    expect(refusals[5]).toEqual({ kind: 'pause', waitMs: 3_600_000 });
    expect([refusals.length, sleeps.length, server.requests.length]).toEqual([6, 5, 6]);
  });

  it('takes a wait of more than 15 minutes for the end of the day', async () => {
    const retryAfter = 901;
    const server = await refuse({ error: 'rate_limited', retryAfter });
    const { client, refusals, sleeps } = connect(server.url);
    const error = await failure(client.get(listRequest, never));
    const until = new Date(now + retryAfter * 1_000);
    expect(error).toBeInstanceOf(BudgetExhaustedError);
    expect(error).toMatchObject({ until, place: { status: 429, attempt: 1 } });
    expect(String(error)).toContain(
      `GET acciones answered 429 (rate_limited): the server has closed the key until ${moment(until)}`,
    );
    expect(String(error)).toContain('airank budget --reopen default');
    expect(refusals).toEqual([{ kind: 'day', waitMs: retryAfter * 1_000 }]);
    expect(sleeps).toEqual([]);
  });

  it.each([
    [{ retryAfter: 3_600 }, 1, 'answered 429 (rate_limited): the public route, which takes no key, refuses'],
    [{ retryAfter: 1 }, 6, 'was refused 6 times (429, rate_limited) despite waiting: the public route'],
  ])('on the public route closes no key and tells the gate nothing (%j)', async (body, requests, told) => {
    const server = await refuse(body);
    const { client, refusals } = connect(server.url);
    const publicRequest = { ...listRequest, route: 'airank', pathId: 'pub-1', withKey: false };
    const error = await failure(client.get(publicRequest, never));
    expect(error).toBeInstanceOf(SkippableError);
    expect(error).toMatchObject({ place: { status: 429, attempt: requests } });
    expect(String(error)).toContain(`GET airank/pub-1 ${told}`);
    expect(String(error)).not.toContain('--reopen');
    expect(refusals).toEqual([]);
    expect(server.requests).toHaveLength(requests);
  });

  it('skips this kind of call on a quota, and does not stop the others', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, 429, { error: 'quota', mensaje: 'x', retryAfter: 9_999 }),
    );
    const { client, refusals } = connect(server.url);
    const error = await failure(client.get(listRequest, never));
    expect(error).toBeInstanceOf(SkippableError);
    expect(String(error)).toMatch(/quota.*renews/);
    expect(refusals).toEqual([]);
  });

  it('shows the gate the headers of every answer, errors included', async () => {
    const server = await serve((_request, response, number) => {
      const rate = {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': String(9 - number),
        'x-ratelimit-reset': '31',
      };
      sendJson(response, number === 1 ? 500 : 200, {}, rate);
    });
    const { client, headers } = connect(server.url);
    await client.get(listRequest, never);
    expect(headers).toEqual([
      { limit: 60, remaining: 8, resetS: 31 },
      { limit: 60, remaining: 7, resetS: 31 },
    ]);
  });
});
