// A backup as the bytes of a file. Blocks are compressed side by side and written in order.

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion, writeWhole } from '../../core/files.ts';
import { codeOf } from '../../db/sqlstate.ts';
import {
  type BackupHeader,
  type BackupPart,
  type BackupProgress,
  type TableEnd,
  watchParts,
} from './backup-parts.ts';
import { type BlockKind, blockBytes, sealBlock } from './block.ts';
import { readWarehouse } from './read-warehouse.ts';

/** What was in a backup, noted while its parts go by. */
export interface Contents {
  readonly header: BackupHeader;
  readonly tables: readonly TableEnd[];
}

/** `contents` gives what came, once all parts were read; undefined before. */
export function collect(from: AsyncIterable<BackupPart>): {
  readonly parts: AsyncGenerator<BackupPart>;
  readonly contents: () => Contents | undefined;
} {
  let header: BackupHeader | undefined;
  const tables: TableEnd[] = [];
  let isWhole = false;
  const contents = () => (isWhole && header !== undefined ? { header, tables } : undefined);
  async function* note(): AsyncGenerator<BackupPart> {
    for await (const part of from) {
      if (part.kind === 'header') header = part.header;
      if (part.kind === 'table') tables.push(part.end);
      yield part;
      if (part.kind === 'end') isWhole = true;
    }
  }
  return { parts: note(), contents };
}

/** @param write takes what is to be written; @param listen told of each part, and what it throws ends the backup */
export async function backUp(
  pool: pg.Pool,
  write: (encoded: AsyncIterable<Uint8Array>) => Promise<void>,
  listen: (progress: BackupProgress) => void,
): Promise<Contents> {
  const read = readWarehouse(pool, { airankVersion: packageVersion(), now: () => new Date() });
  const { parts, contents } = collect(watchParts(read, listen));
  await write(encodeBackup(parts));
  const whole = contents();
  if (whole !== undefined) return whole;
  throw new WarehouseError('Expected stdout to be read to the end, got a reader that left: it has no backup');
}

const discIsFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** @param name of the file, as messages call it */
export async function backUpToFile(
  pool: pg.Pool,
  file: string,
  name: string,
  listen: (progress: BackupProgress) => void,
): Promise<{ readonly contents: Contents; readonly bytes: number }> {
  const write = (encoded: AsyncIterable<Uint8Array>) =>
    writeWhole(file, encoded, { mode: 0o600, isDurable: true }).catch((error: unknown) => {
      if (!discIsFull.has(codeOf(error) ?? '')) throw error;
      throw new WarehouseError(
        `${name} could not be written: ${messageOf(error)}. Nothing of it is left; free some space or give another place`,
        {},
        { cause: error },
      );
    });
  const contents = await backUp(pool, write, listen);
  return { contents, bytes: (await stat(file)).size };
}

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
