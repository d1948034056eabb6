// A warehouse as the parts of a backup.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { codeOf, isLockTimeout } from '../../db/sqlstate.ts';
import { refuseUnknown } from '../../install/expect-schema.ts';
import { appliedMigrations, readMigrationFiles } from '../../install/migration-files.ts';
import {
  type BackupPart,
  backupFormat,
  copyOut,
  prepareSession,
  qualifiedName,
  type SavedTable,
  savedTableName,
} from './backup-parts.ts';
import { listNumbers, listTables } from './saved-tables.ts';

const attempts = 5;

/** How long a publish, or what replaces a typed table, may hold up the beginning. */
const waitMs = 30_000;

/**
 * Begins the transaction and locks every table before its snapshot is taken: a typed table that another one replaced
 * after that would look empty.
 * @param client a prepared session of its own; close it afterwards
 */
async function openSnapshot(client: pg.ClientBase): Promise<SavedTable[]> {
  for (let attempt = 1; ; attempt += 1) {
    const listed = await listTables(client);
    try {
      await lockAll(client, listed);
      const tables = await listTables(client);
      if (namesOf(tables) === namesOf(listed)) return tables;
    } catch (error) {
      if (isLockTimeout(error)) throw isHeld(error);
      // undefined_table, undefined schema: it was replaced between the list and its lock.
      if (!['42P01', '3F000'].includes(codeOf(error) ?? '')) throw error;
    }
    await client.query('rollback');
    if (attempt >= attempts) {
      throw new WarehouseError(
        'Expected the tables to stay as they are while a backup begins, got new ones each time. Run it again later',
      );
    }
  }
}

/** LOCK takes no snapshot, so it must come before every select. */
async function lockAll(client: pg.ClientBase, tables: readonly SavedTable[]): Promise<void> {
  const names = tables.map(qualifiedName).join(', ');
  await client.query('begin isolation level repeatable read, read only');
  await client.query(`set local lock_timeout = ${waitMs}`);
  await client.query(`lock table ${names} in access share mode`);
}

const namesOf = (tables: readonly SavedTable[]) => JSON.stringify(tables.map(savedTableName).sort());

function isHeld(cause: unknown): WarehouseError {
  return new WarehouseError(
    `Expected the tables to be free within ${waitMs / 1000} s, got another process that writes or replaces them. ` +
      'Nothing was changed; run it again later',
    {},
    { cause },
  );
}

interface ReadOptions {
  readonly airankVersion: string;
  readonly now: () => Date;
}

/** Of one state, beside syncs that go on. In constant memory. */
export async function* readWarehouse(pool: pg.Pool, options: ReadOptions): AsyncGenerator<BackupPart> {
  const client = await pool.connect();
  try {
    await refuseUnreadable(client);
    await prepareSession(client);
    yield* readSnapshot(client, await openSnapshot(client), options);
  } finally {
    // A copy that was not read to its end leaves the connection unusable, and its settings are its own.
    client.release(true);
  }
}

/** @param client in the transaction of the snapshot */
async function* readSnapshot(
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
async function refuseUnreadable(client: pg.ClientBase): Promise<void> {
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
