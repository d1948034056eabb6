// A log while it is read, with its newest bytes at hand: the end of a range can be hashed once its place is known, and
// standard input, which comes once, can be read from there on for the next range.

import { createHash } from 'node:crypto';
import { botsVersion } from '../logs/bots.ts';
import { DamagedLogError } from '../logs/decompress.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import { beginsAs, type OpenLog } from '../logs/open-log.ts';
import { maxLineBytes } from '../logs/split-lines.ts';
import { type LogRange, noCounts, type OpenRange, type RangeCounts } from '../store/log-writes.ts';
import { mostTailBytes } from '../store/write-sources.ts';
import type { PushOptions } from './push-summary.ts';

/** A log that may be stopped while it is read, and that is the same one from its beginning to its end. */
export interface SteadyLog extends OpenLog {
  /** @throws DamagedLogError when a plain file was truncated and begun anew since it was opened */
  expectSame(): Promise<void>;
}

/** Reading ends at the next block after a stop. */
export function steadyLog(log: OpenLog, signal: AbortSignal): SteadyLog {
  return {
    ...log,
    async *blocks(fromByte) {
      for await (const block of log.blocks(fromByte)) {
        signal.throwIfAborted();
        yield block;
      }
    },
    async expectSame() {
      // What is packed is not written to, and a pipe cannot begin anew.
      if (log.sizeBytes === null || log.compression !== 'none' || log.identity.blockBytes === 0) return;
      for await (const block of log.blocks(0)) {
        if (beginsAs(log.identity, Buffer.from(block))) return;
        break;
      }
      throw new DamagedLogError(
        `Expected ${log.name} to stay the same while it is read, got another beginning: it was truncated. Nothing was sent of what was read since; push it again, and its copy`,
      );
    },
  };
}

/** A chunk as it is noted: its place, hashes and counts, nothing of its lines. */
export function rangeOf(
  chunk: LogChunk,
  log: Pick<WindowedLog, 'hashBefore'>,
  format: string,
  options: Pick<PushOptions, 'form' | 'allAgents' | 'anonymizeIp'>,
): LogRange {
  const { fromByte, toByte } = chunk;
  return {
    fromByte,
    toByte,
    tailHash: log.hashBefore(toByte, Math.min(toByte - fromByte, mostTailBytes)),
    bodyHash: chunk.hash,
    bodyBytes: chunk.body.length,
    lines: chunk.lines,
    filter: filterOf(format, options),
    counts: countsOf(chunk),
    visits: chunk.visits,
  };
}

/** What is left of a range of which a first piece is sent again. Its lines are not counted yet: there is at least one. */
export function restOf(range: OpenRange, piece: LogRange): LogRange {
  const { toByte } = range;
  const isTailWhole = toByte - piece.toByte >= mostTailBytes;
  return {
    fromByte: piece.toByte,
    toByte,
    tailHash: isTailWhole ? range.tailHash : undefined,
    bodyHash: undefined,
    bodyBytes: 0,
    lines: Math.max(range.lines - piece.lines, 1),
    filter: piece.filter,
    counts: noCounts,
    visits: [],
  };
}

const bots = `bots ${botsVersion()}`;

/** What chose and shaped the lines. */
function filterOf(
  format: string,
  { form, allAgents, anonymizeIp }: Pick<PushOptions, 'form' | 'allAgents' | 'anonymizeIp'>,
): string {
  return [format, form, allAgents ? 'all agents' : bots, anonymizeIp ? 'anonymised' : 'addresses'].join(', ');
}

export function countsOf({ counts, byBot, byStatus, byDay }: LogChunk): RangeCounts {
  return {
    read: counts.read,
    sent: counts.sent,
    unreadable: counts.unreadable,
    too_old: counts.tooOld,
    not_bots: counts.notBots,
    blank: counts.nothing,
    by_bot: Object.fromEntries(byBot),
    by_status: Object.fromEntries(byStatus),
    by_day: Object.fromEntries(byDay),
  };
}

