import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { testKey } from '../support/api-client-setup.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { type Posted, type PostOver, postOnce } from '../support/post-once.ts';
import { selfSigned } from '../support/self-signed.ts';

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function post(
  respond: (response: ServerResponse, body: string) => void,
  over: PostOver & { readonly url?: string } = {},
): Promise<Posted> {
  server = await startLoopbackServer((incoming, response) =>
    text(incoming).then(
      (body) => respond(response, body),
      () => undefined,
    ),
  );
  return await postOnce(over.url ?? server.url, over);
}

describe('a request that writes', () => {
  it('is sent once, with the body, its type and the key, on a connection of its own', async () => {
    const { outcome } = await post((response, body) => sendJson(response, 202, { got: body }));
    expect(outcome).toMatchObject({ kind: 'accepted', status: 202, json: { got: 'one line\n' } });
    const [arrived, ...others] = server?.requests ?? [];
    expect(others).toEqual([]);
    expect(arrived).toMatchObject({ method: 'POST', url: '/api/v1/crawl-logs' });
    expect(arrived?.headers).toMatchObject({
      'content-type': 'text/plain',
      authorization: `Bearer ${testKey}`,
      connection: 'close',
    });
  });

  it('was taken when the status says so, however its body ends', async () => {
    const { outcome } = await post((response) => {
      response.writeHead(201, { 'content-length': 100 });
      response.write('{"id"');
      setTimeout(() => response.destroy(), 20);
    });
    expect(outcome).toMatchObject({ kind: 'accepted', status: 201 });
  });

  it.each([
    [400, 'content'],
    [422, 'content'],
    [413, 'size'],
    [401, 'access'],
    [403, 'access'],
    [404, 'access'],
    [302, 'access'],
  ])('was certainly not taken when the service answers %i: %s', async (status, cause) => {
    const { outcome } = await post((response) => sendJson(response, status, { error: 'no' }));
    expect(outcome).toMatchObject({ kind: 'refused', status, cause });
  });

  it('was certainly not sent where the certificate of the other side is not trusted', async () => {
    const stranger = createServer(selfSigned(), (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const address = stranger.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const { outcome, givenBack } = await postOnce(`https://localhost:${port}`);
      expect(outcome).toMatchObject({ kind: 'unsent', fix: expect.stringMatching(/TLS/) });
      expect(givenBack).toBe(1);
    } finally {
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it('was certainly not taken when the key is at its limit, also where the ledger cannot be told', async () => {
    const body = { error: 'rate_limited', retryAfter: 5 };
    const { outcome } = await post((response) => sendJson(response, 429, body), { isLedgerGone: true });
    expect(outcome).toMatchObject({ kind: 'refused', status: 429, cause: 'key_limit' });
  });

  it.each([
    ['a failure of the service', (response: ServerResponse) => sendJson(response, 503, {})],
    ['a connection that breaks before the answer', (response: ServerResponse) => response.destroy()],
    ['no answer in time', () => undefined],
  ])('may have been taken after %s, and is not sent again', async (_, respond) => {
    const { outcome, givenBack } = await post(respond, { http: { bodyTimeoutMs: 300 } });
    expect(outcome.kind).toBe('unknown');
    expect(givenBack).toBe(0);
    expect(server?.requests).toHaveLength(1);
  });

  it('was not sent when nobody listens, and gives its request back', async () => {
    const { outcome, givenBack } = await post(() => undefined, { url: 'http://127.0.0.1:9' });
    expect(outcome).toMatchObject({ kind: 'unsent' });
    expect(givenBack).toBe(1);
  });

  it('is held when what has to be noted before cannot be', async () => {
    const { outcome, givenBack } = await post(() => undefined, { before: async () => false });
    expect(outcome.kind).toBe('held');
    expect(givenBack).toBe(1);
    expect(server?.requests).toHaveLength(0);
  });

  it('lets what is on its way be answered after a stop', async () => {
    const stop = new AbortController();
    const { outcome } = await post(
      (response) => {
        stop.abort(new Error('stopped'));
        setTimeout(() => sendJson(response, 202, {}), 50);
      },
      { signal: stop.signal },
    );
    expect(outcome.kind).toBe('accepted');
  });

  it('does not quote the key', async () => {
    const { outcome } = await post((response) => sendJson(response, 400, { key: testKey }));
    expect(JSON.stringify(outcome)).not.toContain(testKey);
  });
});

describe('a 429 to a request that writes', () => {
  const refusal = (body: unknown, remaining?: string) => (response: ServerResponse) =>
    sendJson(response, 429, body, remaining === undefined ? {} : { 'x-ratelimit-remaining': remaining });

  it.each([
    ['names the minute: the key waits', { error: 'rate_limited', retryAfter: 20 }, '0', 'key_limit', 20_000],
    [
      'without headers, a short wait: the key waits',
      { error: 'rate_limited', retryAfter: 20 },
      undefined,
      'key_limit',
      20_000,
    ],
    [
      'while the minute has room: only this kind waits',
      { error: 'rate_limited', retryAfter: 20 },
      '40',
      'kind_limit',
      20_000,
    ],
    [
      'asks for most of an hour: only this kind waits',
      { error: 'rate_limited', retryAfter: 3000 },
      undefined,
      'kind_limit',
      3_000_000,
    ],
    ['says quota: only this kind waits', { error: 'quota', retryAfter: 7200 }, '0', 'kind_limit', 7_200_000],
    [
      'says quota without a time: this kind waits for hours',
      { error: 'quota' },
      '0',
      'kind_limit',
      21_600_000,
    ],
  ])('%s', async (_, body, remaining, cause, closedForMs) => {
    const { outcome, refusals } = await post(refusal(body, remaining));
    expect(outcome).toMatchObject({ kind: 'refused', status: 429, cause, closedForMs });
    expect(refusals).toEqual(cause === 'key_limit' ? [{ kind: 'minute', waitMs: closedForMs }] : []);
  });
});
