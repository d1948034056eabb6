// Reads a line of a log: combined, JSON, or a row of CSV. Only values named here may be sent.
import { isIP } from 'node:net';
import { anonymizeAddress, firstAddress, hostOf, readCombinedTime, readTime } from './line-values.ts';

export type LogForm = 'combined' | 'json' | 'csv';

export interface LineOptions {
  readonly anonymizeIp: boolean;
  readonly stripPrefix: RegExp | undefined;
  readonly csv: CsvHeader | undefined;
}

type LineReading =
  | { readonly kind: 'blank' }
  /** `names`: JSON fields that were seen in place of a user agent. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly names?: readonly string[] }
  /** A request with its user agent; the rest is read only if that is a crawler's. */
  | { readonly kind: 'request'; readonly agent: string; readonly read: () => Request };

export type Request =
  | { readonly kind: 'unreadable'; readonly why: string }
  /** A request without the client's address; `got` stands in its place. */
  | { readonly kind: 'no address'; readonly got: string }
  | {
      readonly kind: 'fine';
      readonly form: LogForm;
      /** The line of a text upload, or the event of a JSON one. */
      readonly text: string;
      /** Milliseconds since the epoch; undefined for a CSV without a time. */
      readonly atMs: number | undefined;
      /** 0 if the log has none. */
      readonly status: number;
      readonly host: string;
    };

const unreadable = (why: string) => ({ kind: 'unreadable', why }) as const;

export function readLine(line: string, { anonymizeIp, stripPrefix, csv }: LineOptions): LineReading {
  const text = stripPrefix === undefined ? line : line.replace(stripPrefix, '');
  if (text.trim() === '') return { kind: 'blank' };
  if (csv !== undefined) return readRow(text, csv, anonymizeIp);
  return text.startsWith('{') ? readJson(text, anonymizeIp) : readCombined(text, anonymizeIp);
}

function sentAddress(got: string, anonymizeIp: boolean): string | undefined {
  const address = firstAddress(got);
  return address !== undefined && anonymizeIp ? anonymizeAddress(address) : address;
}

/** Escapes characters that would break the line for its reader, as servers do. */
function onOneLine(text: string): string {
  if (!/[\p{Cc}\u2028\u2029]/u.test(text)) return text;
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  );
}

function readCombined(line: string, anonymizeIp: boolean): LineReading {
  let addressEnd = line.indexOf(' ');
  while (addressEnd > 0 && line[addressEnd - 1] === ',') addressEnd = line.indexOf(' ', addressEnd + 1);
  const timeStart = line.indexOf(' [', addressEnd);
  const timeEnd = line.indexOf('] "', timeStart);
  if (addressEnd === -1 || timeStart === -1 || timeEnd === -1) return unreadable('no user agent');
  const requestEnd = endOfQuoted(line, timeEnd + 3);
  if (requestEnd === -1) return unreadable('no user agent');
  const [answer = '', status] = /^" (\d{3}) (?:\d+|-) /.exec(line.slice(requestEnd, requestEnd + 40)) ?? [];
  const agent = agentAfter(line, requestEnd + answer.length);
  if (agent === undefined) return unreadable('no user agent');
  return {
    kind: 'request',
    agent: agent.text,
    read: () => {
      const atMs = readCombinedTime(line.slice(timeStart + 2, timeEnd));
      if (atMs === undefined) return unreadable('no valid time in [ ]');
      if (!/^[A-Z]+ \S/.test(line.slice(timeEnd + 3, requestEnd))) return unreadable('no request');
      const got = line.slice(0, addressEnd);
      const address = sentAddress(got, anonymizeIp);
      const second = line.slice(addressEnd + 1, line.indexOf(' ', addressEnd + 1));
      if (address === undefined || isIP(second) !== 0)
        return { kind: 'no address', got: line.slice(0, timeStart) };
      // Neither the user name nor anything after the user agent is sent.
      const text = onOneLine(`${address} - - ${line.slice(timeStart + 1, agent.end)}`);
      return { kind: 'fine', form: 'combined', text, atMs, status: Number(status), host: '' };
    },
  };
}

