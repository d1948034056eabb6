// Unpacks a stream as it comes. Whatever a file unpacks to, little of it is in memory.

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { AirankError, ConfigError, messageOf } from '../../core/errors.ts';

/** How a file is compressed, by its first bytes: names lie after a rotation. */
export type Compression = 'none' | 'gzip' | 'zstd';

interface Refused {
  readonly name: string;
  readonly head: string;
  readonly unpack: string;
}

/** First bytes in hex of what is not read, and the command that makes it readable. */
const refused: readonly Refused[] = [
  { name: 'bzip2', head: '425a68', unpack: 'bzip2 -dc FILE | airank push logs -' },
  { name: 'xz', head: 'fd377a585a00', unpack: 'xz -dc FILE | airank push logs -' },
  { name: 'lz4', head: '04224d18', unpack: 'lz4 -dc FILE | airank push logs -' },
  { name: 'zip', head: '504b0304', unpack: 'unzip -p FILE | airank push logs -' },
  { name: 'UTF-16', head: 'fffe', unpack: 'iconv -f UTF-16 -t UTF-8 FILE | airank push logs -' },
  { name: 'UTF-16', head: 'feff', unpack: 'iconv -f UTF-16 -t UTF-8 FILE | airank push logs -' },
];

/** @param head the first bytes as they are in the file */
export function compressionOf(head: Buffer, name: string): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= 4 && isZstd(head.readUInt32LE())) return 'zstd';
  const hex = head.subarray(0, 8).toString('hex');
  const found = refused.find((one) => hex.startsWith(one.head));
  if (found === undefined) return 'none';
  throw new ConfigError([
    `Expected ${name} to be plain text, gzip or zstd, got ${found.name}. Unpack it: ${found.unpack}`,
  ]);
}

/** A frame, or one that is to be skipped, which some tools put first. */
function isZstd(magic: number): boolean {
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5;
}

/** fzstd 0.1.1 reads 25 bits of a distance, and takes a wrong one for longer. */
const maxWindowBytes = 2 ** 26;

const frameMagic = 0xfd2fb528;

type State =
  | { readonly kind: 'frame' }
  | { readonly kind: 'block'; readonly hasChecksum: boolean }
  /** Bytes without a meaning to us, and what follows them. */
  | { readonly kind: 'pass'; bytes: number; readonly next: State };

/** Throws a RangeError with the size in MiB where a window is larger than fzstd can read. */
export class ZstdFrames {
  #state: State = { kind: 'frame' };
  #held = Buffer.alloc(0);

  /** Pieces that end where a block ends, so that each unpacks to at most 128 KiB. */
  *cut(input: Buffer): Generator<Buffer> {
    const bytes = this.#held.length === 0 ? input : Buffer.concat([this.#held, input]);
    let at = 0;
    let from = 0;
    for (;;) {
      const passed = this.#step(bytes, at);
      if (passed === 0) break;
      at += passed;
      if (this.#state.kind === 'pass') continue;
      yield bytes.subarray(from, at);
      from = at;
    }
    if (at > from) yield bytes.subarray(from, at);
    this.#held = Buffer.from(bytes.subarray(at));
  }

  /** A header of which the rest did not come. */
  rest(): Buffer {
    return this.#held;
  }

  /** How many bytes are understood and passed; 0 where more must come. */
  #step(bytes: Buffer, at: number): number {
    const state = this.#state;
    const leftBytes = bytes.length - at;
    if (state.kind === 'pass') {
      const passed = Math.min(leftBytes, state.bytes);
      state.bytes -= passed;
      if (state.bytes === 0) this.#state = state.next;
      return passed;
    }
    return state.kind === 'block'
      ? this.#block(bytes, at, leftBytes, state.hasChecksum)
      : this.#frame(bytes, at, leftBytes);
  }

