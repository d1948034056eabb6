import { describe, expect, it } from 'vitest';
import { afterRefusal, backOffMs, refusalExtraMs, retryAfterMs } from '../../src/api/retry.ts';

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

  it.each([null, undefined, true, [], [7], {}])('is not believed when it is no number but %j', (value) => {
    expect(retryAfterMs({ retryAfter: value }, undefined)).toBeUndefined();
  });
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
