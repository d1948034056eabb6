// What goes into one upload: its body, and what is known of it without reading it again.
import { createHash } from 'node:crypto';
import { dayMs } from '../../core/run-date.ts';
import type { VisitTally } from '../store/log-writes.ts';

export type ChunkForm = 'text' | 'json';

/** Lines by what became of them. `read` is the sum of the others. */
export interface LineCounts {
  readonly read: number;
  readonly sent: number;
  readonly unreadable: number;
  /** Older than the service has logs. */
  readonly tooOld: number;
  readonly notBots: number;
  /** Blank lines, comments, headers. */
  readonly nothing: number;
}

export interface LogChunk {
  readonly form: ChunkForm;
  /** Of the decompressed content, with the lines that were left out on the way and after the last one sent. */
  readonly fromByte: number;
  readonly toByte: number;
  /** Empty where no line is sent: then there is nothing to upload. */
  readonly body: Buffer;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
  /** Lines, or events, in the body. */
  readonly lines: number;
  readonly counts: LineCounts;
  /** Sent lines by bot; those of no bot are ''. */
  readonly byBot: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<number, number>;
  /** By day in the zone of the log, as 2026-04-03. */
  readonly byDay: ReadonlyMap<string, number>;
  readonly visits: readonly VisitTally[];
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** Where each line is, for `splitChunk`. */
  readonly sent: readonly SentLine[];
}

export interface SentLine {
  readonly fromByte: number;
  /** In the body, without what stands between it and the next. */
  readonly bodyFrom: number;
  readonly bodyTo: number;
  readonly host: string;
  readonly bot: string;
  readonly status: number;
  readonly day: string;
  readonly atMs: number;
  /** Counts of the chunk before this line. */
  readonly before: LineCounts;
}

/** A line that could not be read. It may hold addresses. */
export interface RejectedLine {
  /** From 1 at the byte where reading began. */
  readonly number: number;
  readonly fromByte: number;
  readonly why: string;
  /** Only the beginning of a line that is too long. */
  readonly text: string;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** docs/api.md, "Write routes". */
export const bodyLimits: Readonly<Record<ChunkForm, BodyLimits>> = {
  text: { maxBytes: 5_000_000, maxLines: Number.POSITIVE_INFINITY },
  json: { maxBytes: 1_000_000, maxLines: 5_000 },
};

interface Frame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

const frames: Readonly<Record<ChunkForm, Frame>> = {
  text: { head: '', between: '\n', tail: '\n' },
  json: { head: '{"eventos":[', between: ',', tail: ']}' },
};

/** The body of an upload while it grows. Bytes are copied in at once: a piece of a line would hold its whole block in memory. */
export class ChunkBody {
  readonly #frame: Frame;
  readonly #limits: BodyLimits;
  readonly #bytes: Buffer;
  #length: number;
  #lines = 0;

  constructor(form: ChunkForm, limits: BodyLimits) {
    this.#frame = frames[form];
    this.#limits = limits;
    this.#bytes = Buffer.allocUnsafe(limits.maxBytes);
    this.#length = this.#bytes.write(this.#frame.head);
  }

