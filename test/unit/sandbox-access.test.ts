import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { RateWindow } from '../../src/sandbox/rate-window.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { closing } from '../support/closing.ts';
import { get, getBody, startOpenSandbox } from '../support/sandbox-requests.ts';

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

describe('the minute', () => {
  test('counts down in the headers and refuses with retryAfter until it renews', async () => {
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
