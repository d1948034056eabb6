import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { type PeriodKind, periodText, reportPeriod } from '../../src/reporting/report/period.ts';

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

const periodOf = (kind: PeriodKind, date: string | undefined, today: string) =>
  reportPeriod(kind, date === undefined ? undefined : day(date), day(today));

describe('the period of a report', () => {
  it.each([
    ['month', undefined, '2026-11-22', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['month', undefined, '2026-03-01', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['month', '2024-02-29', '2026-11-22', '2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'],
    ['month', '2025-12-31', '2026-11-22', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
    // A Sunday: its week is not over yet.
    ['week', undefined, '2026-11-22', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['week', undefined, '2026-11-23', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['week', '2027-01-03', '2027-06-01', '2026-12-28', '2027-01-03', '2026-12-21', '2026-12-27'],
  ] as const)('%s with %s in it, on %s', (kind, date, today, from, to, beforeFrom, beforeTo) => {
    expect(periodOf(kind, date, today)).toEqual({
      kind,
      from,
      to,
      isSoFar: false,
      before: { from: beforeFrom, to: beforeTo },
    });
  });

  it('ends yesterday while it lasts', () => {
    const period = periodOf('month', '2026-11-22', '2026-11-22');
    expect(period).toMatchObject({ from: '2026-11-01', to: '2026-11-21', isSoFar: true });
    expect(periodText(period, 'en')).toBe('November 2026, so far, until 21 Nov 2026');
  });

  it('is refused where none of its days is over', () => {
    expect(() => periodOf('month', '2026-12-24', '2026-11-22')).toThrow(ConfigError);
    expect(() => periodOf('week', '2026-11-23', '2026-11-23')).toThrow(
      'Expected --date to be in a week that began before 2026-11-23, got "2026-11-23"',
    );
  });

  it('has words in both languages', () => {
    expect(periodText(periodOf('month', undefined, '2026-11-22'), 'es')).toBe('octubre de 2026');
    expect(periodText(periodOf('week', undefined, '2026-11-22'), 'es')).toBe('del 9 nov 2026 al 15 nov 2026');
    expect(periodText(periodOf('week', undefined, '2026-11-22'), 'en')).toBe('9 Nov 2026 to 15 Nov 2026');
  });
});