  /** The place of the line in the body, or null where it does not fit. */
  add(line: string): { readonly bodyFrom: number; readonly bodyTo: number } | null {
    const between = this.#lines === 0 ? '' : this.#frame.between;
    const bodyFrom = this.#length + between.length;
    const bodyTo = bodyFrom + Buffer.byteLength(line);
    if (this.#lines === this.#limits.maxLines || bodyTo + this.#frame.tail.length > this.#limits.maxBytes)
      return null;
    this.#bytes.write(between, this.#length);
    this.#bytes.write(line, bodyFrom);
    this.#length = bodyTo;
    this.#lines += 1;
    return { bodyFrom, bodyTo };
  }

  /** What was added, as a body of its own; then it is empty again. */
  take(): Buffer {
    const filled = this.#lines > 0;
    const tail = filled ? this.#bytes.write(this.#frame.tail, this.#length) : 0;
    const body = Buffer.from(this.#bytes.subarray(0, filled ? this.#length + tail : 0));
    this.#length = this.#frame.head.length;
    this.#lines = 0;
    return body;
  }
}

/** The body of some lines of another. */
function cutBody(form: ChunkForm, body: Buffer, bodyFrom: number, bodyTo: number): Buffer {
  const { head, tail } = frames[form];
  return Buffer.concat([Buffer.from(head), body.subarray(bodyFrom, bodyTo), Buffer.from(tail)]);
}

/** Where the first line of a body begins. */
function headBytes(form: ChunkForm): number {
  return frames[form].head.length;
}

export const noLines: LineCounts = { read: 0, sent: 0, unreadable: 0, tooOld: 0, notBots: 0, nothing: 0 };

interface ChunkParts {
  readonly form: ChunkForm;
  readonly fromByte: number;
  readonly toByte: number;
  readonly body: Buffer;
  readonly sent: readonly SentLine[];
  readonly counts: LineCounts;
}

/** A chunk out of the lines that are in its body. */
export function buildChunk(parts: ChunkParts): LogChunk {
  const byBot = new Map<string, number>();
  const byStatus = new Map<number, number>();
  const byDay = new Map<string, number>();
  let oldestMs = Number.POSITIVE_INFINITY;
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const line of parts.sent) {
    byBot.set(line.bot, (byBot.get(line.bot) ?? 0) + 1);
    byStatus.set(line.status, (byStatus.get(line.status) ?? 0) + 1);
    byDay.set(line.day, (byDay.get(line.day) ?? 0) + 1);
    oldestMs = Math.min(oldestMs, line.atMs);
    newestMs = Math.max(newestMs, line.atMs);
  }
  const hash = createHash('sha256').update(parts.body).digest('hex');
  const lines = parts.sent.length;
  return {
    ...parts,
    hash,
    lines,
    byBot,
    byStatus,
    byDay,
    visits: visitsOf(parts.sent),
    oldest: lines === 0 ? null : new Date(oldestMs),
    newest: lines === 0 ? null : new Date(newestMs),
  };
}

/** Who asks says the host, so somebody may make them up without end. */
const mostHosts = 100;

/** Lines of nobody's bot are no visits of bots. */
function visitsOf(sent: readonly SentLine[]): readonly VisitTally[] {
  const hosts = new Set<string>();
  const tallies = new Map<string, VisitTally & { visits: number }>();
  for (const { host: named, bot, status, atMs } of sent) {
    if (bot === '') continue;
    if (hosts.size < mostHosts) hosts.add(named);
    const host = hosts.has(named) ? named : '';
    const day = Math.floor(atMs / dayMs);
    const key = `${day} ${status} ${host} ${bot}`;
    const tally = tallies.get(key);
    if (tally !== undefined) tally.visits += 1;
    else
      tallies.set(key, {
        host,
        bot,
        day: new Date(day * dayMs).toISOString().slice(0, 10),
        status,
        visits: 1,
      });
  }
  return [...tallies.values()];
}

/** Halves a chunk that the server found too large. Both halves cover the bytes of the whole. Null for one line: there is nothing to cut. */
export function splitChunk(chunk: LogChunk): readonly [LogChunk, LogChunk] | null {
  const middle = Math.floor(chunk.sent.length / 2);
  const cut = chunk.sent[middle];
  if (cut === undefined || middle === 0) return null;
  const first = buildChunk({
    form: chunk.form,
    fromByte: chunk.fromByte,
    toByte: cut.fromByte,
    body: bodyOf(chunk, chunk.sent.slice(0, middle)),
    sent: chunk.sent.slice(0, middle),
    counts: cut.before,
  });
  const rest = chunk.sent.slice(middle);
  const movedBytes = cut.bodyFrom - headBytes(chunk.form);
  const second = buildChunk({
    form: chunk.form,
    fromByte: cut.fromByte,
    toByte: chunk.toByte,
    body: bodyOf(chunk, rest),
    sent: rest.map((line) => ({
      ...line,
      bodyFrom: line.bodyFrom - movedBytes,
      bodyTo: line.bodyTo - movedBytes,
      before: minus(line.before, cut.before),
    })),
    counts: minus(chunk.counts, cut.before),
  });
  return [first, second];
}

function bodyOf(chunk: LogChunk, lines: readonly SentLine[]): Buffer {
  return cutBody(chunk.form, chunk.body, lines[0]?.bodyFrom ?? 0, lines.at(-1)?.bodyTo ?? 0);
}

function minus(counts: LineCounts, before: LineCounts): LineCounts {
  return {
    read: counts.read - before.read,
    sent: counts.sent - before.sent,
    unreadable: counts.unreadable - before.unreadable,
    tooOld: counts.tooOld - before.tooOld,
    notBots: counts.notBots - before.notBots,
    nothing: counts.nothing - before.nothing,
  };
}
