// Backups of warehouses of a test, in memory.
import type pg from 'pg';
import { catalog } from '../../src/streams/catalog.ts';
import type { BackupPart } from '../../src/warehouse/backup/backup-parts.ts';
import { decodeBackup } from '../../src/warehouse/backup/decode-backup.ts';
import { encodeBackup } from '../../src/warehouse/backup/encode-backup.ts';
import { type Finished, finishRestore } from '../../src/warehouse/backup/finish-restore.ts';
import { type Loaded, loadWarehouse } from '../../src/warehouse/backup/load-warehouse.ts';
import { readWarehouse } from '../../src/warehouse/backup/read-warehouse.ts';

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
  const loaded = await loadWarehouse(pool, parts, { compare: true });
  return { ...loaded, ...(await finishRestore(pool, streamNames)) };
}
