// Which log a file is, whatever it is called today: renamed, rotated, truncated or compressed.
import { createHash } from 'node:crypto';
import { bytesToLastElement, isJsonArray } from './split-elements.ts';

const firstBlockBytes = 4_096;

export interface SourceIdentity {
  /** As decimal numbers in text: they have 64 bits. Null where there is no file, as with standard input. */
  readonly device: string | null;
  readonly inode: string | null;
  /** How much of the decompressed content is in the hash: less than 4,096 where there was no more, or an array ends. */
  readonly blockBytes: number;
  /** SHA-256, in hex. */
  readonly blockHash: string;
}

/** @param head the first bytes of the decompressed content, all that there are up to 4,096 */
export function identityOf(head: Buffer, device: string | null, inode: string | null): SourceIdentity {
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
