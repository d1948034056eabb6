import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, parseRunDate, runDateIn } from '../../src/core/run-date.ts';

const digits = fc.nat(9_999).map(String);
const day = fc
  .date({ min: new Date('1010-01-01'), max: new Date('9980-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('a text is a run date as it is written, or none', () => {
  const text = fc.oneof(
    fc.tuple(digits, digits, digits).map((parts) => parts.join('-')),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('2023-02-29', '2024-02-29', '0000-00-00', '2025-13-01', '２０２５-01-01', '2025-01-01\n'),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect([one, undefined]).toContain(parseRunDate(one));
    }),
  );
});

test('days lead there and back, and the date of a zone is near the moment', () => {
  const far = ['Pacific/Apia', 'Australia/Lord_Howe'];
  const zone = fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', ...far);
  fc.assert(
    fc.property(day, fc.integer({ min: -1_000, max: 1_000 }), zone, (text, days, timeZone) => {
      const date = parseRunDate(text);
      if (date === undefined) throw new Error(text);
      expect(addDays(addDays(date, days), -days)).toBe(text);
      const moment = new Date(`${text}T12:00:00Z`);
      const local = runDateIn(timeZone, moment);
      expect(parseRunDate(local)).toBe(local);
      expect(Math.abs(Date.parse(`${local}T12:00:00Z`) - moment.getTime())).toBeLessThanOrEqual(86_400_000);
    }),
  );
});
