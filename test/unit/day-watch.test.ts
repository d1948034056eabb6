// A process that sleeps over midnight, and one that is merely slow.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { otherDay } from '../../src/api/exchange.ts';
import { watchDay } from '../../src/sync/run/day-watch.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Ends after sleeping from one moment to the other. */
function sleeps(timeZone: string, from: string, to: string, date = from): boolean {
  let now = date;
  const clock = { now: () => Date.parse(now), sleep: async () => undefined };
  const day = watchDay(clock, timeZone, new AbortController().signal);
  now = from;
  day.look();
  now = to;
  vi.advanceTimersByTime(10_000);
  day.release();
  return day.signal.aborted;
}

const madrid = 'Europe/Madrid';
/** Midnight itself does not exist on 2026-09-06, and 2026-04-04 has its last hour twice. */
const santiago = 'America/Santiago';

describe('a run ends', () => {
  it.each([
    [madrid, '2026-11-23T22:50:00Z', '2026-11-24T07:00:00Z'],
    // Days of 25 and of 23 hours.
    [madrid, '2026-10-24T21:50:00Z', '2026-10-24T22:10:00Z'],
    [madrid, '2026-10-24T22:10:00Z', '2026-10-25T23:10:00Z'],
    [santiago, '2026-09-06T03:50:00Z', '2026-09-06T04:10:00Z'],
    [santiago, '2026-04-05T03:50:00Z', '2026-04-05T04:10:00Z'],
    // Somebody sets a clock that was ahead.
    [madrid, '2027-01-02T12:00:00Z', '2026-11-23T12:00:00Z'],
  ])('in %s by a sleep from %s to %s, over the end of its day', (zone, from, to) => {
    expect(sleeps(zone, from, to)).toBe(true);
  });

  it('by a sleep on the day after its own', () => {
    const [began, from] = ['2026-11-23T22:59:00Z', '2026-11-24T01:00:00Z'];
    let now: string = began;
    const clock = { now: () => Date.parse(now), sleep: async () => undefined };
    const day = watchDay(clock, madrid, new AbortController().signal);
    // It walks over midnight by itself.
    for (let ms = Date.parse(began); ms <= Date.parse(from); ms += 60_000) {
      now = new Date(ms).toISOString();
      day.look();
    }
    expect(day.signal.aborted).toBe(false);
    now = '2026-11-24T07:00:00Z';
    day.look();
    expect(day.signal.aborted).toBe(true);
    day.release();
  });
});

describe('a run goes on', () => {
  it.each([
    [madrid, '2026-11-23T08:00:00Z', '2026-11-23T22:59:00Z'],
    [madrid, '2026-11-23T22:58:00Z', '2026-11-23T23:02:59Z'],
    // 24 of the 25 hours of a day, in which UTC has another date.
    [madrid, '2026-03-28T23:05:00Z', '2026-03-29T21:55:00Z'],
    // The end of the short day.
    [santiago, '2026-09-06T04:10:00Z', '2026-09-07T02:50:00Z'],
    // 23:30, and 23:30 once more.
    [santiago, '2026-04-05T02:30:00Z', '2026-04-05T03:30:00Z'],
  ])('in %s after a sleep from %s to %s, within its day or too short', (zone, from, to) => {
    expect(sleeps(zone, from, to)).toBe(false);
  });
});

describe('the clocks of a machine and of the server', () => {
  const ahead = (ours: string, theirs: string) =>
    [Date.parse(theirs) - Date.parse(ours), Date.parse(ours)] as const;

  it.each([
    ['2027-01-02T12:00:00Z', '2026-11-23T12:00:00Z', { ours: '2027-01-02', theirs: '2026-11-23' }],
    ['2026-11-23T22:57:00Z', '2026-11-23T23:03:00Z', { ours: '2026-11-23', theirs: '2026-11-24' }],
    // The day of 23 hours ends at 22:00, which is 23:00 of winter time.
    ['2026-03-29T22:03:00Z', '2026-03-29T21:57:00Z', { ours: '2026-03-30', theirs: '2026-03-29' }],
  ])('show other days in Madrid at %s and %s', (ours, theirs, days) => {
    expect(otherDay(...ahead(ours, theirs), madrid)).toEqual(days);
  });

  it.each([
    ['2026-11-23T22:58:00Z', '2026-11-23T23:02:00Z'],
    ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z'],
    ['2026-03-28T23:03:00Z', '2026-03-29T21:57:00Z'],
  ])('agree in Madrid at %s and %s: five minutes, or one day', (ours, theirs) => {
    expect(otherDay(...ahead(ours, theirs), madrid)).toBeUndefined();
  });
});
