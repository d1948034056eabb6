// Backups of warehouses of a test, in memory.
import type pg from 'pg';
import type { BackupPart } from '../../src/retention/backup/backup-parts.ts';
import { decodeBackup } from '../../src/retention/backup/decode-backup.ts';
import { encodeBackup } from '../../src/retention/backup/encode-backup.ts';
import {
  type Finished,
  finishRestore,
  type Loaded,
  loadWarehouse,
} from '../../src/retention/backup/load-warehouse.ts';
import { readWarehouse } from '../../src/retention/backup/read-warehouse.ts';
import { catalog } from '../../src/streams/catalog.ts';

export const readOptions = { airankVersion: '9.9.9', now: () => new Date('2026-04-03T10:00:00Z') };

export const streamNames = catalog.map(({ name }) => name);

export async function backUp(pool: pg.Pool): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of encodeBackup(readWarehouse(pool, readOptions))) blocks.push(block);
  return Buffer.concat(blocks);
}

export function partsOf(file: Uint8Array): AsyncGenerator<BackupPart> {
  const pieces = async function* () {
    yield file;
  };
  return decodeBackup({ bytes: pieces(), name: 'b.gz' });
}

export async function restore(pool: pg.Pool, parts: AsyncIterable<BackupPart>): Promise<Loaded & Finished> {
  const loaded = await loadWarehouse(pool, parts);
  return { ...loaded, ...(await finishRestore(pool, streamNames)) };
}
