// Opens a log: a plain or gzip file, standard input or another pipe. Holds little of it in memory, however large it
// unpacks.
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { namePattern } from '../../core/name-pattern.ts';
import { lastBytes, tailBytes } from './lines.ts';

const firstBytes = 4_096;
const headBytes = 65_536;
const blockBytes = 256 * 1024;

/** One log cannot be read to its end; the others still can. */
export class LogError extends ConfigError {}

export interface OpenLog {
  readonly name: string;
  /** Its last bytes may be half a line, and it may be truncated meanwhile. */
  readonly isPlainFile: boolean;
  /** Size on disc; undefined for a pipe, which is read once. */
  readonly sizeBytes: number | undefined;
  /** Decimal text, as the numbers have 64 bits; null for a pipe. */
  readonly device: string | null;
  readonly inode: string | null;
  readonly holeBytes: number;
  /** The beginning of the decompressed content after the NULs, up to 64 KiB. */
  readonly head: Buffer;
  /**
   * Reads the decompressed content between two bytes. A pipe only goes forward, and back by the length of a tail. A
   * block is valid until the next is asked for.
   */
  read(fromByte: number, toByte?: number): AsyncGenerator<Buffer>;
  /** Returns how far it was read, in bytes of the decompressed content. */
  readTo(): number;
  /** @throws LogError if the file was truncated since it was opened */
  expectSame(): Promise<void>;
  close(): Promise<void>;
}

export interface FirstBlock {
  /** Below 4,096 if the log is shorter. */
  readonly bytes: number;
  readonly hash: string;
}

/**
 * Returns the first block; undefined if the head is shorter. A growing log is compared at the length it had when first
 * seen.
 */
export function firstBlock(
  { head, holeBytes }: Pick<OpenLog, 'head' | 'holeBytes'>,
  bytes = Math.min(head.length, firstBytes),
): FirstBlock | undefined {
  if (bytes === 0 || head.length < bytes) return undefined;
  const hash = createHash('sha256').update(head.subarray(0, bytes));
  return { bytes, hash: (holeBytes === 0 ? hash : hash.update(String(holeBytes))).digest('hex') };
}

/** Reads the bytes before a place, as many as a tail has; undefined if the log ends before it. */
export async function tailBefore(log: OpenLog, byte: number): Promise<Buffer | undefined> {
  let tail: Buffer = Buffer.alloc(0);
  const from = Math.max(0, byte - tailBytes);
  for await (const block of log.read(from, byte)) tail = lastBytes(tail, block);
  return tail.length === byte - from ? tail : undefined;
}

/** First bytes of formats that are not read, each with the program that unpacks it. */
const refused: readonly {
  readonly name: string;
  readonly head: string;
  readonly at?: number;
  readonly fix: string;
}[] = [
  { name: 'zstd', head: '28b52ffd', fix: 'zstdcat FILE' },
  { name: 'bzip2', head: '425a68', fix: 'bzip2 -dc FILE' },
  { name: 'xz', head: 'fd377a585a00', fix: 'xz -dc FILE' },
  { name: 'lz4', head: '04224d18', fix: 'lz4 -dc FILE' },
  { name: 'zip', head: '504b0304', fix: 'unzip -p FILE' },
  { name: 'a tar', head: '7573746172', at: 257, fix: 'tar -xOf FILE' },
  { name: 'UTF-16', head: 'fffe', fix: 'iconv -f UTF-16 -t UTF-8 FILE' },
  { name: 'UTF-16', head: 'feff', fix: 'iconv -f UTF-16 -t UTF-8 FILE' },
];

/** @throws LogError if it is not text */
function expectText(name: string, head: Buffer): void {
  const found = refused.find((one) => head.toString('hex', one.at ?? 0).startsWith(one.head));
  if (found !== undefined) {
    throw new LogError([
      `Expected ${name} to be text or gzip, got ${found.name}. Convert it first: ${found.fix} | airank push logs -`,
    ]);
  }
  // NULs are holes; a log holds no other control characters.
  const strange = head.filter(
    (byte) => byte !== 0 && (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)),
  ).length;
  if (strange > head.length / 20) {
    throw new LogError([`Expected ${name} to be a log of text or gzip, got a binary file`]);
  }
}

