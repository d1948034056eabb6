// A database as a released version left it: its tables, its rows, and its views and functions over them.
import type pg from 'pg';
import { loadWarehouse } from '../../src/retention/backup/load-warehouse.ts';
import { createTables } from '../../src/retention/backup/prepare-target.ts';
import { partsOf } from '../support/backup-in-process.ts';
import type { ReleasedWarehouse } from './released-versions.ts';

/** @param pool of an empty database */
export async function installReleased(pool: pg.Pool, released: ReleasedWarehouse): Promise<void> {
  const migrations = await migrationsOf(released.backup);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await createTables(client, migrations);
    await client.query(released.installed.objects);
    await client.query('commit');
    await loadWarehouse(pool, partsOf(released.backup));
    await client.query(released.installed.code);
  } finally {
    client.release(true);
  }
}

export async function migrationsOf(backup: Uint8Array): Promise<readonly string[]> {
  for await (const part of partsOf(backup)) if (part.kind === 'header') return part.header.migrations;
  throw new Error('Expected a backup to begin with its header');
}
