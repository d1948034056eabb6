// Takes the lines of a log in order and yields what is to be uploaded, chunk by chunk. Every line ends in a count.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { ConfigError } from '../../core/errors.ts';
import { dayMs } from '../../core/run-date.ts';
import type { FindBot } from './bots.ts';
import { isSendable, writeCombined } from './combined.ts';
import {
  type BodyLimits,
  bodyLimits,
  buildChunk,
  ChunkBody,
  type ChunkForm,
  type LineCounts,
  type LogChunk,
  noLines,
  type RejectedLine,
  type SentLine,
} from './log-chunk.ts';
import type { FoundFormat, LineReading, LogEvent, LogReader } from './log-event.ts';
import { maxLineBytes, type RawLine } from './split-lines.ts';

/** Null where it is no address: a name or a typing error may say who it is. */
export function anonymizeIp(ip: string | null): string | null {
  if (ip === null) return null;
  if (isIPv4(ip)) return withoutHost(ip);
  const address = ip.replace(/%.*$/s, '');
  if (!isIPv6(address)) return null;
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const groups = groupsOf(embedded === null ? address : `${embedded[1]}${inHex(embedded[2] ?? '')}`);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `::ffff:${withoutHost(inDecimal(groups[6] ?? 0, groups[7] ?? 0))}`;
  const network = groups.slice(0, 3).map((group) => group.toString(16));
  return `${network.join(':').replace(/(?:^|:)0(?::0)*$/, '')}::`;
}