/** @param path a file, a named pipe, or `-` for standard input */
export async function openLog(path: string, standardInput: AsyncIterable<Uint8Array>): Promise<OpenLog> {
  if (path === '-') return await openStream('standard input', standardInput, undefined);
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new LogError([`Expected ${path} to be a log that can be read, got "${messageOf(error)}"`]);
  });
  try {
    const facts = await handle.stat({ bigint: true });
    if (facts.isDirectory()) {
      throw new LogError([`Expected ${path} to be a log, got a folder. Name its files: ${path}/*.log`]);
    }
    // The shell makes a pipe like this for <(zcat a.gz); it cannot seek.
    if (!facts.isFile()) {
      return await openStream(path, handle.createReadStream({ autoClose: false }), handle);
    }
    const place = { device: String(facts.dev), inode: String(facts.ino), sizeBytes: Number(facts.size) };
    const isGzip = (await bytesAt(handle, 0, 2)).toString('hex') === '1f8b';
    const again = () => readFile(handle);
    if (isGzip) return { ...(await openStream(path, again(), handle, again)), ...place };
    return await openPlain(path, handle, place);
  } catch (error) {
    await handle.close();
    throw error instanceof LogError ? error : damaged(path, error);
  }
}

function damaged(name: string, error: unknown): LogError {
  return new LogError([
    `Expected to read ${name} to its end, got "${messageOf(error)}". What was read before is sent`,
  ]);
}

async function openPlain(
  name: string,
  handle: FileHandle,
  place: Pick<OpenLog, 'device' | 'inode'> & { readonly sizeBytes: number },
): Promise<OpenLog> {
  const { holeBytes, head } = await new Forward(readFile(handle)).peek(headBytes);
  expectText(name, head);
  const first = head.subarray(0, firstBytes);
  const block = Buffer.allocUnsafe(blockBytes);
  let at = 0;
  return {
    ...{ name, isPlainFile: true, holeBytes, head, ...place },
    async *read(fromByte, toByte) {
      at = fromByte;
      try {
        for await (const read of readFile(handle, fromByte, toByte, block)) {
          at += read.length;
          yield read;
        }
      } catch (error) {
        throw damaged(name, error);
      }
    },
    readTo: () => at,
    async expectSame() {
      const now = await bytesAt(handle, holeBytes, first.length);
      const { size } = await handle.stat();
      if (now.equals(first) && size >= place.sizeBytes) return;
      throw new LogError([
        `Expected ${name} to stay the same while it is read, but it was truncated. Nothing read after that was sent. Push it again, and the copy that was made of it`,
      ]);
    },
    close: () => handle.close(),
  };
}

async function bytesAt(handle: FileHandle, fromByte: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, fromByte);
  return buffer.subarray(0, bytesRead);
}