/** A range ends at most a line before the block that is read; its last bytes are hashed. */
const heldBytes = 2 * maxLineBytes;

class BlockWindow {
  readonly #source: AsyncIterator<Uint8Array>;
  #blocks: Uint8Array[] = [];
  #fromByte: number;
  #toByte: number;

  constructor(source: AsyncIterable<Uint8Array>, fromByte: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.#fromByte = fromByte;
    this.#toByte = fromByte;
  }

  /** Bytes of the log up to the end of the newest block. */
  get readTo(): number {
    return this.#toByte;
  }

  /** @throws RangeError when the bytes are not at hand any more */
  async *read(fromByte: number): AsyncGenerator<Uint8Array> {
    if (fromByte < this.#fromByte) {
      throw new RangeError(`byte ${fromByte} is gone, the log is held from byte ${this.#fromByte} on`);
    }
    let atByte = fromByte;
    for (;;) {
      while (atByte >= this.#toByte) if (!(await this.#pull())) return;
      const block = this.#blockAt(atByte);
      atByte += block.length;
      yield block;
    }
  }

  /** SHA-256, in hex, of the last bytes before `toByte`; undefined: they are not at hand any more. */
  hashBefore(toByte: number, bytes: number): string | undefined {
    const from = toByte - bytes;
    if (from < this.#fromByte || toByte > this.#toByte) return undefined;
    const hash = createHash('sha256');
    let atByte = this.#fromByte;
    for (const block of this.#blocks) {
      const start = Math.max(from - atByte, 0);
      const end = Math.min(toByte - atByte, block.length);
      if (start < end) hash.update(block.subarray(start, end));
      atByte += block.length;
    }
    return hash.digest('hex');
  }

  #blockAt(byte: number): Uint8Array {
    let atByte = this.#fromByte;
    for (const block of this.#blocks) {
      if (byte < atByte + block.length) return block.subarray(byte - atByte);
      atByte += block.length;
    }
    throw new RangeError(`byte ${byte} is not held`);
  }

  async #pull(): Promise<boolean> {
    this.#copyNewest();
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#drop(this.#toByte - heldBytes);
    this.#blocks.push(value);
    this.#toByte += value.length;
    return true;
  }

  /** A block is valid until the next is asked for: a file is read into the same memory again and again. */
  #copyNewest(): void {
    const newest = this.#blocks.pop();
    if (newest === undefined) return;
    const held = Buffer.from(newest.subarray(Math.max(newest.length - heldBytes, 0)));
    if (held.length < newest.length) {
      this.#blocks = [];
      this.#fromByte = this.#toByte - held.length;
    }
    this.#blocks.push(held);
  }

  #drop(beforeByte: number): void {
    for (;;) {
      const [first] = this.#blocks;
      if (first === undefined || this.#fromByte + first.length > beforeByte) return;
      this.#blocks.shift();
      this.#fromByte += first.length;
    }
  }
}

export interface WindowedLog extends SteadyLog {
  /** As of `BlockWindow`, of what was read last. */
  hashBefore(toByte: number, bytes: number): string | undefined;
  /** How far it was read, in bytes of the decompressed content. */
  readTo(): number;
}

/** Ranges of it are read in ascending order. */
export function withWindow(log: SteadyLog): WindowedLog {
  let window: BlockWindow | undefined;
  const isOnce = log.sizeBytes === null;
  return {
    ...log,
    blocks(fromByte = 0) {
      if (window === undefined || !isOnce) {
        const from = isOnce ? 0 : fromByte;
        window = new BlockWindow(log.blocks(from), from);
      }
      return window.read(fromByte);
    },
    readTo: () => window?.readTo ?? 0,
    hashBefore: (toByte, bytes) => window?.hashBefore(toByte, bytes),
  };
}
