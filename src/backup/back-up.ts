// Backs up a warehouse: one state of all its tables while syncs go on, in constant memory.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { messageOf, WarehouseError } from '../core/errors.ts';
import { packageVersion, writeWhole } from '../core/files.ts';
import { createDatabase, poolOn } from '../db/database.ts';
import { codeOf } from '../db/sqlstate.ts';
import { refuseUnknown } from '../install/expect-schema.ts';
import { readMigrations } from '../install/migration-files.ts';
import {
  type BackupPart,
  type BackupProgress,
  type Contents,
  encodeBackup,
  newHeader,
  savedTableName,
  watchParts,
} from './backup-file.ts';
import { copyTarget, listNumbers, listTables, prepareTransaction } from './saved-tables.ts';

/**
 * @param write receives the bytes
 * @param listen is told of each part; an error that it throws ends the backup
 */
export async function backUp(
  pool: pg.Pool,
  write: (encoded: AsyncIterable<Uint8Array>) => Promise<void>,
  listen: (progress: BackupProgress) => void,
): Promise<Contents> {
  const { parts, contents } = watchParts(readWarehouse(pool), listen);
  let isWritten = false;
  async function* encoded(): AsyncGenerator<Buffer> {
    yield* encodeBackup(parts);
    isWritten = true;
  }
  await write(encoded());
  if (isWritten) return contents();
  throw new WarehouseError('The reader of stdout stopped before the end, so the backup is incomplete');
}

const discIsFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * @param name of the file in messages
 * @returns its size in bytes, too
 */
export async function backUpToFile(
  pool: pg.Pool,
  file: string,
  name: string,
  listen: (progress: BackupProgress) => void,
): Promise<Contents & { readonly bytes: number }> {
  const write = (encoded: AsyncIterable<Uint8Array>) =>
    writeWhole(file, encoded, { mode: 0o600, isDurable: true }).catch((error: unknown) => {
      if (!discIsFull.has(codeOf(error) ?? '')) throw error;
      throw new WarehouseError(
        `${name} could not be written: ${messageOf(error)}. The part was deleted; free some space, or choose another place`,
        {},
        { cause: error },
      );
    });
  const contents = await backUp(pool, write, listen);
  return { ...contents, bytes: (await stat(file)).size };
}

async function* readWarehouse(pool: pg.Pool): AsyncGenerator<BackupPart> {
  const client = await pool.connect();
  try {
    // A table that a migration writes anew would look empty, so none commits before the end. LOCK takes no snapshot.
    await client.query('begin isolation level repeatable read; lock table sync.migration in share mode');
    await prepareTransaction(client);
    const migrations = await readMigrations(createDatabase(poolOn(pool, client)));
    refuseUnknown(migrations);
    const header = newHeader({
      airank_version: packageVersion(),
      made_at: new Date().toISOString(),
      migrations: [...migrations.done].sort(),
      tables: await listTables(client),
      numbers: await listNumbers(client),
    });
    yield { kind: 'header', header };
    for (const table of header.tables) {
      const stream = client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
      const hash = createHash('sha256');
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        hash.update(bytes);
        yield { kind: 'rows', bytes };
      }
      const end = { table: savedTableName(table), rows: stream.rowCount, sha256: hash.digest('hex') };
      yield { kind: 'table', end };
    }
  } finally {
    // A copy that was not read to its end leaves the connection unusable.
    client.release(true);
  }
}