function withoutHost(ip: string): string {
  return ip.replace(/\d+$/, '0');
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function inHex(ip: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function inDecimal(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** An event in the API's own names (api.md, "Write routes"). */
interface JsonEvent {
  readonly fecha: string;
  readonly ua?: string;
  readonly ruta: string;
  readonly estado: number;
  readonly ms?: number;
  readonly ip?: string;
}

/** `fecha` is ISO 8601 in the zone of the log. What the log doesn't have is left out. */
function writeJsonEvent(event: LogEvent): JsonEvent {
  return {
    fecha: isoInZone(event.at, event.zoneMinutes),
    ...(event.userAgent === null ? {} : { ua: event.userAgent }),
    ruta: event.path,
    estado: event.status,
    ...(event.durationMs === null ? {} : { ms: event.durationMs }),
    ...(event.ip === null ? {} : { ip: event.ip }),
  };
}

function isoInZone(at: Date, zoneMinutes: number): string {
  const wall = new Date(at.getTime() + zoneMinutes * 60_000).toISOString();
  if (zoneMinutes === 0) return wall;
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = Math.abs(zoneMinutes);
  return `${wall.slice(0, -1)}${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(zone / 60))}:${two(zone % 60)}`;
}

/** So long does the service have logs (api.md, "Write routes"). */
const retentionMs = 90 * dayMs;

export interface ChunkOptions {
  readonly form: ChunkForm;
  readonly findBot: FindBot;
  /** Sends the lines of everybody, not of AI bots only. */
  readonly allAgents: boolean;
  readonly anonymizeIp: boolean;
  /** The same moment and the same bytes give the same chunks. */
  readonly nowMs: number;
  /**
   * What becomes of a last line without a line end: `leave` it where the file may still grow. The source of a pipe
   * may too: `take_readable` leaves what may be half of a line.
   */
  readonly lastLine: 'take' | 'take_readable' | 'leave';
  readonly onReject: (line: RejectedLine) => void;
  readonly limits?: BodyLimits | undefined;
}

type Counted = { -readonly [Key in keyof LineCounts]: LineCounts[Key] };

/** Refuses a log without user agents, where lines of bots look like any other. */
export function refuseWithoutAgents(format: FoundFormat, allAgents: boolean): void {
  if (format.hasAgents || allAgents) return;
  throw new ConfigError([
    `Expected a log with user agents, got format ${format.name} (${format.why}): without them the lines of AI bots cannot be found. Log in combined format, or send all lines with --all-agents.`,
  ]);
}

/** @param fromByte where the first line begins */
export async function* chunkLines(
  batches: AsyncIterable<readonly RawLine[]>,
  reader: LogReader,
  options: ChunkOptions,
  fromByte = 0,
): AsyncGenerator<LogChunk> {
  const body = new ChunkBody(options.form, options.limits ?? bodyLimits[options.form]);
  const chunker = new Chunker(body, options, fromByte);
  try {
    for await (const lines of batches) {
      for (const line of lines) {
        if (!line.ended && options.lastLine === 'leave') continue;
        const reading = line.tooLong ? tooLong : reader.read(line.text);
        if (!line.ended && options.lastLine === 'take_readable' && reading.kind === 'unreadable') continue;
        const full = chunker.take(line, reading);
        if (full !== null) yield full;
      }
    }
  } catch (error) {
    // A log that ends in damage: what came before is worth its upload.
    const before = chunker.end();
    if (before !== null) yield before;
    throw error;
  }
  const last = chunker.end();
  if (last !== null) yield last;
}

const tooLong: LineReading = { kind: 'unreadable', why: `longer than ${maxLineBytes} bytes` };
const noRequest = 'no request in the line';
const tooLarge = 'larger than an upload';

class Chunker {
  readonly #body: ChunkBody;
  readonly #options: ChunkOptions;
  readonly #oldestMs: number;
  readonly #dayOf = createDayOf();
  readonly #hostOf = createHostOf();
  #fromByte: number;
  #toByte: number;
  #counts: Counted = { ...noLines };
  #sent: SentLine[] = [];
  #number = 0;

  constructor(body: ChunkBody, options: ChunkOptions, fromByte: number) {
    this.#body = body;
    this.#options = options;
    this.#oldestMs = options.nowMs - retentionMs;
    this.#fromByte = fromByte;
    this.#toByte = fromByte;
  }

  /** Gives the chunk before this line, where the line does not fit into it. */
  take(line: RawLine, reading: LineReading): LogChunk | null {
    this.#number += 1;
    const full = this.#sort(line, reading);
    this.#counts.read += 1;
    this.#toByte = line.toByte;
    return full;
  }

  /** What is left; null where no line came since the last chunk. */
  end(): LogChunk | null {
    return this.#counts.read === 0 ? null : this.#cut(this.#toByte);
  }

  #sort(line: RawLine, reading: LineReading): LogChunk | null {
    if (reading.kind === 'nothing') {
      this.#counts.nothing += 1;
      return null;
    }
    if (reading.kind === 'unreadable') return this.#reject(line, reading.why);
    const { event } = reading;
    const bot = this.#options.findBot(event.userAgent);
    if (bot === null && !this.#options.allAgents) {
      this.#counts.notBots += 1;
      return null;
    }
    if (event.at.getTime() < this.#oldestMs) {
      this.#counts.tooOld += 1;
      return null;
    }
    if (event.method === '-') return this.#reject(line, noRequest);
    return this.#send(line, event, textOf(event, reading.combined, this.#options), bot?.name ?? '');
  }

  #send(line: RawLine, event: LogEvent, text: string, bot: string): LogChunk | null {
    let place = this.#body.add(text);
    let full: LogChunk | null = null;
    if (place === null) {
      full = this.#sent.length === 0 ? null : this.#cut(line.fromByte);
      place = this.#body.add(text);
    }
    if (place === null) {
      this.#reject(line, tooLarge);
      return full;
    }
    const atMs = event.at.getTime();
    const day = this.#dayOf(atMs, event.zoneMinutes);
    const before = { ...this.#counts };
    const { fromByte } = line;
    const host = this.#hostOf(event.host);
    this.#sent.push({ fromByte, ...place, host, bot, status: event.status, day, atMs, before });
    this.#counts.sent += 1;
    return full;
  }

  #reject(line: RawLine, why: string): null {
    this.#counts.unreadable += 1;
    this.#options.onReject({ number: this.#number, fromByte: line.fromByte, why, text: line.text });
    return null;
  }

  #cut(toByte: number): LogChunk {
    const { form } = this.#options;
    const chunk = { form, fromByte: this.#fromByte, toByte, body: this.#body.take() };
    const built = buildChunk({ ...chunk, sent: this.#sent, counts: this.#counts });
    this.#fromByte = toByte;
    this.#sent = [];
    this.#counts = { ...noLines };
    return built;
  }
}

function textOf(event: LogEvent, combined: string | null, options: ChunkOptions): string {
  const sent = options.anonymizeIp ? { ...event, ip: anonymizeIp(event.ip) } : event;
  if (options.form === 'json') return JSON.stringify(writeJsonEvent(sent));
  const asItIs = combined !== null && !options.anonymizeIp && isSendable(combined);
  return asItIs ? combined : writeCombined(sent);
}

/**
 * Without its port, '' where it is no name: an address, or what a scanner makes up. A log has few of them, so the last one is
 * remembered.
 */
function createHostOf(): (text: string | null) => string {
  let lastText: string | null = null;
  let last = '';
  return (text) => {
    if (text === lastText) return last;
    // A copy: a piece of a line holds the whole block in memory.
    lastText = text === null ? null : Buffer.from(text).toString();
    const host = (lastText ?? '').toLowerCase().replace(/\.?(?::\d+)?$/, '');
    last = hostShape.test(host) && isIP(host) === 0 ? host : '';
    return last;
  };
}

const hostShape = /^(?=.{1,253}$)(?=.*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Lines come day by day, so the last one is remembered. */
function createDayOf(): (atMs: number, zoneMinutes: number) => string {
  let lastDay = Number.NaN;
  let last = '';
  return (atMs, zoneMinutes) => {
    const day = Math.floor((atMs + zoneMinutes * 60_000) / dayMs);
    if (day !== lastDay) [lastDay, last] = [day, new Date(day * dayMs).toISOString().slice(0, 10)];
    return last;
  };
}
