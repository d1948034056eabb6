// A block of a backup file: a member of gzip with its kind, its length and a checksum in the extra field. A file of
// them is an ordinary .gz, so `zcat` reads it; and whatever is cut off or changed is noticed before it is used.

import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { WarehouseError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';

/** Takes so many bytes at a time from a stream of pieces of any size. */
class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #position = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  get position(): number {
    return this.#position;
  }

  /** Fewer only at the end of the stream. */
  async take(wanted: number): Promise<Buffer> {
    while (this.#waitingBytes < wanted) {
      const { done, value } = await this.#pieces.next();
      if (done === true) break;
      this.#waiting.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#waitingBytes += value.byteLength;
    }
    const all = Buffer.concat(this.#waiting);
    const taken = all.subarray(0, wanted);
    this.#waiting = [all.subarray(taken.length)];
    this.#waitingBytes = all.length - taken.length;
    this.#position += taken.length;
    return taken;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

interface OpenedBlock {
  readonly kind: string;
  readonly plain: Buffer;
  /** Where it begins in the file, and where the next one does. */
  readonly at: number;
  readonly endsAt: number;
}

export interface BackupSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly name: string;
}

/** Says what is wrong with a backup, and where. */
export class BackupError extends WarehouseError {}

/** @param place what the blocks are about just now, such as `table sync.slice` */
export async function* readBlocks(source: BackupSource, place: () => string): AsyncGenerator<OpenedBlock> {
  const reader = new ByteReader(source.bytes);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const at = reader.position;
      const bytes = await reader.take(blockHeadBytes);
      if (bytes.length === 0 && !isFirst) return;
      const head = readHead(bytes);
      if (head === undefined) {
        if (isFirst) throw isForeign(source.name, bytes);
        throw bytes.length < blockHeadBytes
          ? isCutOff(source.name, place(), reader.position)
          : isDamaged(source.name, place(), at, 'no block begins there');
      }
      if (head.compressedBytes > mostCompressedBytes) {
        throw isDamaged(source.name, place(), at, 'the length of the block cannot be');
      }
      const rest = await reader.take(head.compressedBytes + tailBytes);
      if (rest.length < head.compressedBytes + tailBytes) {
        throw isCutOff(source.name, place(), reader.position);
      }
      const plain = await openBlock(head, rest);
      if (plain === undefined)
        throw isDamaged(source.name, place(), at, 'the checksum of the block is another');
      yield { kind: head.kind, plain, at, endsAt: reader.position };
    }
  } finally {
    await reader.close();
  }
}

export function isCutOff(name: string, place: string, at: number): BackupError {
  return new BackupError(
    `${name} is cut off: it ends at byte ${count(at)}, in ${place}. Copy it again from where it was made, or use another backup`,
  );
}

export function isDamaged(name: string, place: string, at: number, why: string): BackupError {
  return new BackupError(
    `${name} is damaged in ${place}, in the block at byte ${count(at)}: ${why}. ` +
      'Copy it again from where it was made, or use another backup',
  );
}

function isForeign(name: string, bytes: Buffer): BackupError {
  const got = bytes.length === 0 ? 'nothing' : 'something else';
  return new BackupError(`Expected ${name} to be a file that airank backup wrote, got ${got}`);
}

/** Bytes of a full block before it is compressed. */
export const blockBytes = 1 << 20;
/** Of the part before the compressed bytes, and of the one after them. */
const blockHeadBytes = 25;
const tailBytes = 8;
/** Beyond what a block of `blockBytes` may take that does not compress. */
const mostCompressedBytes = blockBytes * 2;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** gzip, deflate, an extra field; no time; of 13 bytes, named AB, with 9 bytes. */
const fixed = Buffer.from([31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 13, 0, 0x41, 0x42, 9, 0]);

/** header, rows, end of a table, end of the backup. */
export type BlockKind = 'H' | 'R' | 'T' | 'E';

interface BlockHead {
  readonly kind: string;
  readonly compressedBytes: number;
  readonly checksum: number;
}

export async function sealBlock(kind: BlockKind, plain: Uint8Array): Promise<Buffer> {
  const compressed = await deflate(plain, { level: constants.Z_DEFAULT_COMPRESSION });
  const block = Buffer.alloc(blockHeadBytes + compressed.length + tailBytes);
  fixed.copy(block);
  block.write(kind, fixed.length, 'latin1');
  block.writeUInt32LE(compressed.length, 17);
  block.writeUInt32LE(checksumOf(kind, compressed), 21);
  compressed.copy(block, blockHeadBytes);
  block.writeUInt32LE(crc32(plain), blockHeadBytes + compressed.length);
  block.writeUInt32LE(plain.length, blockHeadBytes + compressed.length + 4);
  return block;
}

/** Undefined: no block begins so. */
function readHead(head: Buffer): BlockHead | undefined {
  if (head.length < blockHeadBytes || !head.subarray(0, fixed.length).equals(fixed)) return undefined;
  return {
    kind: head.toString('latin1', fixed.length, fixed.length + 1),
    compressedBytes: head.readUInt32LE(17),
    checksum: head.readUInt32LE(21),
  };
}

/** Undefined: it is not what was written. @param rest the compressed bytes and the tail */
async function openBlock(head: BlockHead, rest: Buffer): Promise<Buffer | undefined> {
  const compressed = rest.subarray(0, head.compressedBytes);
  if (checksumOf(head.kind, compressed) !== head.checksum) return undefined;
  const plain = await inflate(compressed, { maxOutputLength: blockBytes }).catch(() => undefined);
  const isWhole =
    plain !== undefined &&
    rest.readUInt32LE(head.compressedBytes) === crc32(plain) &&
    rest.readUInt32LE(head.compressedBytes + 4) === plain.length;
  return isWhole ? plain : undefined;
}

/** Of the compressed bytes: some bits of them mean nothing to a reader, and are to be right all the same. */
function checksumOf(kind: string, compressed: Uint8Array): number {
  return crc32(compressed, crc32(kind));
}
