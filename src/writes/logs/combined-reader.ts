// Lines of nginx and Apache: combined, with a host before it (vhost), or common, which has no user agent.
// By places of blanks and quotes and not by one expression: a user has 10 GB of it.
import { isIP } from 'node:net';
import { createCombinedTimeReader } from './combined-time.ts';
import { unescapeQuoted } from './escapes.ts';
import { type LineReading, type LogReader, nothing, unreadable } from './log-event.ts';

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
