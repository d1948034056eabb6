// Whether a warehouse can be read at all, for commands that look without changing anything.
import { sql } from 'kysely';
import type pg from 'pg';
import { createDatabase } from '../db/database.ts';
import { findGone, type Gone } from './gone.ts';
import { readMigrations } from './migration-files.ts';
import { pendingAfter } from './pending-schema.ts';
import { unknownText } from './unknown-migrations.ts';

export interface SchemaState {
  /** Migrations not applied yet, else functions to install. */
  readonly pending: readonly string[];
  /** A newer or a development version made it: what to do. */
  readonly unknown?: string | undefined;
  readonly gone: Gone;
  /** The tables of bookkeeping and data are there, perhaps of an earlier version. */
  readonly readable: boolean;
}

export async function readSchemaState(pool: pg.Pool): Promise<SchemaState> {
  const db = createDatabase(pool);
  const found = await sql<{ readable: boolean }>`
    select bool_and(to_regclass(name) is not null) as readable
    from unnest(array['sync.batch', 'sync.run', 'sync.slice', 'sync.page', 'sync.stream', 'sync.budget',
      'sync.budget_account', 'snapshot.record']) as name`.execute(db);
  const migrations = await readMigrations(db);
  const readable = found.rows[0]?.readable === true;
  const unknown = unknownText(migrations);
  const gone = unknown === undefined ? await findGone(db, migrations) : { needed: [], views: [] };
  const pending = unknown !== undefined || gone.lost !== undefined ? [] : await pendingAfter(db, migrations);
  return { pending, unknown, gone, readable };
}
