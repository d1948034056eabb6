// A warehouse as the parts of a backup.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { refuseUnknown } from '../../install/expect-schema.ts';
import { appliedMigrations, readMigrationFiles } from '../../install/migration-files.ts';
import { type BackupPart, backupFormat, type SavedTable } from './backup-parts.ts';
import { copyOut } from './copy-out.ts';
import { prepareSession } from './copy-text.ts';
import { openSnapshot } from './open-snapshot.ts';
import { listNumbers } from './saved-tables.ts';

export interface ReadOptions {
  readonly airankVersion: string;
  readonly now: () => Date;
}

/** Of one state, beside syncs that go on. In constant memory. */
export async function* readWarehouse(pool: pg.Pool, options: ReadOptions): AsyncGenerator<BackupPart> {
  const client = await pool.connect();
  try {
    await refuseUnreadable(client);
    await prepareSession(client);
    yield* readSnapshot(client, await openSnapshot(client, 'shared'), options);
  } finally {
    // A copy that was not read to its end leaves the connection unusable, and its settings are its own.
    client.release(true);
  }
}

/** @param client in the transaction of the snapshot */
export async function* readSnapshot(
  client: pg.ClientBase,
  tables: SavedTable[],
  { airankVersion, now }: ReadOptions,
): AsyncGenerator<BackupPart> {
  const { rows } = await client.query<{ version: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  const header = {
    format: backupFormat,
    airank_version: airankVersion,
    postgres_version: rows[0]?.version ?? '',
    made_at: now().toISOString(),
    migrations: await appliedMigrations(client),
    tables,
    numbers: await listNumbers(client),
  } as const;
  yield { kind: 'header', header };
  let all = 0;
  for (const table of tables) {
    const pieces = copyOut(client, table);
    let piece = await pieces.next();
    for (; piece.done !== true; piece = await pieces.next()) yield { kind: 'rows', bytes: piece.value };
    all += piece.value.rows;
    yield { kind: 'table', end: piece.value };
  }
  yield { kind: 'end', end: { tables: tables.length, rows: all } };
}

/** @throws WarehouseError where there is no warehouse, or its schema is one that this version could not restore */
export async function refuseUnreadable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('sync.migration') is not null and to_regclass('sync.slice') is not null as is_there`,
  );
  if (rows[0]?.is_there === true) {
    const done = new Set(await appliedMigrations(client));
    refuseUnknown({ all: (await readMigrationFiles()).map(({ name }) => name), done });
    return;
  }
  throw new WarehouseError('Expected a warehouse in this database, got none. Check DATABASE_URL');
}
