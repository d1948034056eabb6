// What the poster makes of a service that misbehaves, beside what that service truly took.
import { afterEach, describe, expect, test } from 'vitest';
import type { PostOutcome } from '../../src/api/post.ts';
import { type HostileWrites, startHostileWrites, type WriteFault } from '../support/hostile-writes.ts';
import { type Posted, type PostOver, postOnce } from '../support/post-once.ts';

let service: HostileWrites | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** Larger than the buffers of a connection on the loopback. */
const large = Buffer.from('a line of a log\n'.repeat(312_500));

const tenMegabytes = `{"a":"${'x'.repeat(10_000_000)}"}`;
const forEverMs = 20_000;

interface Told extends Posted {
  readonly taken: number;
}

async function post(fault: WriteFault, over: PostOver = {}): Promise<Told> {
  service = await startHostileWrites(() => fault);
  const waits = fault.ends === 'silence' || (fault.waitMs ?? fault.pauseMs ?? 0) >= forEverMs;
  const posted = await postOnce(service.url, {
    ...over,
    http: { bodyTimeoutMs: waits ? 400 : 10_000, slowestLine: 1e9 },
  });
  expect(service.requests(), 'sent once, whatever came').toBe(1);
  return { ...posted, taken: service.taken.length };
}

type Kind = PostOutcome['kind'];

describe('a service that takes a write', () => {
  test.each<readonly [string, Kind, WriteFault]>([
    ['and says so', 'accepted', {}],
    ['and says so slowly', 'accepted', { waitMs: 100, pauseMs: 50 }],
    ['and says with 10 MB that it did', 'accepted', { body: tenMegabytes }],
    ['and never ends its answer', 'accepted', { pauseMs: forEverMs }],
    ['and breaks off in the middle of its answer', 'accepted', { ends: 'half body' }],
    ['and says nothing of it', 'accepted', { status: 204, body: '' }],
    ['and breaks off in the head of its answer', 'unknown', { ends: 'half head' }],
    ['and says first to go on, which nobody asked', 'unknown', { interim: 'HTTP/1.1 100 Continue' }],
    ['and answers 500', 'unknown', { takes: true, status: 500 }],
    ['and a proxy before it answers 504', 'unknown', { takes: true, status: 504, body: '<html>' }],
    [
      'and leads to a page that tells of it',
      'unknown',
      { takes: true, status: 303, headers: { location: '/' } },
    ],
    ['and never answers', 'unknown', { takes: true, ends: 'silence' }],
    ['and answers too late', 'unknown', { takes: true, waitMs: forEverMs }],
    ['and breaks off', 'unknown', { takes: true, ends: 'reset' }],
  ])('%s: %s', async (_, kind, fault) => {
    const { outcome, taken, givenBack } = await post(fault);
    expect({ kind: outcome.kind, taken, givenBack }).toEqual({ kind, taken: 1, givenBack: 0 });
  });
});

describe('a service that takes nothing', () => {
  test.each<readonly [string, Kind, WriteFault]>([
    ['and answers 500', 'unknown', { status: 500 }],
    ['and answers 503 with a time', 'unknown', { status: 503, headers: { 'retry-after': '5' } }],
    ['and breaks off after the first bytes', 'unknown', { reads: 'head', ends: 'reset' }],
    ['and stops reading', 'unknown', { reads: 'head', ends: 'silence' }],
  ])('%s: %s', async (_, kind, fault) => {
    const { outcome, taken } = await post(fault, { bytes: large });
    expect({ kind: outcome.kind, taken }).toEqual({ kind, taken: 0 });
  });

  test('but is a page of a network that asks for a login: it said nothing about the write', async () => {
    const login = { takes: false, status: 200, headers: { 'content-type': 'text/html' } };
    const { outcome, taken } = await post({ ...login, body: '\n<!doctype html><title>Log in</title>' });
    expect(outcome).toMatchObject({ kind: 'unknown', status: 200 });
    expect(outcome).toMatchObject({ problem: expect.stringMatching(/expected JSON, got .*Log in/) });
    expect(taken).toBe(0);
  });

  test.each([
    [400, 'content'],
    [409, 'content'],
    [415, 'content'],
    [402, 'access'],
    [407, 'access'],
    [408, 'access'],
    [410, 'access'],
    [421, 'access'],
    [425, 'access'],
    [301, 'access'],
    [302, 'access'],
    [307, 'access'],
    [308, 'access'],
  ])('and answers %i: %s', async (status, cause) => {
    const headers = status < 400 ? { location: 'http://127.0.0.1:9/' } : {};
    const { outcome, taken } = await post({ status, headers });
    expect(outcome).toMatchObject({ kind: 'refused', status, cause });
    expect(taken).toBe(0);
  });

  test.each([
    ['closes', 'answer'],
    ['breaks off in its answer', 'half body'],
  ] as const)('and answers 413 while the body is on its way, then %s: the status counts', async (_, ends) => {
    const fault = { reads: 'head', status: 413, ends, body: '<h1>413</h1>' } as const;
    const { outcome, taken } = await post(fault, { bytes: large });
    expect(outcome).toMatchObject({ kind: 'refused', status: 413, cause: 'size' });
    expect(taken).toBe(0);
  });

  test.each([
    ['of the minute', { error: 'rate_limited', retryAfter: 12 }, '0', 'key_limit', 12_000],
    ['of its kind', { error: 'rate_limited', retryAfter: 3_000 }, '59', 'kind_limit', 3_000_000],
    ['of the day', { error: 'quota', retryAfter: 30 }, '0', 'kind_limit', 30_000],
  ])(
    'and answers with the limit %s while the body is on its way',
    async (_, body, remaining, cause, closedForMs) => {
      const fault: WriteFault = {
        reads: 'head',
        status: 429,
        body: JSON.stringify(body),
        headers: { 'x-ratelimit-remaining': remaining },
      };
      const { outcome, refusals, taken } = await post(fault, { bytes: large });
      expect(outcome).toMatchObject({ kind: 'refused', status: 429, cause, closedForMs });
      expect(refusals).toEqual(cause === 'key_limit' ? [{ kind: 'minute', waitMs: closedForMs }] : []);
      expect(taken).toBe(0);
    },
  );

  test('and closes the port while it is asked: nothing was sent', async () => {
    service = await startHostileWrites(() => ({}));
    const { url } = service;
    await service.close();
    const { outcome, givenBack } = await postOnce(url);
    expect(outcome.kind).toBe('unsent');
    expect(givenBack).toBe(1);
  });
});
