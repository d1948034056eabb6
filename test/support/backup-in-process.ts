// Backups in memory: of warehouses, and made ones that no warehouse is needed for.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { backUp } from '../../src/backup/back-up.ts';
import {
  type BackupHeader,
  type BackupPart,
  decodeBackup,
  encodeBackup,
  newHeader,
} from '../../src/backup/backup-file.ts';
import { type Restored, restore } from '../../src/backup/restore.ts';
import { catalog } from '../../src/streams/catalog.ts';

export const streamNames = catalog.map(({ name }) => name);

export async function backUpToMemory(pool: pg.Pool): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const write = async (encoded: AsyncIterable<Uint8Array>) => {
    for await (const piece of encoded) pieces.push(piece);
  };
  await backUp(pool, write, () => undefined);
  return Buffer.concat(pieces);
}

/** @param pieceBytes how the file comes in pieces */
export function partsOf(file: Uint8Array, pieceBytes = file.length): AsyncGenerator<BackupPart> {
  const length = Math.ceil(file.length / Math.max(pieceBytes, 1));
  const pieces = Array.from({ length }, (_, at) => file.subarray(at * pieceBytes, (at + 1) * pieceBytes));
  return decodeBackup({ bytes: Readable.from(pieces), name: 'b.gz' });
}

export async function restoreFrom(pool: pg.Pool, file: Uint8Array, folder?: string): Promise<Restored> {
  return await restore(pool, partsOf(file), streamNames, folder);
}

export async function headerOf(file: Uint8Array): Promise<BackupHeader> {
  for await (const part of partsOf(file)) if (part.kind === 'header') return part.header;
  throw new Error('Expected a backup to begin with its header');
}

/** The file with its text changed, and a gzip that fits it. */
export function withText(file: Uint8Array, change: (text: string) => string): Buffer {
  return gzipSync(change(gunzipSync(file).toString()));
}

/** @param tables of schema sync, with the pieces in which their rows come */
export async function makeBackup(tables: Readonly<Record<string, readonly string[]>>): Promise<Buffer> {
  async function* parts(): AsyncGenerator<BackupPart> {
    const header = newHeader({
      airank_version: '9.9.9',
      made_at: '2026-04-03T00:00:00.000Z',
      migrations: ['000001_tables_08'],
      tables: Object.keys(tables).map((table) => ({
        schema: 'sync',
        table,
        columns: ['id'],
        about_bytes: 4,
      })),
      numbers: [],
    });
    yield { kind: 'header', header };
    for (const [table, pieces] of Object.entries(tables)) {
      for (const piece of pieces) yield { kind: 'rows', bytes: Buffer.from(piece) };
      const text = pieces.join('');
      const sha256 = createHash('sha256').update(text).digest('hex');
      yield { kind: 'table', end: { table: `sync.${table}`, rows: text.split('\n').length - 1, sha256 } };
    }
  }
  const pieces: Buffer[] = [];
  for await (const piece of encodeBackup(parts())) pieces.push(piece);
  return Buffer.concat(pieces);
}
