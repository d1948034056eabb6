import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, parseRunDate, runDateIn } from '../../src/core/run-date.ts';
import { localTimeAt, momentOf, newestDue, nextDue, parseCron } from '../../src/jobs/schedule/cron.ts';

function times(text: string) {
  const parsed = parseCron(text);
  if (parsed.times === undefined) throw new Error(parsed.faults.join());
  return parsed.times;
}

const at = (text: string) => new Date(text);

/** Every moment between two, by asking for the next one again and again. */
function allBetween(text: string, zone: string, from: string, to: string): string[] {
  const found: string[] = [];
  let next = nextDue(times(text), zone, at(from));
  while (next !== undefined && next <= at(to)) {
    found.push(next.toISOString());
    next = nextDue(times(text), zone, next);
  }
  return found;
}

describe('a cron expression', () => {
  test.each([
    ['* * *', 'which has 3 fields'],
    ['0 0 3 * * *', 'which has 6 fields'],
    ['', 'which has 1 field'],
    ['61 * * * *', 'whose minute cannot be 61'],
    ['0 3 L * *', 'which has L, W or #: these are not supported'],
    ['0 3 * * 5#2', 'which has L, W or #: these are not supported'],
    ['0 3 1 * mon', 'which restricts both the day of the month and the day of the week'],
    ['never at all on day', 'cannot be'],
  ])('%j is refused: %s', (text, reason) => {
    expect(parseCron(text).faults?.join(' ')).toContain(reason);
  });

  test('takes names, lists, ranges and steps, and Sunday as 0 and 7', () => {
    expect(times('*/20 8-10 * jan,dec mon-fri')).toMatchObject({
      ...{ minutes: [0, 20, 40], hours: [8, 9, 10], months: [1, 12], weekdays: [1, 2, 3, 4, 5] },
    });
    expect(times('0 0 * * 7').weekdays).toEqual([0]);
  });
});

describe('the moments of a schedule', () => {
  test('a time that the clocks skip comes as much later, on the same day', () => {
    const days = allBetween('30 2 * * *', 'Europe/Madrid', '2026-03-27T12:00:00Z', '2026-03-31T12:00:00Z');
    expect(days).toEqual([
      '2026-03-28T01:30:00.000Z',
      // 02:30 does not exist on the 29th: 03:30 summer time.
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
  });

  test('a time that the clocks show twice comes once, the first time', () => {
    const days = allBetween('30 2 * * *', 'Europe/Madrid', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z');
    expect(days).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  });

  test.each([
    ['Europe/Madrid', '2026-03-29'],
    ['Europe/Madrid', '2026-10-25'],
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
  ])('a nightly one in %s has each date around %s once, which is its run date', (zone, text) => {
    const date = parseRunDate(text);
    if (date === undefined) throw new RangeError(text);
    const dates = [-2, -1, 0, 1, 2].map((days) => addDays(date, days));
    const [first, last] = [addDays(date, -3), addDays(date, 3)];
    for (const cron of ['0 0 * * *', '30 1 * * *', '30 2 * * *', '15 3 * * *', '59 23 * * *']) {
      const moments = allBetween(cron, zone, `${first}T12:00:00Z`, `${last}T12:00:00Z`);
      const runDates = moments.map((moment) => runDateIn(zone, at(moment)));
      const near = runDates.filter((one) => dates.includes(one));
      expect(near, cron).toEqual(dates);
    }
  });

  test('29 February is found over years without it; 31 April never is', () => {
    const leap = times('0 0 29 2 *');
    expect(nextDue(leap, 'UTC', at('2097-01-01T00:00:00Z'))).toEqual(at('2104-02-29T00:00:00Z'));
    expect(newestDue(leap, 'UTC', at('2027-01-01T00:00:00Z'))).toEqual(at('2024-02-29T00:00:00Z'));
    expect(parseCron('0 0 31 4 *').faults).toBeDefined();
  });

  const south = ['America/Santiago', 'Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const north = ['UTC', 'Europe/Madrid', 'America/New_York', 'Africa/Casablanca', 'Asia/Kolkata'];
  const zone = fc.constantFrom(...south, ...north);
  const schedule = fc
    .record({
      minute: fc.constantFrom('0', '30', '15,45', '*/20'),
      hour: fc.constantFrom('*', '0', '1', '2', '3', '23', '1-3', '8,12,16,20'),
      day: fc.constantFrom('* * *', '* * sun', '1,15 * *', '* 3,10 *', '* * mon-fri'),
    })
    .map(({ minute, hour, day }) => `${minute} ${hour} ${day}`);
  const moment = fc
    .integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 11, 31) })
    .map((ms) => new Date(ms));

  test('newest and next have none between them, in any zone at any time', () => {
    fc.assert(
      fc.property(schedule, zone, moment, (text, timeZone, now) => {
        const parsed = times(text);
        const newest = newestDue(parsed, timeZone, now);
        const next = nextDue(parsed, timeZone, now);
        if (newest === undefined || next === undefined) throw new Error('a schedule without an end has both');
        expect(newest.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        expect(nextDue(parsed, timeZone, newest)).toEqual(next);
        expect(newestDue(parsed, timeZone, next)).toEqual(next);
        expect(newestDue(parsed, timeZone, new Date(next.getTime() - 1))).toEqual(newest);
      }),
      { numRuns: 150 },
    );
  });

  test('each local time has one moment, and shows on the wall unless the clocks skip it', () => {
    fc.assert(
      fc.property(moment, zone, (now, timeZone) => {
        const local = localTimeAt(timeZone, now);
        const found = momentOf(timeZone, local);
        expect(localTimeAt(timeZone, found)).toEqual(local);
        // The same minute, or the first of two that look alike.
        const earlierMs = Math.floor(now.getTime() / 60_000) * 60_000 - found.getTime();
        expect([0, 30 * 60_000, 60 * 60_000]).toContain(earlierMs);
      }),
    );
  });
});
