// A backup of a warehouse, as a file written whole or not at all.
import { stat } from 'node:fs/promises';
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/package.ts';
import { writeWhole } from '../../core/write-whole.ts';
import { codeOf } from '../../db/sqlstate.ts';
import { type Contents, collect } from './contents.ts';
import { encodeBackup } from './encode-backup.ts';
import { readWarehouse } from './read-warehouse.ts';
import { type BackupProgress, watchParts } from './watch-parts.ts';

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