  #block(bytes: Buffer, at: number, leftBytes: number, hasChecksum: boolean): number {
    if (leftBytes < 3) return 0;
    const header = bytes.readUIntLE(at, 3);
    const isLast = (header & 1) === 1;
    const isRepeated = ((header >> 1) & 3) === 1;
    const then: State = isLast ? afterFrame(hasChecksum) : { kind: 'block', hasChecksum };
    this.#pass(isRepeated ? 1 : header >> 3, then);
    return 3;
  }

  #frame(bytes: Buffer, at: number, leftBytes: number): number {
    // No frame is shorter, with its first block.
    if (leftBytes < 8) return 0;
    if (bytes.readUInt32LE(at) !== frameMagic) {
      this.#pass(bytes.readUInt32LE(at + 4), { kind: 'frame' });
      return 8;
    }
    const flags = bytes[at + 4] ?? 0;
    if (leftBytes < headerBytes(flags)) return 0;
    const windowBytes = windowOf(bytes, at, flags);
    if (windowBytes > maxWindowBytes) throw new RangeError(`${Math.ceil(windowBytes / 2 ** 20)} MiB`);
    this.#state = { kind: 'block', hasChecksum: (flags & 4) !== 0 };
    return headerBytes(flags);
  }

  #pass(bytes: number, next: State): void {
    this.#state = bytes === 0 ? next : { kind: 'pass', bytes, next };
  }
}

function afterFrame(hasChecksum: boolean): State {
  return hasChecksum ? { kind: 'pass', bytes: 4, next: { kind: 'frame' } } : { kind: 'frame' };
}

function headerBytes(flags: number): number {
  const single = (flags & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  return 5 + (single ? 0 : 1) + dictionaryBytes + sizeBytes(flags);
}

function sizeBytes(flags: number): number {
  const kind = flags >> 6;
  return kind === 0 ? (flags & 32) >> 5 : 2 ** kind;
}

function windowOf(bytes: Buffer, at: number, flags: number): number {
  if ((flags & 32) === 0) {
    const descriptor = bytes[at + 5] ?? 0;
    const base = 2 ** (10 + (descriptor >> 3));
    return base + (base / 8) * (descriptor & 7);
  }
  const size = sizeBytes(flags);
  const from = at + headerBytes(flags) - size;
  if (size === 8) return Number(bytes.readBigUInt64LE(from));
  return bytes.readUIntLE(from, size) + (size === 2 ? 256 : 0);
}

const blockBytes = 256 * 1024;

/** A log that cannot be read to its end: packed and cut off, or written anew meanwhile. */
export class DamagedLogError extends AirankError {}

/** @throws DamagedLogError where the file is cut off or damaged, after all that could be unpacked */
export async function* decompress(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (compression === 'none') {
    yield* source;
    return;
  }
  try {
    yield* compression === 'gzip' ? gunzip(source) : unzstd(source);
  } catch (error) {
    throw damaged(name, compression, error);
  }
}

/** Node goes on with the next member of the file by itself. */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: blockBytes });
  pipeline(Readable.from(source), unpacked, () => {});
  yield* unpacked;
}

async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  let unpacked: Uint8Array[] = [];
  const stream = new Decompress((block) => unpacked.push(block));
  for await (const bytes of source) {
    for (const piece of frames.cut(Buffer.from(bytes))) {
      stream.push(piece);
      yield* unpacked;
      unpacked = [];
    }
  }
  stream.push(frames.rest(), true);
  yield* unpacked;
}

function damaged(name: string, compression: Compression, error: unknown): Error {
  if (error instanceof RangeError && compression === 'zstd') {
    return new DamagedLogError(
      `Cannot read ${name}: expected a zstd window of at most ${maxWindowBytes / 2 ** 20} MiB, got ${error.message}. Unpack it: zstd -dc --long=31 FILE | airank push logs -`,
    );
  }
  return new DamagedLogError(
    `Cannot read ${name} to its end: expected whole ${compression} data, got "${messageOf(error)}". What comes before is read; copy the file again.`,
  );
}
