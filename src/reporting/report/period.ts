// The dates of a report and of the period that it is compared with, and how they are written.

import { ConfigError } from '../../core/errors.ts';
import { addDays, parseRunDate, type RunDate } from '../../core/run-date.ts';
import type { Language, Period } from '../dashboard/charts/chart.ts';
import { fill, formatDate, formatMonth } from '../dashboard/charts/format.ts';

/** `October 2026`, `16 Nov 2026 to 22 Nov 2026`. */
export function periodText({ kind, from, to, isSoFar }: ReportPeriod, language: Language): string {
  const last = formatDate(to, language);
  if (kind === 'week')
    return fill('{from} to {to}', language, { from: formatDate(from, language), to: last });
  const month = formatMonth(from, language);
  return isSoFar ? fill('{month}, so far, until {to}', language, { month, to: last }) : month;
}

export const periodKinds = ['month', 'week'] as const;
export type PeriodKind = (typeof periodKinds)[number];

export interface ReportPeriod extends Period {
  readonly kind: PeriodKind;
  readonly before: Period;
  /** The period is not over; its last date so far is yesterday. */
  readonly isSoFar: boolean;
}

/**
 * Returns the month or the week (Monday to Sunday) of `date`; without one, the last that is over.
 * @throws ConfigError if none of its days is over
 */
export function reportPeriod(kind: PeriodKind, date: RunDate | undefined, today: RunDate): ReportPeriod {
  const from = startOf(kind, date ?? addDays(startOf(kind, today), -1));
  const end = addDays(startOf(kind, addDays(from, kind === 'month' ? 31 : 7)), -1);
  const yesterday = addDays(today, -1);
  const to = end < yesterday ? end : yesterday;
  if (to < from) {
    throw new ConfigError([
      `Expected --date to be in a ${kind} that began before ${today}, got "${date ?? today}"`,
    ]);
  }
  const beforeTo = addDays(from, -1);
  return { kind, from, to, isSoFar: to < end, before: { from: startOf(kind, beforeTo), to: beforeTo } };
}

function startOf(kind: PeriodKind, date: RunDate): RunDate {
  if (kind === 'month') return parseRunDate(`${date.slice(0, 8)}01`) ?? date;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}
