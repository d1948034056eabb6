import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateWindow, readRateHeaders, type Start } from '../../src/api/gate/rate-window.ts';

describe('readRateHeaders', () => {
  it('reads the three headers', () => {
    const headers = {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': ['12'],
      'x-ratelimit-reset': ' 31.5 ',
    };
    expect(readRateHeaders(headers)).toEqual({ limit: 60, remaining: 12, resetS: 31.5 });
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

/** A window and a process in front of it; `at` is in seconds. */
function scene() {
  const window = new RateWindow();
  let used = 0;
  const start = (at: number, others = 0): Start => {
    used += 1 + others;
    return window.started(at * 1_000, used);
  };
  const answer = (started: Start, at: number, remaining: number, resetS: number, limit = 60) => {
    window.observe(started, at * 1_000, { limit, remaining, resetS });
    window.ended();
  };
  const ask = (at: number, remaining: number, resetS: number) =>
    answer(start(at), at + 0.1, remaining, resetS);
  return { window, start, answer, ask, delayS: (at: number) => window.delayMs(at * 1_000) / 1_000 };
}

describe('RateWindow', () => {
  it('holds nothing back before the first headers, and without them', () => {
    const { window, start, delayS } = scene();
    expect(delayS(0)).toBe(0);
    window.observe(start(0), 100, {});
    window.observe(start(1), 1_100, { limit: 60, remaining: 0 });
    window.observe(start(1), 1_100, { limit: 60, resetS: 9 });
    expect(delayS(2)).toBe(0);
  });

  it('waits for the minute to renew, and a margin longer, when no request remains', () => {
    const { ask, delayS } = scene();
    ask(10, 0, 30);
    expect(delayS(11)).toBeCloseTo(29.1 + 0.25);
    expect(delayS(40.4)).toBe(0);
  });

  it('counts requests in flight as spent until their answers show that they were counted', () => {
    const { start, answer, ask, delayS } = scene();
    const slow = Array.from({ length: 8 }, () => start(0));
    ask(0.2, 12, 50);
    expect(delayS(1)).toBeGreaterThan(0);
    for (const [index, started] of slow.entries()) answer(started, 1.5 + index / 10, 20 - index, 49);
    expect(delayS(2.5)).toBe(0);
  });

  it('counts what other processes were granted since the last answer as spent', () => {
    const { start, answer, delayS } = scene();
    answer(start(0, 47), 0.1, 12, 50);
    const mine = start(1, 8);
    expect(delayS(2)).toBeGreaterThan(0);
    answer(mine, 2, 11, 48);
    expect(delayS(3)).toBe(0);
  });

  it('believes the lowest count of a minute, whatever order answers come in', () => {
    const { start, answer, delayS } = scene();
    const [early, late] = [start(0), start(0.1)];
    answer(late, 0.3, 0, 40);
    answer(early, 0.9, 30, 40);
    expect(delayS(1)).toBeGreaterThan(0);
  });

  it('ignores an answer that comes late, from a minute that is over', () => {
    const { start, answer, ask, delayS } = scene();
    const slow = start(1);
    ask(58, 0, 2);
    expect(delayS(60.4)).toBe(0);
    answer(slow, 60.5, 0, 2);
    expect(delayS(60.6)).toBe(0);
  });

  it('tells fixed minutes from sliding ones', () => {
    const fixed = scene();
    for (let at = 0; at < 130; at += 5) fixed.ask(at, 40, 60 - (at % 60));
    expect(fixed.window.kind).toBe('fixed');

    const sliding = scene();
    for (let at = 0; at < 130; at += 5) sliding.ask(at, 0, 5);
    expect(sliding.window.kind).toBe('sliding');
  });

  it('leaves a sliding minute that holds only our own requests to the ledger', () => {
    const { window, ask, delayS } = scene();
    for (let at = 0; at < 130; at += 1) ask(at, Math.max(0, 59 - at), at < 60 ? 60 - at : 1);
    expect(window.kind).toBe('sliding');
    expect(window.othersSeen(130_000)).toBe(false);
    expect(delayS(130)).toBe(0);
  });

  it('sees other users of the key in counts that the ledger does not explain', () => {
    const { window, ask, start } = scene();
    for (let at = 0; at < 125; at += 5) ask(at, 54 - ((at % 60) / 5) * 4, 60 - (at % 60));
    start(125);
    expect(window.othersSeen(125_000)).toBe(true);
  });

  it('takes what other processes were granted for ours', () => {
    const { window, start, answer } = scene();
    // Four to six requests every five seconds, up to five of them another process's.
    for (let at = 0; at < 125; at += 5)
      answer(start(at, 5), at + 0.1, 54 - ((at % 60) / 5) * 4, 60 - (at % 60));
    start(125);
    expect(window.othersSeen(125_000)).toBe(false);
  });

  it('does not wait for a time that is far away only because the clock was set back', () => {
    const { ask, delayS } = scene();
    ask(3_600, 0, 30);
    expect(delayS(3_601)).toBeGreaterThan(0);
    expect(delayS(10)).toBe(0);
  });

  it('always opens again, whatever the headers say and the clock does', () => {
    const event = fc.record({
      at: fc.integer({ min: 0, max: 400 }),
      lasts: fc.integer({ min: -50, max: 90 }),
      limit: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
      remaining: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined }),
      resetS: fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined }),
      refused: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const window = new RateWindow();
        let newest = 0;
        events.forEach(({ at, lasts, refused, limit, remaining, resetS }, index) => {
          const started = window.started(at * 1_000, index + 1);
          expect(window.delayMs(at * 1_000)).toBeGreaterThanOrEqual(0);
          if (refused) window.refused(at * 1_000);
          window.observe(started, (at + lasts) * 1_000, {
            ...(limit !== undefined && { limit }),
            ...(remaining !== undefined && { remaining }),
            ...(resetS !== undefined && { resetS }),
          });
          window.ended();
          newest = at + lasts;
        });
        // Asked every few seconds, as the gate does, it lets somebody through within the longest reset.
        const delays = Array.from({ length: 100 }, (_, i) => window.delayMs((newest + i * 5) * 1_000));
        expect(delays).toContain(0);
      }),
      { numRuns: 500 },
    );
  });
});
