// Takes the lines of a log in order and yields uploads chunk by chunk. Every line ends up in a count.
import { createHash } from 'node:crypto';
import { dayMs } from '../../core/run-date.ts';
import { type LineCounts, type LogRange, noCounts, type VisitTally } from '../store/log-ranges.ts';
import { findCrawler } from './find-crawler.ts';
import { type Line, type LineBatch, splitLines } from './lines.ts';
import { LogError, type OpenLog, tailBefore } from './open-log.ts';
import { type LineOptions, type LogForm, type Request, readLine } from './read-line.ts';

/** The service keeps logs for 90 days (api.md, "Write routes"). */
const retentionMs = 90 * dayMs;

/** api.md, "Write routes". */
const mostBytes = { json: 1_000_000, text: 5_000_000 } as const;
const mostEvents = 5_000;

/** Clients choose the host they ask for, so anyone could invent any number of them. */
const mostHosts = 100;

export interface Chunk extends LogRange {
  readonly form: LogForm;
  readonly body: Buffer;
}

export interface LeftLine {
  readonly fromByte: number;
  readonly why: 'no_address' | 'unreadable';
  /** Stands in place of the address, or says why the line cannot be read. */
  readonly told: string;
  /** JSON fields that were seen in place of a user agent. */
  readonly names: readonly string[];
}

export interface ChunkOptions extends LineOptions {
  /** Lines too old at this moment are not sent, so the same moment gives the same chunks. */
  readonly at: Date;
  readonly onLeft: (line: LeftLine) => void;
  readonly signal: AbortSignal;
}

/**
 * Yields chunks, without an unfinished last line. If reading breaks off, yields what came before, then throws.
 * @throws LogError
 */
export async function* chunkLog(
  log: OpenLog,
  range: { readonly fromByte: number; readonly toByte?: number },
  options: ChunkOptions,
): AsyncGenerator<Chunk> {
  const before = (await tailBefore(log, range.fromByte)) ?? Buffer.alloc(0);
  const chunker = new Chunker(range.fromByte, before, options);
  try {
    const blocks = log.read(range.fromByte, range.toByte);
    for await (const batch of splitLines(blocks, range.fromByte, before)) {
      options.signal.throwIfAborted();
      for (const line of batch.lines) {
        const full = chunker.take(line, batch);
        if (full !== undefined) yield full;
      }
      chunker.endBatch(batch);
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const last = chunker.end();
    if (last !== undefined) yield last;
    throw error;
  }
  const last = chunker.end();
  if (last !== undefined) yield last;
}

type Left = Exclude<keyof LineCounts, 'read' | 'sent'>;
type Sent = Extract<Request, { kind: 'fine' }> & { readonly bot: string };

class Chunker {
  readonly #options: ChunkOptions;
  #fromByte: number;
  #toByte: number;
  #tail: Buffer;
  #counts: { -readonly [Name in keyof LineCounts]: number } = { ...noCounts };
  #form: LogForm = 'combined';
  #texts: string[] = [];
  #bytes = 0;
  #hosts = new Set<string>();
  #visits = new Map<string, VisitTally & { visits: number }>();

  constructor(fromByte: number, before: Buffer, options: ChunkOptions) {
    this.#options = options;
    this.#fromByte = fromByte;
    this.#toByte = fromByte;
    this.#tail = before;
  }

  /** Takes a line; returns the finished chunk if the line does not fit into it. */
  take(line: Line, batch: LineBatch): Chunk | undefined {
    const sorted = this.#sort(line);
    const isFull = typeof sorted !== 'string' && !this.#fits(sorted);
    if (isFull && line !== batch.lines[0]) this.#tail = batch.tailAt(line.fromByte);
    const full = isFull ? this.#cut() : undefined;
    if (sorted !== 'holes') this.#counts.read += 1;
    if (typeof sorted === 'string') this.#counts[sorted] += 1;
    else this.#add(sorted);
    this.#toByte = line.toByte;
    return full;
  }

  endBatch(batch: LineBatch): void {
    this.#tail = batch.tailAt(this.#toByte);
  }

  /** Returns the last chunk; undefined if no line came since the one before. */
  end(): Chunk | undefined {
    return this.#toByte === this.#fromByte ? undefined : this.#cut();
  }

  #sort({ text, fromByte, skipped }: Line): Sent | Left {
    if (skipped !== undefined) return skipped === 'hole' ? 'holes' : 'too_long';
    const { onLeft, at } = this.#options;
    const reading = readLine(text, this.#options);
    if (reading.kind === 'blank') return 'blank';
    if (reading.kind === 'unreadable') {
      onLeft({ fromByte, why: 'unreadable', told: reading.why, names: reading.names ?? [] });
      return 'unreadable';
    }
    const bot = findCrawler(reading.agent);
    if (bot === undefined) return 'not_bots';
    const request = reading.read();
    if (request.kind === 'fine') {
      const isOld = request.atMs !== undefined && request.atMs < at.getTime() - retentionMs;
      return isOld ? 'too_old' : { ...request, bot };
    }
    const why = request.kind === 'no address' ? 'no_address' : 'unreadable';
    onLeft({ fromByte, why, told: request.kind === 'no address' ? request.got : request.why, names: [] });
    return why;
  }

  #fits({ form, text }: Sent): boolean {
    if (this.#texts.length === 0) return true;
    const most = form === 'json' ? mostBytes.json : mostBytes.text;
    const isRoom = this.#bytes + Buffer.byteLength(text) + 1 <= most;
    return this.#form === form && isRoom && (form !== 'json' || this.#texts.length < mostEvents);
  }

  #add({ form, text, host: named, bot, status, atMs }: Sent): void {
    if (this.#texts.length === 0) {
      this.#form = form;
      this.#bytes = Buffer.byteLength(frameOf(form, this.#options).join(''));
    }
    // Copied, because a slice of a line keeps the whole line in memory.
    this.#texts.push(Buffer.from(text).toString());
    this.#bytes += Buffer.byteLength(text) + 1;
    this.#counts.sent += 1;
    if (atMs === undefined) return;
    if (this.#hosts.size < mostHosts) this.#hosts.add(named);
    const host = this.#hosts.has(named) ? named : '';
    const day = new Date(atMs).toISOString().slice(0, 10);
    const key = `${day} ${status} ${host} ${bot}`;
    const tally = this.#visits.get(key);
    if (tally === undefined) this.#visits.set(key, { host, bot, day, status, visits: 1 });
    else tally.visits += 1;
  }

  #cut(): Chunk {
    const form = this.#form;
    const [head = '', between = '', end = ''] = frameOf(form, this.#options);
    const lines = this.#texts.length;
    const body = Buffer.from(lines === 0 ? '' : `${head}${this.#texts.join(between)}${end}`);
    const chunk = {
      ...{ form, body, lines, fromByte: this.#fromByte, toByte: this.#toByte, bodyBytes: body.length },
      tailHash: hashOf(this.#tail),
      counts: this.#counts,
      visits: [...this.#visits.values()],
    };
    this.#fromByte = this.#toByte;
    this.#counts = { ...noCounts };
    this.#texts = [];
    this.#hosts = new Set();
    this.#visits = new Map();
    return chunk;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the texts before, between and after the lines of a body. */
function frameOf(form: LogForm, { csv }: ChunkOptions): readonly string[] {
  if (form === 'json') return ['{"eventos":[', ',', ']}'];
  return [form === 'csv' ? `${csv?.text ?? ''}\n` : '', '\n', '\n'];
}
