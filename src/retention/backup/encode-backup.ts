// A backup as the bytes of a file. Blocks are compressed side by side and written in order.
import { createHash } from 'node:crypto';
import type { BackupPart } from './backup-parts.ts';
import { type BlockKind, blockBytes, sealBlock } from './block.ts';

/** More of them at once take memory and no less time: Node compresses on four threads. */
const blocksAtOnce = 4;

type Block = readonly [BlockKind, Uint8Array];

export async function* encodeBackup(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  const waiting: Promise<Buffer>[] = [];
  for await (const [kind, plain] of blocksOf(parts)) {
    const sealed = sealBlock(kind, plain);
    // Awaited in order; one that fails meanwhile must not end the process.
    sealed.catch(() => undefined);
    waiting.push(sealed);
    if (waiting.length >= blocksAtOnce) yield await (waiting.shift() ?? sealed);
  }
  for (const sealed of waiting) yield await sealed;
}

/** The texts in between are lines that no row looks like, so that what `zcat` shows can be taken apart. */
async function* blocksOf(parts: AsyncIterable<BackupPart>): AsyncGenerator<Block> {
  const seal = createHash('sha256');
  const line = (text: string) => Buffer.from(`${text}\n`);
  for await (const part of parts) {
    if (part.kind === 'rows') {
      yield* cut(part.bytes);
    } else if (part.kind === 'end') {
      yield ['E', line(`\\. ${JSON.stringify({ ...part.end, sha256: seal.digest('hex') })}`)];
    } else {
      const isHeader = part.kind === 'header';
      const text = isHeader
        ? line(`airank-backup ${JSON.stringify(part.header)}`)
        : line(`\\. ${JSON.stringify(part.end)}`);
      seal.update(text);
      yield* isHeader ? cut(text, 'H') : cut(text, 'T');
    }
  }
}

function* cut(bytes: Buffer, kind: BlockKind = 'R'): Generator<Block> {
  for (let at = 0; at < bytes.length; at += blockBytes) yield [kind, bytes.subarray(at, at + blockBytes)];
}