/** Returns the second of two quoted values. */
function agentAfter(line: string, from: number): { readonly text: string; readonly end: number } | undefined {
  // Traefik writes a missing referrer without quotes.
  const referrerEnd = line.startsWith('- "', from)
    ? from
    : line[from] === '"'
      ? endOfQuoted(line, from + 1)
      : -1;
  if (referrerEnd === -1 || !line.startsWith(' "', referrerEnd + 1)) return undefined;
  const start = referrerEnd + 3;
  let end = endOfQuoted(line, start);
  // Servers that escape nothing leave quotes in the agent.
  if (end !== -1 && end + 1 !== line.length && line[end + 1] !== ' ') end = line.lastIndexOf('"');
  return end === -1 ? undefined : { text: line.slice(start, end), end: end + 1 };
}

function endOfQuoted(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (end - backslashes > from && line.charCodeAt(end - backslashes - 1) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/**
 * Field names of Caddy, nginx, Traefik, Cloudflare and the service's reference; the first that a line has counts. A dot
 * leads into an object.
 */
const names = {
  agent: [
    'http_user_agent',
    'request.headers.User-Agent',
    'request_User-Agent',
    'request_user-agent',
    'ClientRequestUserAgent',
    'user_agent',
    'userAgent',
    'useragent',
    'agent',
    'ua',
  ],
  address: [
    'remote_addr',
    'request.client_ip',
    'request.remote_ip',
    'ClientHost',
    'ClientAddr',
    'ClientIP',
    'client_ip',
    'remote_ip',
    'ip',
  ],
  time: [
    'time_iso8601',
    'time_local',
    'msec',
    'ts',
    'StartUTC',
    'EdgeStartTimestamp',
    '@timestamp',
    'timestamp',
    'time',
    'date',
    'fecha',
  ],
  path: [
    'request_uri',
    'request.uri',
    'RequestPath',
    'ClientRequestURI',
    'uri',
    'path',
    'url',
    'ruta',
    'request',
  ],
  status: ['status', 'DownstreamStatus', 'EdgeResponseStatus', 'status_code', 'estado'],
  host: ['http_host', 'request.host', 'RequestHost', 'ClientRequestHost', 'host', 'server_name'],
  seconds: ['request_time', 'duration'],
  ms: ['EdgeTimeToFirstByteMs', 'duration_ms', 'ms'],
  ns: ['Duration'],
} as const;

type Meaning = keyof typeof names;

const paths = new Map<string, readonly string[]>(
  Object.values(names).flatMap((list) => list.map((name) => [name, name.split('.')] as const)),
);

function fieldOf(event: object, meaning: Meaning): unknown {
  for (const name of names[meaning]) {
    let value: unknown = event;
    for (const key of paths.get(name) ?? []) {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
    }
    // Caddy has lists for headers, and an object where nginx has the request line.
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (first !== undefined && first !== null && typeof first !== 'object' && first !== '') return first;
  }
  return undefined;
}

function textOf(event: object, meaning: Meaning): string | undefined {
  const value = fieldOf(event, meaning);
  return value === undefined ? undefined : String(value).replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

const mostNames = 40;

function readJson(line: string, anonymizeIp: boolean): LineReading {
  const event = parsed(line);
  if (event === undefined) return unreadable('no JSON');
  const agent = textOf(event, 'agent');
  if (agent === undefined)
    return { ...unreadable('no user agent'), names: Object.keys(event).slice(0, mostNames) };
  return { kind: 'request', agent, read: () => readEvent(event, agent, anonymizeIp) };
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the six fields of the reference (api.md, "Write routes") and nothing else: no header, cookie, user or query
 * string.
 */
function readEvent(event: object, ua: string, anonymizeIp: boolean): Request {
  const atMs = readTime(fieldOf(event, 'time'));
  if (atMs === undefined) return unreadable('no time');
  const estado = Number(fieldOf(event, 'status') ?? Number.NaN);
  if (!Number.isInteger(estado)) return unreadable('no status');
  const path = textOf(event, 'path');
  const ruta = path === undefined ? undefined : barePath(path);
  if (ruta === undefined) return unreadable('no path');
  const got = textOf(event, 'address') ?? '';
  const ip = sentAddress(got, anonymizeIp);
  if (ip === undefined) return { kind: 'no address', got };
  const ms = durationOf(event);
  const sent = { fecha: new Date(atMs).toISOString(), ua, ruta, estado, ...(ms !== undefined && { ms }), ip };
  const host = hostOf(textOf(event, 'host') ?? '');
  return { kind: 'fine', form: 'json', text: JSON.stringify(sent), atMs, status: estado, host };
}

/** Takes the path from `GET /path?query HTTP/1.1`, or from a whole URL. */
function barePath(text: string): string | undefined {
  const path = /^[A-Z]+ (\S+)/.exec(text)?.[1] ?? text;
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(path)?.[1] || (/^https?:/i.test(path) ? '/' : undefined);
}

function durationOf(event: object): number | undefined {
  for (const [meaning, ms] of [
    ['ms', 1],
    ['seconds', 1_000],
    ['ns', 1e-6],
  ] as const) {
    const value = Number(fieldOf(event, meaning) ?? Number.NaN);
    // Rounded to the microsecond: 0.07 s times 1,000 is not 70 in binary.
    if (Number.isFinite(value) && value >= 0) return Math.round(value * ms * 1_000) / 1_000;
  }
  return undefined;
}

export interface CsvHeader {
  /** The header line; every upload begins with it. */
  readonly text: string;
  readonly delimiter: string;
  readonly columns: Readonly<Partial<Record<Meaning, number>>>;
  readonly names: readonly string[];
}

/** Parses a CSV header; undefined if the line has no known column. */
export function readCsvHeader(line: string): CsvHeader | undefined {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const counted = [',', ';', '\t'].map((one) => ({ one, times: bare.split(one).length - 1 }));
  const { one: delimiter, times } = counted.reduce((best, next) => (next.times > best.times ? next : best));
  const cells = cellsOf(line, delimiter)?.map(({ from, to }) => line.slice(from, to).trim());
  if (times < 1 || cells === undefined) return undefined;
  if (!cells.every((cell) => /^[\p{L}_@#$][\p{L}\p{N} _.@#$()/-]*$/u.test(cell))) return undefined;
  const columns = Object.entries(names).flatMap(([meaning, list]) => {
    const wanted: readonly string[] = list.map(folded);
    const index = cells.findIndex((cell) => wanted.includes(folded(cell)));
    return index === -1 ? [] : [[meaning, index] as const];
  });
  return columns.length === 0
    ? undefined
    : { text: line, delimiter, columns: Object.fromEntries(columns), names: cells };
}

function folded(name: string): string {
  return name
    .replace(/^.*\./, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

interface Cell {
  readonly from: number;
  readonly to: number;
}

/** Splits a row and unquotes its cells; undefined if the row goes on in the next line, within quotes. */
function cellsOf(line: string, delimiter: string): Cell[] | undefined {
  const cells: Cell[] = [];
  for (let from = 0; from <= line.length; ) {
    let end: number;
    if (line[from] === '"') {
      end = line.indexOf('"', from + 1);
      while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
      if (end === -1) return undefined;
      cells.push({ from: from + 1, to: end });
      end = line.indexOf(delimiter, end);
    } else {
      end = line.indexOf(delimiter, from);
      cells.push({ from, to: end === -1 ? line.length : end });
    }
    if (end === -1) break;
    from = end + 1;
  }
  return cells;
}

function readRow(
  line: string,
  { text: header, delimiter, columns }: CsvHeader,
  anonymizeIp: boolean,
): LineReading {
  if (line === header) return { kind: 'blank' };
  const cells = cellsOf(line, delimiter);
  if (cells === undefined) return unreadable('a quote that is not closed');
  const cellOf = (meaning: Meaning) => cells[columns[meaning] ?? -1];
  const valueIn = (meaning: Meaning) => {
    const cell = cellOf(meaning);
    return cell === undefined ? '' : line.slice(cell.from, cell.to).trim();
  };
  const agent = valueIn('agent');
  const cell = cellOf('address');
  if (agent === '' || cell === undefined) return unreadable('no user agent and address');
  return {
    kind: 'request',
    agent,
    read: () => {
      const atMs = readTime(valueIn('time'));
      if (atMs === undefined && columns.time !== undefined) return unreadable('no time');
      const got = valueIn('address');
      const address = sentAddress(got, anonymizeIp);
      if (address === undefined) return { kind: 'no address', got };
      const text = onOneLine(`${line.slice(0, cell.from)}${address}${line.slice(cell.to)}`);
      const status = Number(valueIn('status'));
      return {
        ...{ kind: 'fine', form: 'csv', text, atMs, host: hostOf(valueIn('host')) },
        status: Number.isInteger(status) ? status : 0,
      };
    },
  };
}
