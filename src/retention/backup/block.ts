// A block of a backup file: a member of gzip with its kind, its length and a checksum in the extra field. A file of
// them is an ordinary .gz, so `zcat` reads it; and whatever is cut off or changed is noticed before it is used.
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib';

/** Bytes of a full block before it is compressed. */
export const blockBytes = 1 << 20;
/** Of the part before the compressed bytes, and of the one after them. */
export const blockHeadBytes = 25;
export const tailBytes = 8;
/** Beyond what a block of `blockBytes` may take that does not compress. */
export const mostCompressedBytes = blockBytes * 2;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** gzip, deflate, an extra field; no time; of 13 bytes, named AB, with 9 bytes. */
const fixed = Buffer.from([31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 13, 0, 0x41, 0x42, 9, 0]);

/** header, rows, end of a table, end of the backup. */
export type BlockKind = 'H' | 'R' | 'T' | 'E';

export interface BlockHead {
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
export function readHead(head: Buffer): BlockHead | undefined {
  if (head.length < blockHeadBytes || !head.subarray(0, fixed.length).equals(fixed)) return undefined;
  return {
    kind: head.toString('latin1', fixed.length, fixed.length + 1),
    compressedBytes: head.readUInt32LE(17),
    checksum: head.readUInt32LE(21),
  };
}

/** Undefined: it is not what was written. @param rest the compressed bytes and the tail */
export async function openBlock(head: BlockHead, rest: Buffer): Promise<Buffer | undefined> {
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
