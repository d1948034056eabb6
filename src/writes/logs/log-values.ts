// From the values that a format finds in a line to its event. One place says what each may look like.
import { isIP } from 'node:net';
import { readCombinedTime, readRequest, type ZonedTime } from './combined.ts';
import { type LineReading, unreadable } from './log-event.ts';

/** Times as logs other than combined ones write them: ISO 8601, seconds and smaller units since 1970. */
const isoShape =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(Z|[+-]\d{2}(?::?\d{2})?| ?UTC)?$/i;

/** Null where it is no time. Without a zone it is UTC. */
function readTime(value: unknown): ZonedTime | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  return fromIso(text) ?? readCombinedTime(text.replace(/^\[(.*)\]$/, '$1'));
}

/** The size shows the unit: seconds of today have 10 digits, ms 13, µs 16, ns 19. */
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

/** Values by meaning. A time may come in two parts, a request as one or as three. */
export const meanings = [
  'time',
  'date',
  'ip',
  'host',
  'request',
  'method',
  'path',
  'query',
  'protocol',
  'status',
  'bytes',
  'referrer',
  'agent',
  'ms',
  'seconds',
  'ns',
  'us',
] as const;

export type Meaning = (typeof meanings)[number];

const numberShape = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Beyond it nothing counts: bytes or milliseconds. */
const mostCounted = 1e12;

export type LogValues = { readonly [Name in Meaning]?: unknown };

export type ValueReader = (values: LogValues) => LineReading;

/** Reads the values of a line. Lines come second by second, so the last time is remembered. */
export function createValueReader(): ValueReader {
  let last: { readonly date: unknown; readonly time: unknown; readonly read: ZonedTime | null } | null = null;
  return (values) => {
    const { date, time } = values;
    if (last === null || last.time !== time || last.date !== date) {
      last = { date, time, read: readTime(textOf(date) === null ? time : `${date}T${time}Z`) };
    }
    return last.read === null ? unreadable('no time that can be read') : readValues(values, last.read);
  };
}

function readValues(values: LogValues, time: ZonedTime): LineReading {
  const status = numberOf(values.status);
  if (status === null || !isStatus(status)) return unreadable('no status');
  const request = requestOf(values);
  if (request === null) return unreadable('no path');
  return {
    kind: 'event',
    event: {
      at: time.at,
      zoneMinutes: time.zoneMinutes,
      host: textOf(values.host) ?? hostOfUrl(textOf(values.path)),
      ip: addressOf(textOf(values.ip)),
      method: request.method,
      path: request.path,
      protocol: request.protocol,
      status,
      bytes: wholeOf(values.bytes),
      referrer: textOf(values.referrer),
      userAgent: textOf(values.agent),
      durationMs: durationOf(values),
    },
    combined: null,
  };
}

/** Three digits, or 0 where the visitor was gone before there was one. */
function isStatus(status: number): boolean {
  return status === 0 || (Number.isInteger(status) && status >= 100 && status <= 999);
}

/** What a log writes where it has nothing is null. A list, as Caddy has for headers, gives its first. */
function textOf(value: unknown): string | null {
  const first: unknown = typeof value === 'object' && Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number') return String(first);
  if (typeof first !== 'string' || first === '' || first === '-') return null;
  // Half a pair, as JSON can have it, is no UTF-8.
  return /[\ud800-\udfff]/.test(first) ? first.replaceAll(/\p{Surrogate}/gu, '\ufffd') : first;
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const text = textOf(value);
  if (text === null || !numberShape.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

function wholeOf(value: unknown): number | null {
  const number = numberOf(value);
  return number === null || number < 0 || number > mostCounted ? null : Math.round(number);
}

function requestOf(values: LogValues) {
  const whole = textOf(values.request);
  if (whole !== null && textOf(values.path) === null) {
    const { method, path, protocol } = readRequest(whole);
    return { method, path, protocol };
  }
  const path = textOf(values.path);
  if (path === null) return null;
  const query = textOf(values.query);
  const method = (textOf(values.method) ?? 'GET').toUpperCase();
  const joined = query === null || path.includes('?') ? path : `${path}?${query.replace(/^\?/, '')}`;
  return {
    method: /^[A-Z]+$/.test(method) ? method : '-',
    path: withoutOrigin(joined),
    protocol: protocolOf(textOf(values.protocol)),
  };
}

function hostOfUrl(path: string | null): string | null {
  return (path?.startsWith('/') ? null : path?.match(/^https?:\/\/([^/?#]*)/i)?.[1]) ?? null;
}

/** Some log the whole address of a page. */
function withoutOrigin(path: string): string {
  if (path.startsWith('/')) return path;
  const rest = path.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') || rest === path ? rest : `/${rest}`;
}

/** Cloudflare and nginx say `HTTP/1.1`, some only `1.1` or `h2`. */
function protocolOf(text: string | null): string {
  if (text === null || text === 'HTTP/1.1') return 'HTTP/1.1';
  const version = /^(?:HTTP\/|h)?(\d(?:\.\d)?)$/i.exec(text)?.[1];
  if (version === undefined) return 'HTTP/1.1';
  return `HTTP/${version.length === 1 ? `${version}.0` : version}`;
}

/** Traefik and Envoy write the port as well, a list of proxies begins with the visitor. */
function addressOf(text: string | null): string | null {
  if (text === null || isIP(text) !== 0) return text;
  const first = text.split(',')[0]?.trim() ?? '';
  const bare = /^\[(.*)\](?::\d+)?$/.exec(first)?.[1] ?? first.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

function durationOf(values: LogValues): number | null {
  return (
    inMs(values.ms, 1) ??
    inMs(values.seconds, 1_000) ??
    inMs(values.us, 1 / 1_000) ??
    inMs(values.ns, 1 / 1_000_000)
  );
}

/** To the microsecond: 0.07 s times 1,000 is not 70 in binary. */
function inMs(value: unknown, factor: number): number | null {
  const number = value === undefined ? null : numberOf(value);
  if (number === null || number < 0 || number * factor > mostCounted) return null;
  return Math.round(number * factor * 1_000) / 1_000;
}
