// Finds and opens a log: a file, plain or compressed, standard input or another pipe.
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { namePattern } from '../../core/text.ts';
import { type Compression, compressionOf, decompress } from './decompress.ts';
import { bytesToLastElement, isJsonArray } from './split-lines.ts';

const firstBlockBytes = 4_096;

/** Which log a file is, whatever it is called today: renamed, rotated, truncated or compressed. */
interface SourceIdentity {
  /** As decimal numbers in text: they have 64 bits. Null where there is no file, as with standard input. */
  readonly device: string | null;
  readonly inode: string | null;
  /** How much of the decompressed content is in the hash: less than 4,096 where there was no more, or an array ends. */
  readonly blockBytes: number;
  /** SHA-256, in hex. */
  readonly blockHash: string;
}

/** @param head the first bytes of the decompressed content, all that there are up to 4,096 */
function identityOf(head: Buffer, device: string | null, inode: string | null): SourceIdentity {
  const first = head.subarray(0, firstBlockBytes);
  const bytes = isJsonArray(first) ? bytesToLastElement(first) : first.length;
  return { device, inode, ...blockOf(head, bytes) };
}

/**
 * Whether content that begins with `head` is what was seen earlier. A log grows, so it is compared at the
 * length it had then. An empty log is no other: nothing says which one it is.
 */
export function beginsAs(seen: SourceIdentity, head: Buffer): boolean {
  if (seen.blockBytes === 0 || head.length < seen.blockBytes) return false;
  return blockOf(head, seen.blockBytes).blockHash === seen.blockHash;
}

/** The first block, where it has so many bytes. */
export function blockOf(head: Buffer, bytes: number): Pick<SourceIdentity, 'blockBytes' | 'blockHash'> {
  const blockHash = createHash('sha256').update(head.subarray(0, bytes)).digest('hex');
  return { blockBytes: bytes, blockHash };
}

interface FoundLogs {
  /** The one written to longest ago first; each once. */
  readonly paths: readonly string[];
  /** Patterns that nothing fits, and paths that are not there. */
  readonly missing: readonly string[];
}

/** The logs of a job: the last part of a path may be a pattern. */
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
  const files = await Promise.all(names.map((name) => fileOf(join(folder, name))));
  return files
    .sort((a, b) => a.writtenMs - b.writtenMs || numbersLast(a.path, b.path))
    .map(({ path }) => path);
}

/** One that goes meanwhile fails when it is opened. */
async function fileOf(path: string): Promise<{ readonly path: string; readonly writtenMs: number }> {
  const facts = await stat(path).catch(() => undefined);
  return { path, writtenMs: facts?.mtimeMs ?? 0 };
}

/** `access.log.2` before `access.log.1`. */
function numbersLast(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}

interface ReadAhead {
  /** At least as many bytes as were asked for, where the stream has them. */
  readonly head: Buffer;
  /** The whole stream, once. An error that came while looking comes where it belongs. */
  all(): AsyncGenerator<Uint8Array>;
  /** Reads no further. */
  stop(): Promise<void>;
}

