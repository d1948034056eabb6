// Run dates and cron expressions: no text makes them throw, and what they give is what they were asked for.
import fc from 'fast-check';
import { addDays, parseRunDate, runDateIn } from '../../../src/core/run-date.ts';
import { newestDue, nextDue, parseCron } from '../../../src/jobs/schedule/cron.ts';
import { expectSame, fuzzOf } from './fuzz.ts';

const digits = fc.stringMatching(/^\d{1,4}$/);
const dateText = fc.oneof(
  fc.tuple(digits, digits, digits).map((parts) => parts.join('-')),
  fc
    .date({ min: new Date('1000-01-01'), max: new Date('9990-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('2023-02-29', '2024-02-29', '0000-00-00', '2025-13-01', '２０２５-01-01', '2025-01-01\n'),
);
const zones = [
  'UTC',
  'Europe/Madrid',
  'America/New_York',
  'Pacific/Apia',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
];

export const fuzzRunDates = fuzzOf(
  'run dates',
  fc.record({
    text: dateText,
    days: fc.integer({ min: -1_000, max: 1_000 }),
    zone: fc.constantFrom(...zones),
    at: fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
  }),
  ({ text, days, zone, at }) => {
    const date = parseRunDate(text);
    if (date !== undefined) {
      expectSame(date, text, 'the date');
      const year = Number(date.slice(0, 4));
      if (year > 1_010 && year < 9_980)
        expectSame(addDays(addDays(date, days), -days), date, 'there and back');
    }
    const local = runDateIn(zone, at);
    expectSame(parseRunDate(local), local, 'the local date');
    const apart = Math.abs(Date.parse(`${local}T12:00:00Z`) - at.getTime());
    if (apart > 28 * 3_600_000) throw new Error(`${local} is not near ${at.toISOString()}`);
  },
);

const field = (low: number, high: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: fc.integer({ min: low, max: high }).map(String) },
    fc
      .tuple(fc.integer({ min: low - 1, max: high + 1 }), fc.integer({ min: low, max: high }))
      .map(([a, b]) => `${a}-${b}`),
    fc.integer({ min: -1, max: high * 2 }).map((step) => `*/${step}`),
    fc.array(fc.integer({ min: low, max: high }), { maxLength: 4 }).map((many) => many.join(',')),
    fc.constantFrom('?', 'L', 'W', '1#2', 'mon', 'JAN-DEC', '', '*/0', '1-', ',', '١'),
  );
const expression = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
      .map((fields) => fields.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('@daily', '* * * * * *', '0 0 31 2 *', '0 0 29 2 *', '59 23 31 12 *'),
  },
);

export const fuzzCron = fuzzOf(
  'cron expressions',
  fc.record({
    text: expression,
    zone: fc.constantFrom(...zones),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
  }),
  ({ text, zone, at }) => {
    const { times, faults } = parseCron(text);
    if (times === undefined) {
      if (faults.length === 0) throw new Error('neither times nor faults');
      return;
    }
    const parts = [times.minutes, times.hours, times.days, times.months, times.weekdays];
    if (parts.some((part) => part.length === 0)) throw new Error('times that never come');
    const next = nextDue(times, zone, at);
    const newest = newestDue(times, zone, at);
    if (next !== undefined && next <= at)
      throw new Error(`next ${next.toISOString()} is not after ${at.toISOString()}`);
    if (newest !== undefined && newest > at)
      throw new Error(`newest ${newest.toISOString()} is after ${at.toISOString()}`);
    if (next !== undefined && newestDue(times, zone, next)?.getTime() !== next.getTime()) {
      throw new Error(`next ${next.toISOString()} is not the newest at its own moment`);
    }
  },
);
