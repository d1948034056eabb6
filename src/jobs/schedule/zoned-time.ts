// Wall-clock times of a zone as moments, over changes of the clocks.
import { dayMs } from '../../core/run-date.ts';

export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Days are looked at every few minutes, and asking Intl is slow. */
const steady = new Map<string, number | undefined>();
const mostSteady = 500;
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

/** What a clock on the wall of the zone shows. */
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

/** Midnight of the local date, as if in UTC. */
export function localMidnightMs(timeZone: string, at: Date): number {
  const offset = steadyOffsetMs(timeZone, Math.floor(at.getTime() / dayMs) * dayMs);
  const plain = offset === undefined ? plainMs(localTimeAt(timeZone, at)) : at.getTime() + offset;
  return Math.floor(plain / dayMs) * dayMs;
}

/** The offset that holds from a day before the date to two days after; undefined: the clocks change near it. */
export function steadyOffsetMs(timeZone: string, dayMidnightMs: number): number | undefined {
  const key = `${timeZone} ${dayMidnightMs}`;
  if (steady.has(key)) return steady.get(key);
  const offsets = [-1, 0, 1, 2].map((days) => offsetMs(timeZone, dayMidnightMs + days * dayMs));
  const offset = new Set(offsets).size === 1 ? offsets[0] : undefined;
  if (steady.size >= mostSteady) steady.clear();
  steady.set(key, offset);
  return offset;
}

/** Minutes are enough: no zone has had seconds in its offset for half a century. */
function offsetMs(timeZone: string, atMs: number): number {
  const minuteStart = Math.floor(atMs / 60_000) * 60_000;
  return plainMs(localTimeAt(timeZone, new Date(minuteStart))) - minuteStart;
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
