import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRateHeaders } from '../../src/api/gate/rate-headers.ts';
import { createExactLedger } from '../support/exact-ledger.ts';

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
