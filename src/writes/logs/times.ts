// Times as logs other than combined ones write them: ISO 8601, seconds and smaller units since 1970.
import { readCombinedTime, type ZonedTime } from './combined-time.ts';

const isoShape =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(Z|[+-]\d{2}(?::?\d{2})?| ?UTC)?$/i;

/** Null where it is no time. Without a zone it is UTC. */
export function readTime(value: unknown): ZonedTime | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  return fromIso(text) ?? readCombinedTime(text.replace(/^\[(.*)\]$/, '$1'));
}

/** The unit is told by the size: seconds of today have 10 digits, ms 13, µs 16, ns 19. */
function fromEpoch(value: number): ZonedTime | null {
  const unit = value < 1e11 ? 1_000 : value < 1e14 ? 1 : value < 1e17 ? 1e-3 : 1e-6;
  return valid(Math.round(value * unit), 0);
}

function fromIso(text: string): ZonedTime | null {
  const match = isoShape.exec(text);
  if (match === null) return null;
  const [, day = '', time = '', zone = 'Z'] = match;
  // Date takes milliseconds; some write nanoseconds. It takes 31 February for March, and we don't.
  const clock = time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1');
  const wallMs = Date.parse(`${day}T${clock}Z`);
  const isDay = new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.slice(0, 10) === day;
  const zoneMinutes = minutesOf(zone);
  return isDay && zoneMinutes !== null ? valid(wallMs - zoneMinutes * 60_000, zoneMinutes) : null;
}

function minutesOf(zone: string): number | null {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  const [, sign, hours, minutes = '0'] = match;
  const zoneMinutes = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || zoneMinutes > 15 * 60) return null;
  return sign === '-' && zoneMinutes > 0 ? -zoneMinutes : zoneMinutes;
}

/** Years that four digits write. */
function valid(atMs: number, zoneMinutes: number): ZonedTime | null {
  const at = new Date(atMs);
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 9998 ? { at, zoneMinutes } : null;
}