/** Looks at the beginning of a stream and gives it back whole. */
async function readAhead(source: AsyncIterable<Uint8Array>, bytes: number): Promise<ReadAhead> {
  const rest = source[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let seenBytes = 0;
  let failed: { readonly error: unknown } | null = null;
  let ended = false;
  while (seenBytes < bytes && !ended) {
    try {
      const next = await rest.next();
      ended = next.done === true;
      if (next.done !== true) {
        seen.push(next.value);
        seenBytes += next.value.length;
      }
    } catch (error) {
      failed = { error };
      ended = true;
    }
  }
  return {
    head: Buffer.concat(seen),
    async *all() {
      while (seen.length > 0) yield seen.shift() ?? new Uint8Array();
      if (failed !== null) throw failed.error;
      if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
    },
    stop: async () => {
      await rest.return?.();
    },
  };
}

/** What is looked at to find the format and the identity. */
export const headBytes = 65_536;
const blockBytes = 256 * 1024;

export interface OpenLog {
  readonly name: string;
  readonly compression: Compression;
  /** On disk; null of a pipe. */
  readonly sizeBytes: number | null;
  /** The beginning of the decompressed content, up to 64 KiB. */
  readonly head: Buffer;
  readonly identity: SourceIdentity;
  /**
   * The decompressed content from a byte on. A plain file goes there at once, the others read and drop.
   * Standard input can be read once. A block is valid until the next is asked for.
   */
  blocks(fromByte?: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** @param path a file, a named pipe, or `-` for standard input */
export async function openLog(
  path: string,
  standardInput: AsyncIterable<Uint8Array> = process.stdin,
): Promise<OpenLog> {
  return path === '-' ? await openStream(standardInput) : await openFile(path);
}

async function openFile(path: string): Promise<OpenLog> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new ConfigError([`Expected ${path} to be a log that can be read, got "${messageOf(error)}"`]);
  });
  try {
    const facts = await handle.stat({ bigint: true });
    if (facts.isDirectory()) {
      throw new ConfigError([`Expected ${path} to be a log, got a folder. Name its files: ${path}/*.log`]);
    }
    // As the shell makes of <(zcat a.gz): it has no places to go to.
    if (!facts.isFile()) return await openStream(handle.createReadStream({ autoClose: false }), handle);
    const first = await readFirst(handle);
    const compression = compressionOf(first, path);
    const unpacked = (fromByte: number) => decompress(readFrom(handle, fromByte), compression, path);
    const head = compression === 'none' ? first : await takeHead(unpacked(0));
    return {
      name: path,
      compression,
      sizeBytes: Number(facts.size),
      head,
      identity: identityOf(head, String(facts.dev), String(facts.ino)),
      blocks: (fromByte = 0) =>
        compression === 'none'
          ? readInto(Buffer.allocUnsafe(blockBytes), handle, fromByte)
          : dropUntil(unpacked(0), fromByte),
      close: async () => await handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openStream(input: AsyncIterable<Uint8Array>, handle?: FileHandle): Promise<OpenLog> {
  const name = 'standard input';
  const packed = await readAhead(input, 8);
  const compression = compressionOf(packed.head, name);
  const unpacked = await readAhead(decompress(packed.all(), compression, name), headBytes);
  return {
    name,
    compression,
    sizeBytes: null,
    head: unpacked.head.subarray(0, headBytes),
    identity: identityOf(unpacked.head, null, null),
    blocks: (fromByte = 0) => dropUntil(unpacked.all(), fromByte),
    close: async () => await handle?.close(),
  };
}

/** A file that cannot be read is not an empty one. */
async function readFirst(handle: FileHandle): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for await (const block of readFrom(handle, 0)) {
    blocks.push(block);
    if (blocks.reduce((sum, { length }) => sum + length, 0) >= headBytes) break;
  }
  return Buffer.concat(blocks).subarray(0, headBytes);
}

/** What is there of a file that is damaged later on is its head all the same. */
async function takeHead(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const ahead = await readAhead(content, headBytes);
  await ahead.stop();
  return ahead.head.subarray(0, headBytes);
}

/** Into the same block again and again: who reads must be done with it before the next comes. */
async function* readInto(block: Buffer, handle: FileHandle, fromByte: number): AsyncGenerator<Uint8Array> {
  let position = fromByte;
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}

async function* readFrom(handle: FileHandle, fromByte: number): AsyncGenerator<Uint8Array> {
  let position = fromByte;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(blockBytes), 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* dropUntil(content: AsyncIterable<Uint8Array>, fromByte: number): AsyncGenerator<Uint8Array> {
  let leftBytes = fromByte;
  for await (const bytes of content) {
    if (leftBytes < bytes.length) yield leftBytes === 0 ? bytes : bytes.subarray(leftBytes);
    leftBytes = Math.max(0, leftBytes - bytes.length);
  }
}
