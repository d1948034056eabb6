// Reads values in lines of logs: times, addresses, hosts.
import { isIP, isIPv4 } from 'node:net';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const minuteMs = 60_000;
const combinedShape = /^(\d{2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;
const isoShape =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(?:Z|UTC|([+-]\d{2}):?(\d{2})?)?$/i;

/** Reads `10/Oct/2000:13:55:36 -0700` as milliseconds since the epoch. */
export function readCombinedTime(text: string): number | undefined {
  const match = combinedShape.exec(text);
  if (match === null) return undefined;
  const [, day, monthName = '', year, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const date = Date.UTC(Number(year), months.indexOf(monthName), Number(day));
  const clockMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  // Date reads 31/Feb as a day in March; we refuse it.
  if (new Date(date).getUTCDate() !== Number(day) || clockMs > 86_400_000) return undefined;
  return valid(date + clockMs - zone * minuteMs);
}

/**
 * Reads ISO 8601, as UTC if without a zone, too, and seconds, milli-, micro- or nanoseconds since 1970 told apart by
 * size.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  const match = isoShape.exec(text);
  if (match === null) return readCombinedTime(text);
  const [, day = '', time = '', zoneHour = '+00', zoneMinute = '00'] = match;
  // Date takes milliseconds only, and some logs write nanoseconds. It also reads 31 February as a day in March.
  const clock = time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1');
  const isDay = new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.slice(0, 10) === day;
  return isDay ? valid(Date.parse(`${day}T${clock}${zoneHour}:${zoneMinute}`)) : undefined;
}

function fromEpoch(value: number): number | undefined {
  const unit = value < 1e11 ? 1_000 : value < 1e14 ? 1 : value < 1e17 ? 1e-3 : 1e-6;
  return valid(Math.round(value * unit));
}

/** Undefined before 1970, or if the year takes five digits. */
function valid(atMs: number): number | undefined {
  return atMs >= 0 && atMs < Date.UTC(9999) ? atMs : undefined;
}

/** Returns the first address of a proxy's list, without its port; undefined if it is not an address. */
export function firstAddress(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const first = text.split(',')[0]?.trim() ?? '';
  const bare = /^\[(.*)\](?::\d+)?$/.exec(first)?.[1] ?? first.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Cuts v4 to /24, v6 to /48. */
export function anonymizeAddress(address: string): string {
  if (isIPv4(address)) return address.replace(/\d+$/, '0');
  const bare = address.replace(/%.*$/s, '');
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.)\d+$/i.exec(bare)?.[1];
  if (v4 !== undefined) return `::ffff:${v4}0`;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  const network =
    tail === undefined || groups.length >= 3 ? groups.slice(0, 3) : wholeOf(groups, tail).slice(0, 3);
  return `${network
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
    .replace(/(?:^|:)0(?::0)*$/, '')}::`;
}

/** Fills `::` with the groups that it stands for. */
function wholeOf(head: readonly string[], tail: string): readonly string[] {
  const last =
    tail === '' ? [] : tail.split(':').flatMap((group) => (group.includes('.') ? [group, group] : [group]));
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - last.length)).fill('0'), ...last];
}

const hostShape = /^(?=.{1,253}$)(?=.*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Returns the host without its port; '' for an address, or for what a scanner made up. */
export function hostOf(text: string): string {
  const host = text.toLowerCase().replace(/\.?(?::\d+)?$/, '');
  return hostShape.test(host) && isIP(host) === 0 ? host : '';
}
