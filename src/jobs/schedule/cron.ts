// Finds when a cron expression is due, as a pure function of zone and time. node-cron (4.6) parses, but its
// search for the next time has lost months at changes of the clocks; here each local time comes once.

import { validateDetailed } from 'node-cron';
import { dayMs } from '../../core/run-date.ts';

interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Cached by zone and minute: Intl is slow, and the same days are asked for every few minutes. */
const offsets = new Map<string, number>();
const mostOffsets = 5_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

export function localTimeAt(timeZone: string, at: Date): LocalTime {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

/** The local time as if it were UTC, in ms: what calendars compute with. */
function plainMs({ year, month, day, hour, minute }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

function localMidnightMs(timeZone: string, at: Date): number {
  const offset = steadyOffsetMs(timeZone, Math.floor(at.getTime() / dayMs) * dayMs);
  const plain = offset === undefined ? plainMs(localTimeAt(timeZone, at)) : at.getTime() + offset;
  return Math.floor(plain / dayMs) * dayMs;
}

/** The offset that holds from a day before the date to two days after; undefined: the clocks change near it. */
function steadyOffsetMs(timeZone: string, dayMidnightMs: number): number | undefined {
  const near = [-1, 0, 1, 2].map((days) => offsetMs(timeZone, dayMidnightMs + days * dayMs));
  return new Set(near).size === 1 ? near[0] : undefined;
}

/** Minutes are enough: no zone has had seconds in its offset for half a century. */
function offsetMs(timeZone: string, atMs: number): number {
  const minuteStart = Math.floor(atMs / 60_000) * 60_000;
  const key = `${timeZone} ${minuteStart}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = plainMs(localTimeAt(timeZone, new Date(minuteStart))) - minuteStart;
  if (offsets.size >= mostOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * The moment of a local time. One that the clocks show twice means the first; one that they skip comes
 * as much later as they jump, so 02:30 becomes 03:30.
 */
export function momentOf(timeZone: string, local: LocalTime): Date {
  const plain = plainMs(local);
  const before = offsetMs(timeZone, plain - dayMs);
  const after = offsetMs(timeZone, plain + dayMs);
  const fitting = [before, after].filter((offset) => offsetMs(timeZone, plain - offset) === offset);
  return new Date(plain - (fitting.length === 0 ? before : Math.max(...fitting)));
}

export interface CronTimes {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
}

type CronResult =
  | { readonly times: CronTimes; readonly faults?: never }
  | { readonly times?: never; readonly faults: readonly string[] };

const fieldNames: Readonly<Record<string, string>> = {
  dayOfMonth: 'day of the month',
  dayOfWeek: 'day of the week',
};

/** Faults are "got" phrases: what is wrong with the expression. */
export function parseCron(text: string): CronResult {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) {
    return { faults: [`"${text}", which has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`] };
  }
  const { valid, errors, fields: parsed } = validateDetailed(text.trim());
  if (!valid || parsed === undefined) {
    return {
      faults: errors.map(
        ({ field, value }) => `"${text}", whose ${fieldNames[field] ?? field} cannot be ${value ?? 'that'}`,
      ),
    };
  }
  const days = parsed.dayOfMonth.filter((day) => typeof day === 'number');
  const weekdays = parsed.dayOfWeek.filter((day) => typeof day === 'number');
  if (days.length < parsed.dayOfMonth.length || weekdays.length < parsed.dayOfWeek.length) {
    return { faults: [`"${text}", which has L, W or #: these are not supported`] };
  }
  if (days.length < 31 && weekdays.length < 7) {
    return { faults: [`"${text}", which restricts both the day of the month and the day of the week`] };
  }
  return {
    times: { minutes: parsed.minute, hours: parsed.hour, days, months: parsed.month, weekdays },
  };
}

/** 29 February comes after 8 years at the latest. */
const mostDays = 8 * 366 + 2;

/** The newest moment at or before `at`; undefined: none in eight years. */
export function newestDue(times: CronTimes, timeZone: string, at: Date): Date | undefined {
  // A skipped time may come on the day after its own, so two days are looked at together.
  let found: number | undefined;
  let looked = 0;
  for (const day of daysFrom(timeZone, at, -1)) {
    for (const moment of momentsOf(times, timeZone, day)) {
      if (moment <= at.getTime()) found = Math.max(found ?? moment, moment);
    }
    if (found !== undefined && looked++ > 0) break;
  }
  return found === undefined ? undefined : new Date(found);
}

/** The first moment after `after`; undefined: none in eight years. */
export function nextDue(times: CronTimes, timeZone: string, after: Date): Date | undefined {
  let found: number | undefined;
  let looked = 0;
  for (const day of daysFrom(timeZone, after, 1)) {
    for (const moment of momentsOf(times, timeZone, day)) {
      if (moment > after.getTime()) found = Math.min(found ?? moment, moment);
    }
    if (found !== undefined && looked++ > 0) break;
  }
  return found === undefined ? undefined : new Date(found);
}

/** Yields midnights as if in UTC: the day after (before) the local date of `at`, and on from there. */
function* daysFrom(timeZone: string, at: Date, direction: 1 | -1): Generator<Date> {
  const start = localMidnightMs(timeZone, at) - direction * dayMs;
  for (let index = 0; index < mostDays; index += 1) yield new Date(start + direction * index * dayMs);
}

function momentsOf(times: CronTimes, timeZone: string, day: Date): number[] {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  const fits =
    times.months.includes(month) && times.days.includes(date) && times.weekdays.includes(day.getUTCDay());
  if (!fits) return [];
  const steady = steadyOffsetMs(timeZone, day.getTime());
  const momentAt = (hour: number, minute: number) =>
    steady === undefined
      ? momentOf(timeZone, { year, month, day: date, hour, minute }).getTime()
      : day.getTime() + (hour * 60 + minute) * 60_000 - steady;
  return times.hours.flatMap((hour) => times.minutes.map((minute) => momentAt(hour, minute)));
}
