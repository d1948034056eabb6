// A request that writes, and what is made of every answer, beside what the service truly took.
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../../src/api/post.ts';
import { testKey } from '../support/api-client-setup.ts';
import { closing } from '../support/closing.ts';
import { startHostileWrites, type WriteFault } from '../support/hostile-writes.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { type Posted, type PostOver, postOnce } from '../support/post-once.ts';
import { selfSigned } from '../support/self-signed.ts';

let server: LoopbackServer | undefined;
const kept = closing();

async function post(
  respond: (response: ServerResponse, body: string) => void,
  over: PostOver & { readonly url?: string } = {},
): Promise<Posted> {
  const listening = await startLoopbackServer(async (incoming, response) => {
    const body = await text(incoming).catch(() => undefined);
    if (body !== undefined) respond(response, body);
  });
  server = kept(listening);
  return await postOnce(over.url ?? server.url, over);
}

describe('a request that writes', () => {
  it('is sent once, with the body, its type and the key, on a connection of its own', async () => {
    const { outcome } = await post((response, body) => sendJson(response, 202, { got: body }));
    expect(outcome).toMatchObject({ kind: 'accepted', status: 202, json: { got: 'one line\n' } });
    const [arrived, ...others] = server?.requests ?? [];
    expect(others).toEqual([]);
    expect(arrived).toMatchObject({ method: 'POST', url: '/api/v1/crawl-logs' });
    const headers = { 'content-type': 'text/plain', authorization: `Bearer ${testKey}`, connection: 'close' };
    expect(arrived?.headers).toMatchObject(headers);
  });

  it('was certainly not sent where the certificate of the other side is not trusted', async () => {
    const stranger = createServer(selfSigned(), (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    kept({ close: () => new Promise<void>((resolve) => void stranger.close(() => resolve())) });
    const { port } = stranger.address() as AddressInfo;
    const { outcome, givenBack } = await postOnce(`https://localhost:${port}`);
    expect(outcome).toMatchObject({ kind: 'unsent', fix: expect.stringMatching(/TLS/) });
    expect(givenBack).toBe(1);
  });

  it('was certainly not taken when the key is at its limit, also where the ledger cannot be told', async () => {
    const body = { error: 'rate_limited', retryAfter: 5 };
    const { outcome } = await post((response) => sendJson(response, 429, body), { isLedgerGone: true });
    expect(outcome).toMatchObject({ kind: 'refused', status: 429, cause: 'key_limit' });
  });

  it('is held when what has to be noted before cannot be', async () => {
    const { outcome, givenBack } = await post(() => undefined, { before: async () => false });
    expect(outcome.kind).toBe('held');
    expect(givenBack).toBe(1);
    expect(server?.requests).toHaveLength(0);
  });

  it('lets what is on its way be answered after a stop', async () => {
    const stop = new AbortController();
    const late = (response: ServerResponse) => {
      stop.abort(new Error('stopped'));
      setTimeout(() => sendJson(response, 202, {}), 50);
    };
    const { outcome } = await post(late, { signal: stop.signal });
    expect(outcome.kind).toBe('accepted');
  });

  it('does not quote the key', async () => {
    const { outcome } = await post((response) => sendJson(response, 400, { key: testKey }));
    expect(JSON.stringify(outcome)).not.toContain(testKey);
  });
});

const refusal = (body: unknown, remaining?: string) => (response: ServerResponse) =>
  sendJson(response, 429, body, remaining === undefined ? {} : { 'x-ratelimit-remaining': remaining });

it.each([
  ['of the minute: the key waits', { retryAfter: 20 }, '0', 'key_limit', 20_000],
  ['short, without headers: the key waits', { retryAfter: 20 }, undefined, 'key_limit', 20_000],
  ['while the minute has room: this kind waits', { retryAfter: 20 }, '40', 'kind_limit', 20_000],
  ['for most of an hour: this kind waits', { retryAfter: 3000 }, undefined, 'kind_limit', 3_000_000],
  ['of a quota: this kind waits', { error: 'quota', retryAfter: 7200 }, '0', 'kind_limit', 7_200_000],
  ['of a quota without a time: for hours', { error: 'quota' }, '0', 'kind_limit', 21_600_000],
])('a 429 to a request that writes, %s', async (_, body, remaining, cause, closedForMs) => {
  const { outcome, refusals } = await post(refusal(body, remaining));
  expect(outcome).toMatchObject({ kind: 'refused', status: 429, cause, closedForMs });
  expect(refusals).toEqual(cause === 'key_limit' ? [{ kind: 'minute', waitMs: closedForMs }] : []);
});

/** Larger than the buffers of a connection on the loopback. */
const large = Buffer.from('a line of a log\n'.repeat(312_500));

const tenMegabytes = `{"a":"${'x'.repeat(10_000_000)}"}`;
const forEverMs = 20_000;

async function postTo(fault: WriteFault, over: PostOver = {}) {
  const service = kept(await startHostileWrites(() => fault));
  const waits = fault.ends === 'silence' || (fault.waitMs ?? fault.pauseMs ?? 0) >= forEverMs;
  const http = { bodyTimeoutMs: waits ? 400 : 10_000, slowestLine: 1e9 };
  const posted = await postOnce(service.url, { ...over, http });
  expect(service.requests(), 'sent once, whatever came').toBe(1);
  return { ...posted, taken: service.taken.length };
}

it.each<readonly [string, PostOutcome['kind'], WriteFault]>([
  ['and says so', 'accepted', {}],
  ['and says with 10 MB that it did', 'accepted', { body: tenMegabytes }],
  ['and never ends its answer', 'accepted', { pauseMs: forEverMs }],
  ['and breaks off in the middle of its answer', 'accepted', { ends: 'half body' }],
  ['and says nothing of it', 'accepted', { status: 204, body: '' }],
  ['and breaks off in the head of its answer', 'unknown', { ends: 'half head' }],
  ['and says first to go on, which nobody asked', 'unknown', { interim: 'HTTP/1.1 100 Continue' }],
  ['and answers 500', 'unknown', { takes: true, status: 500 }],
  ['and redirects to a page', 'unknown', { takes: true, status: 303, headers: { location: '/' } }],
  ['and never answers', 'unknown', { takes: true, ends: 'silence' }],
  ['and answers too late', 'unknown', { takes: true, waitMs: forEverMs }],
  ['and breaks off', 'unknown', { takes: true, ends: 'reset' }],
])('a service that takes a write %s: %s', async (_, kind, fault) => {
  const { outcome, taken, givenBack } = await postTo(fault);
  expect({ kind: outcome.kind, taken, givenBack }).toEqual({ kind, taken: 1, givenBack: 0 });
});

describe('a service that takes nothing', () => {
  it.each<readonly [string, PostOutcome['kind'], WriteFault]>([
    ['and answers 503 with a time', 'unknown', { status: 503, headers: { 'retry-after': '5' } }],
    ['and breaks off after the first bytes', 'unknown', { reads: 'head', ends: 'reset' }],
    ['and stops reading', 'unknown', { reads: 'head', ends: 'silence' }],
  ])('%s: %s', async (_, kind, fault) => {
    const { outcome, taken } = await postTo(fault, { bytes: large });
    expect({ kind: outcome.kind, taken }).toEqual({ kind, taken: 0 });
  });

  it('but is a page of a network that asks for a login: it said nothing about the write', async () => {
    const login = { takes: false, status: 200, headers: { 'content-type': 'text/html' } };
    const { outcome, taken } = await postTo({ ...login, body: '\n<!doctype html><title>Log in</title>' });
    expect(outcome).toMatchObject({ kind: 'unknown', status: 200 });
    expect(outcome).toMatchObject({ problem: expect.stringMatching(/expected JSON, got .*Log in/) });
    expect(taken).toBe(0);
  });

  it.each([
    [400, 'content'],
    [422, 'content'],
    [413, 'size'],
    [401, 'access'],
    [415, 'content'],
    [402, 'access'],
    [408, 'access'],
    [425, 'access'],
    [302, 'access'],
  ])('and answers %i: %s', async (status, cause) => {
    const headers = status < 400 ? { location: 'http://127.0.0.1:9/' } : {};
    const { outcome, taken } = await postTo({ status, headers });
    expect(outcome).toMatchObject({ kind: 'refused', status, cause });
    expect(taken).toBe(0);
  });

  it.each([
    ['closes', 'answer'],
    ['breaks off in its answer', 'half body'],
  ] as const)('and answers 413 while the body is on its way, then %s: the status counts', async (_, ends) => {
    const fault = { reads: 'head', status: 413, ends, body: '<h1>413</h1>' } as const;
    const { outcome, taken } = await postTo(fault, { bytes: large });
    expect(outcome).toMatchObject({ kind: 'refused', status: 413, cause: 'size' });
    expect(taken).toBe(0);
  });

  it('and answers with a limit while the body is on its way', async () => {
    const body = JSON.stringify({ error: 'rate_limited', retryAfter: 12 });
    const headers = { 'x-ratelimit-remaining': '0' };
    const posted = await postTo({ reads: 'head', status: 429, body, headers }, { bytes: large });
    expect(posted.outcome).toMatchObject({ kind: 'refused', status: 429, cause: 'key_limit' });
    expect(posted).toMatchObject({ refusals: [{ kind: 'minute', waitMs: 12_000 }], taken: 0 });
  });

  it('and closes the port while it is asked: nothing was sent', async () => {
    const { url, close } = await startHostileWrites(() => ({}));
    await close();
    const { outcome, givenBack } = await postOnce(url);
    expect(outcome.kind).toBe('unsent');
    expect(givenBack).toBe(1);
  });
});