/** @param reused memory for each block, if the reader is done with it before the next comes */
async function* readFile(
  handle: FileHandle,
  fromByte = 0,
  toByte = Number.POSITIVE_INFINITY,
  reused?: Buffer,
): AsyncGenerator<Buffer> {
  for (let at = fromByte; at < toByte; ) {
    const block = reused ?? Buffer.allocUnsafe(blockBytes);
    const { bytesRead } = await handle.read(block, 0, Math.min(blockBytes, toByte - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}

/** @param again opens it once more to go back to its beginning; undefined for a pipe */
async function openStream(
  name: string,
  packed: AsyncIterable<Uint8Array>,
  handle: FileHandle | undefined,
  again?: () => AsyncIterable<Uint8Array>,
): Promise<OpenLog> {
  let forward = await unpack(packed);
  const { holeBytes, head } = await forward.peek(headBytes);
  expectText(name, head);
  return {
    ...{ name, isPlainFile: false, sizeBytes: undefined, device: null, inode: null, holeBytes, head },
    async *read(fromByte, toByte) {
      if (again !== undefined && !forward.reaches(fromByte)) forward = await unpack(again());
      try {
        yield* forward.read(fromByte, toByte);
      } catch (error) {
        throw damaged(name, error);
      }
    },
    readTo: () => forward.at,
    expectSame: async () => undefined,
    close: async () => await handle?.close(),
  };
}

async function unpack(packed: AsyncIterable<Uint8Array>): Promise<Forward> {
  const forward = new Forward(packed);
  const { head } = await forward.peek(2);
  if (head.toString('hex', 0, 2) !== '1f8b') return forward;
  const gunzip = createGunzip();
  // Errors surface where the stream is read.
  pipeline(Readable.from(forward.read(0)), gunzip, () => undefined);
  return new Forward(gunzip);
}

const zeros = Buffer.alloc(blockBytes);

/** A stream that can be peeked at, and that goes back by the length of a tail. */
class Forward {
  readonly #blocks: AsyncIterator<Uint8Array>;
  at = 0;
  #tail: Buffer = Buffer.alloc(0);
  /** NULs at the beginning, before the blocks that are held. */
  #holeBytes = 0;
  #held: Buffer[] = [];
  /** An error met while peeking; it is thrown after the blocks that are held. */
  #failed: { readonly error: unknown } | undefined;

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Peeks at least this many bytes past the first NULs, if there are so many. */
  async peek(bytes: number): Promise<{ readonly holeBytes: number; readonly head: Buffer }> {
    let holeBytes = 0;
    const seen: Buffer[] = [];
    try {
      for (let seenBytes = 0; seenBytes < bytes; ) {
        let block = await this.#next();
        if (block === undefined) break;
        if (seenBytes === 0) {
          const hole = nulsAtHead(block);
          holeBytes += hole;
          block = block.subarray(hole);
        }
        if (block.length === 0) continue;
        seen.push(Buffer.from(block));
        seenBytes += block.length;
      }
    } catch (error) {
      this.#failed = { error };
    }
    const all = Buffer.concat(seen);
    this.#holeBytes = holeBytes;
    this.#held = all.length === 0 ? [] : [all];
    return { holeBytes, head: all.subarray(0, Math.max(bytes, 0)) };
  }

  reaches(fromByte: number): boolean {
    return fromByte >= this.at - this.#tail.length;
  }

  async *read(fromByte: number, toByte = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    if (!this.reaches(fromByte)) throw new RangeError(`byte ${fromByte} of the stream is gone`);
    const backBytes = this.at - fromByte;
    if (backBytes > 0) {
      const keptBytes = this.#tail.length - backBytes;
      this.#held.unshift(this.#tail.subarray(keptBytes));
      this.#tail = this.#tail.subarray(0, keptBytes);
      this.at = fromByte;
    }
    while (this.at < toByte) {
      const block = await this.#next();
      if (block === undefined) return;
      const begin = Math.max(fromByte - this.at, 0);
      const end = Math.min(toByte - this.at, block.length);
      if (end < block.length) this.#held.unshift(block.subarray(end));
      const part = block.subarray(0, end);
      this.#tail = lastBytes(this.#tail, part);
      this.at += end;
      if (begin < end) yield part.subarray(begin);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#holeBytes > 0) {
      const bytes = Math.min(this.#holeBytes, zeros.length);
      this.#holeBytes -= bytes;
      return zeros.subarray(0, bytes);
    }
    const held = this.#held.shift();
    if (held !== undefined) return held;
    if (this.#failed !== undefined) throw this.#failed.error;
    const { done, value } = await this.#blocks.next();
    return done === true ? undefined : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}

function nulsAtHead(block: Buffer): number {
  if (block.length <= zeros.length && block.equals(zeros.subarray(0, block.length))) return block.length;
  let bytes = 0;
  while (bytes < block.length && block[bytes] === 0) bytes += 1;
  return bytes;
}

interface FoundLogs {
  /** Paths without repetition, the one written to longest ago first. */
  readonly paths: readonly string[];
  /** Patterns that match nothing, and paths that do not exist. */
  readonly missing: readonly string[];
}

/** Finds the logs of a job; the last part of a path may be a pattern. */
export async function findLogs(patterns: readonly string[], cwd: string): Promise<FoundLogs> {
  const paths = new Set<string>();
  const missing: string[] = [];
  for (const pattern of patterns) {
    const found = await filesOf(resolve(cwd, pattern));
    if (found.length === 0) missing.push(pattern);
    for (const path of found) paths.add(path);
  }
  return { paths: [...paths], missing };
}

async function filesOf(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const fits = namePattern(basename(pattern));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isDirectory() && fits(entry.name)).map(({ name }) => name);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // A file that disappears meanwhile fails when it is opened.
      return { path, writtenMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  // access.log.2 before access.log.1
  const numbersLast = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });
  return files
    .sort((a, b) => a.writtenMs - b.writtenMs || numbersLast(a.path, b.path))
    .map(({ path }) => path);
}
