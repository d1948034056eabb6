// Reads and writes lines of nginx and Apache: combined, with a host before it (vhost), or common, which has no user agent.
// By places of blanks and quotes and not by one expression: a user has 10 GB of it.

import { isIP } from 'node:net';
import { type LineReading, type LogEvent, type LogReader, nothing, unreadable } from './log-event.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const minuteMs = 60_000;

/** `10/Oct/2000:13:55:36 -0700` */
const shape = /^(\d{2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;

export interface ZonedTime {
  readonly at: Date;
  readonly zoneMinutes: number;
}

/** Reads such times. Lines of a log come second by second, so the last one is remembered. */
function createCombinedTimeReader(): (text: string) => ZonedTime | null {
  let lastText = '';
  let last: ZonedTime | null = null;
  return (text) => {
    if (text === lastText) return last;
    last = readCombinedTime(text);
    // A copy: a piece of a line holds the whole block in memory.
    lastText = Buffer.from(text).toString();
    return last;
  };
}

export function readCombinedTime(text: string): ZonedTime | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, day, monthName = '', year, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const month = months.indexOf(monthName);
  const zone = Number(zoneHour) * 60 + Number(zoneMinute);
  const zoneMinutes = sign === '-' && zone > 0 ? -zone : zone;
  if (month === -1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || zone > 15 * 60)
    return null;
  const wallMs = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  // 31/Feb is another day to Date, and no day to us.
  if (new Date(Date.UTC(Number(year), month, Number(day))).getUTCDate() !== Number(day)) return null;
  return { at: new Date(wallMs - zoneMinutes * minuteMs), zoneMinutes };
}

export function writeCombinedTime(at: Date, zoneMinutes: number): string {
  const wall = new Date(at.getTime() + zoneMinutes * minuteMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = Math.abs(zoneMinutes);
  const day = `${two(wall.getUTCDate())}/${months[wall.getUTCMonth()]}/${String(wall.getUTCFullYear()).padStart(4, '0')}`;
  const time = `${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
  return `${day}:${time} ${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(zone / 60))}${two(zone % 60)}`;
}

const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** A value in quotes, as Apache and nginx write it: `\"`, `\\`, `\t`. Bytes that come as `\xC3\xB1` are UTF-8. */
export function unescapeQuoted(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/(?:\\x[0-9A-Fa-f]{2})+|\\(.)/gs, (all: string, letter: string | undefined) => {
    if (letter === undefined) return Buffer.from(all.replaceAll('\\x', ''), 'hex').toString('utf8');
    return named[letter] ?? letter;
  });
}

/** The same, to be written between quotes on one line. */
function escapeQuoted(text: string): string {
  if (!/[^ !#-[\]-~]/.test(text)) return text;
  return text.replaceAll(/["\\\p{Cc}\u2028\u2029]/gu, (letter) => {
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return [...Buffer.from(letter)]
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join('');
  });
}

const value = String.raw`(?:[^"\\\p{Cc}\u2028\u2029]|\\[!-~])*`;
const sendable = new RegExp(
  String.raw`^[!-~]+ - - \[[!-\\^-~ ]+\] "[A-Z]+ (?:[^"\\\s\p{Cc}]|\\[!-~])+ HTTP/\d(?:\.\d)?" \d{3} (?:\d{1,15}|-) "${value}" "${value}"$`,
  'u',
);

/** Whether a line of a log can go out as it is: no user of the site is named in it, and nothing breaks the line. */
export function isSendable(combined: string): boolean {
  return sendable.test(combined);
}

/** An event as a line, without its end: what the API takes, whatever the log looked like. User names are never in it. */
export function writeCombined(event: LogEvent): string {
  const time = writeCombinedTime(event.at, event.zoneMinutes);
  const request = `${event.method} ${noBlanks(event.path)} ${event.protocol}`;
  return `${addressOf(event.ip)} - - [${time}] "${escapeQuoted(request)}" ${statusOf(event.status)} ${event.bytes ?? '-'} "${quotedOr(event.referrer)}" "${quotedOr(event.userAgent)}"`;
}

/** 0 is written as servers do. */
function statusOf(status: number): string {
  return String(status).padStart(3, '0');
}

/** An address stands before the first blank of the line, so it has none. */
function addressOf(ip: string | null): string {
  return ip === null || !/^[!-~]+$/.test(ip) ? '-' : ip;
}

/** A blank would end the path. */
function noBlanks(path: string): string {
  return path.replaceAll(/\s/g, (blank) => encodeURIComponent(blank));
}

function quotedOr(text: string | null): string {
  return text === null || text === '' ? '-' : escapeQuoted(text);
}

export type CombinedShape = 'combined' | 'vhost' | 'common';

const digits = /^\d+$/;
const threeDigits = /^\d{3}$/;
const methodShape = /^[A-Z]+$/;
const protocolShape = /^HTTP\/\d(?:\.\d)?$/;

export function combinedReader(shape: CombinedShape): LogReader {
  const timeOf = createCombinedTimeReader();
  return { read: (line) => readLine(line, shape, timeOf) };
}

function readLine(
  line: string,
  shape: CombinedShape,
  timeOf: ReturnType<typeof createCombinedTimeReader>,
): LineReading {
  if (line === '' || line.trim() === '') return nothing;
  const start = shape === 'vhost' ? line.indexOf(' ') + 1 : 0;
  const ipEnd = line.indexOf(' ', start);
  const timeStart = line.indexOf(' [', ipEnd) + 2;
  const timeEnd = line.indexOf('] "', timeStart);
  if (ipEnd <= start || timeStart === 1 || timeEnd === -1)
    return unreadable('no address and [time] at the head');
  if (!hasPlace(line, shape, start, ipEnd)) return unreadable('another number of values before the [time]');
  const time = timeOf(line.slice(timeStart, timeEnd));
  if (time === null) return unreadable('the [time] is none');

  const requestStart = timeEnd + 3;
  const requestEnd = endOfQuoted(line, requestStart);
  if (requestEnd === -1) return unreadable('the quoted request has no end');
  const status = line.slice(requestEnd + 2, requestEnd + 5);
  const sizeStart = requestEnd + 6;
  const sizeEnd = endOfWord(line, sizeStart);
  const size = line.slice(sizeStart, sizeEnd);
  if (!threeDigits.test(status) || line[requestEnd + 1] !== ' ' || line[requestEnd + 5] !== ' ')
    return unreadable('no status after the request');
  if (size !== '-' && !digits.test(size)) return unreadable('no size after the status');

  // Some lines of a combined log end here, as where a server has two formats.
  const isCommon = shape === 'common' || sizeEnd === line.length;
  const agents = isCommon ? noAgents(sizeEnd) : readAgents(line, sizeEnd);
  if (agents === null) return unreadable('no quoted referrer and user agent after the size');
  const request = readRequest(line.slice(requestStart, requestEnd));
  return {
    kind: 'event',
    event: {
      at: time.at,
      zoneMinutes: time.zoneMinutes,
      host: shape === 'vhost' ? line.slice(0, start - 1) : null,
      ip: textOrNull(line.slice(start, ipEnd)),
      method: request.method,
      path: request.path,
      protocol: request.protocol,
      status: Number(status),
      bytes: size === '-' ? null : sizeOf(size),
      referrer: agents.referrer,
      userAgent: agents.userAgent,
      durationMs: null,
    },
    combined: isCommon ? null : line.slice(start, agents.end),
  };
}

/** In vhost an address is second, in the others it is not. */
function hasPlace(line: string, shape: CombinedShape, start: number, ipEnd: number): boolean {
  if (shape === 'vhost') return isIP(line.slice(start, ipEnd)) !== 0;
  if (line.startsWith(' - ', ipEnd)) return true;
  return isIP(line.slice(ipEnd + 1, endOfWord(line, ipEnd + 1))) === 0;
}

interface Agents {
  readonly referrer: string | null;
  readonly userAgent: string | null;
  readonly end: number;
}

function noAgents(end: number): Agents {
  return { referrer: null, userAgent: null, end };
}

/** What follows them, such as forwarded addresses, is nobody's business. */
function readAgents(line: string, from: number): Agents | null {
  // Traefik of old has no quotes where there is no referrer.
  const isBare = line.startsWith(' - "', from);
  if (!isBare && !line.startsWith(' "', from)) return null;
  const referrerEnd = isBare ? from + 2 : endOfQuoted(line, from + 2);
  if (referrerEnd === -1 || !(isBare || line.startsWith('" "', referrerEnd))) return null;
  const agentStart = isBare ? from + 4 : referrerEnd + 3;
  let agentEnd = endOfQuoted(line, agentStart);
  if (agentEnd === -1) return null;
  // Servers that escape nothing write quotes into the agent.
  const isClosed = agentEnd + 1 === line.length || line[agentEnd + 1] === ' ';
  if (!isClosed) agentEnd = line.lastIndexOf('"');
  return {
    referrer: isBare ? null : textOrNull(line.slice(from + 2, referrerEnd)),
    userAgent: textOrNull(line.slice(agentStart, agentEnd)),
    end: agentEnd + 1,
  };
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
}

/** `GET /path HTTP/1.1`. What is none, such as TLS sent to a port without it, has the method `-`. */
export function readRequest(text: string): Request {
  const first = text.indexOf(' ');
  const method = text.slice(0, first);
  if (first === -1 || !methodShape.test(method)) {
    return { method: '-', path: unescapeQuoted(text), protocol: 'HTTP/1.1' };
  }
  const last = text.lastIndexOf(' ');
  const hasProtocol = last > first && protocolShape.test(text.slice(last + 1));
  const path = text.slice(first + 1, hasProtocol ? last : undefined);
  if (path === '') return { method: '-', path: text, protocol: 'HTTP/1.1' };
  return {
    method,
    path: unescapeQuoted(path),
    protocol: hasProtocol ? text.slice(last + 1) : 'HTTP/1.1',
  };
}

function sizeOf(text: string): number | null {
  return text.length > 15 ? null : Number(text);
}

function textOrNull(text: string): string | null {
  return text === '-' || text === '' ? null : unescapeQuoted(text);
}

/** The closing quote: one that no backslash escapes. */
function endOfQuoted(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (end - backslashes > from && line.charCodeAt(end - backslashes - 1) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

function endOfWord(line: string, from: number): number {
  const end = line.indexOf(' ', from);
  return end === -1 ? line.length : end;
}
