// The blocks of a backup file, each checked before it is handed on.
import { WarehouseError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { blockHeadBytes, mostCompressedBytes, openBlock, readHead, tailBytes } from './block.ts';

// Takes so many bytes at a time from a stream of pieces of any size.
class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #position = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
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

  /** Lets go of the stream. */
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
  /** As people call it, for errors. */
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
