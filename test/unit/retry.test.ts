import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRateHeaders } from '../../src/api/gate/rate-headers.ts';
import { afterRefusal, backOffMs, refusalExtraMs, retryAfterMs } from '../../src/api/retry.ts';
import { createExactLedger } from '../support/exact-ledger.ts';

const quarterHour = 15 * 60_000;
const hour = 3_600_000;

describe('the wait that a 429 names', () => {
  it.each<[unknown, string | undefined, number | undefined]>([
    [{ retryAfter: 7 }, undefined, 7_000],
    [{ retryAfter: '12' }, '99', 12_000],
    [{ retryAfter: 90_000 }, undefined, 25 * hour],
    [{}, '9', 9_000],
    [{ retryAfter: 1e9 }, '9', 9_000],
    ['text', '9', 9_000],
  ])('is read from %j (header %j)', (body, header, waitMs) => {
    expect(retryAfterMs(body, header)).toBe(waitMs);
  });

  it.each([90_000.001, 1e9, -1, -0.001, Number.NaN, Number.POSITIVE_INFINITY, '1e9', '-3', 'soon', '', '  '])(
    'is not believed when it is %j',
    (retryAfter) => {
      expect(retryAfterMs({ retryAfter }, undefined)).toBeUndefined();
      expect(retryAfterMs({}, String(retryAfter))).toBeUndefined();
    },
  );

  it.each<[unknown]>([[null], [[]], [[7]], [true]])(
    'is not believed when it is no number but %j',
    (retryAfter) => {
      expect(retryAfterMs({ retryAfter }, undefined)).toBeUndefined();
    },
  );
});

describe('what follows a refusal', () => {
  it.each([
    [0, 'minute'],
    [121_000, 'minute'],
    [quarterHour, 'minute'],
    [quarterHour + 1, 'day'],
    [25 * hour, 'day'],
  ])('a wait of %i ms that the server names is about the %s, the first and the fifth time', (asked, kind) => {
    expect(afterRefusal(asked, 1)).toEqual({ kind, waitMs: asked });
    expect(afterRefusal(asked, 5)).toEqual({ kind, waitMs: asked });
  });

  it('waits 30 s where the server names no wait, and twice as long each time', () => {
    expect([1, 2, 3, 4, 5].map((refusals) => afterRefusal(undefined, refusals))).toEqual(
      [30_000, 60_000, 120_000, 240_000, 480_000].map((waitMs) => ({ kind: 'minute', waitMs })),
    );
  });

  it('closes the key for an hour at the sixth refusal, whatever wait it names, unless it is about the day', () => {
    expect(afterRefusal(undefined, 6)).toEqual({ kind: 'pause', waitMs: hour });
    expect(afterRefusal(1_000, 6)).toEqual({ kind: 'pause', waitMs: hour });
    expect(afterRefusal(undefined, 7)).toEqual({ kind: 'pause', waitMs: hour });
    expect(afterRefusal(2 * hour, 6)).toEqual({ kind: 'day', waitMs: 2 * hour });
  });
});

describe('the jitter', () => {
  it('backs off exponentially up to 30 s, by any part of it', () => {
    expect([1, 2, 3, 6, 7, 60].map((failures) => backOffMs(failures, () => 1))).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000,
    ]);
    expect(backOffMs(3, () => 0)).toBe(0);
    expect(backOffMs(3, () => 0.25)).toBe(500);
  });

  it('adds nothing to the first wait, and half a second and more to later ones', () => {
    expect([1, 2, 3].map((refusals) => refusalExtraMs(refusals, () => 1))).toEqual([0, 1_500, 2_500]);
    expect([1, 2, 3].map((refusals) => refusalExtraMs(refusals, () => 0))).toEqual([0, 500, 500]);
  });
});

describe('readRateHeaders', () => {
  it('reads the three headers', () => {
    const counts = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': ['12'] };
    expect(readRateHeaders({ ...counts, 'x-ratelimit-reset': ' 31.5 ' })).toEqual({
      limit: 60,
      remaining: 12,
      resetS: 31.5,
    });
  });

  it.each([
    [{}, {}],
    [
      { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '-1' },
      { remaining: 0 },
    ],
    [{ 'x-ratelimit-limit': 'sixty', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '1e1' }, {}],
    [{ 'x-ratelimit-limit': '60, 60', 'x-ratelimit-reset': '1767600000' }, {}],
  ])('takes what is garbled in %j for missing', (headers, read) => {
    expect(readRateHeaders(headers)).toEqual(read);
  });
});

it('lets a request through within two minutes, or one and the slowest answer, whatever headers said', () => {
  const headers = fc.record({
    limit: fc.integer({ min: 1, max: 1_000_000 }),
    remaining: fc.nat(70),
    resetMs: fc.nat(120_000),
    latencyMs: fc.nat(90_000),
  });
  const reading = fc.option(headers, { nil: undefined });
  const event = fc.record({ at: fc.nat(400_000), refused: fc.boolean(), reading });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const day = { perDay: 1_000_000, reserve: 0, renewsMs: 0 };
      const ledger = createExactLedger({ perMinute: 60, ...day, holdMs: 72_000 });
      let newest = 0;
      let slowest = 60_000;
      for (const { at, refused, reading } of events) {
        const taken = ledger.take('job', at);
        if (refused) ledger.block('minute', 30_000, false, at);
        ledger.settle(taken, at + (reading?.latencyMs ?? 0), reading);
        newest = Math.max(newest, at + (reading?.latencyMs ?? 0));
        slowest = Math.max(slowest, reading?.latencyMs ?? 0);
      }
      const asks = 1 + Math.ceil((slowest + 62_500) / 2_500);
      const asked = Array.from({ length: asks }, (_, i) => ledger.take('job', newest + i * 2_500));
      expect(asked.some((taken) => taken.granted)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
