// One state of all tables, for as long as the connection's transaction lasts.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { codeOf, isLockTimeout } from '../../db/sqlstate.ts';
import { type SavedTable, savedTableName } from './backup-parts.ts';
import { qualifiedName } from './copy-text.ts';
import { listTables } from './saved-tables.ts';

/** `shared`: syncs go on meanwhile; no table may be replaced. `still`: nothing may be written meanwhile. */
export type SnapshotKind = 'shared' | 'still';

const attempts = 5;

/** How long a publish, or what replaces a typed table, may hold up the beginning. */
const waitMs = 30_000;

/**
 * Begins the transaction and locks every table before its snapshot is taken: a typed table that another one replaced
 * after that would look empty.
 * @param client a prepared session of its own; close it afterwards
 */
export async function openSnapshot(client: pg.ClientBase, kind: SnapshotKind): Promise<SavedTable[]> {
  for (let attempt = 1; ; attempt += 1) {
    const listed = await listTables(client);
    try {
      await lockAll(client, listed, kind);
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
async function lockAll(
  client: pg.ClientBase,
  tables: readonly SavedTable[],
  kind: SnapshotKind,
): Promise<void> {
  const names = tables.map(qualifiedName).join(', ');
  const isStill = kind === 'still';
  await client.query(`begin isolation level repeatable read${isStill ? '' : ', read only'}`);
  await client.query(`set local lock_timeout = ${waitMs}`);
  // Batches first: no other one begins then.
  if (isStill) await client.query('lock table sync.batch in share row exclusive mode');
  await client.query(`lock table ${names} in ${isStill ? 'share' : 'access share'} mode`);
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
