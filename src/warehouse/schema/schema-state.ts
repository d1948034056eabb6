// Whether a warehouse can be read at all, for commands that look without changing anything.
import { sql } from 'kysely';
import type pg from 'pg';
import { createDatabase } from '../connection/database.ts';
import { pendingMigrations } from './migrate.ts';

export interface SchemaState {
  /** Names of migrations not applied yet. */
  readonly pending: readonly string[];
  /** The tables of bookkeeping and data are there, perhaps of an earlier version. */
  readonly readable: boolean;
}

export async function readSchemaState(pool: pg.Pool): Promise<SchemaState> {
  const found = await sql<{ readable: boolean }>`
    select bool_and(to_regclass(name) is not null) as readable
    from unnest(array['sync.batch', 'sync.run', 'sync.slice', 'sync.page', 'sync.stream', 'sync.budget',
      'sync.budget_account', 'snapshot.record']) as name`.execute(createDatabase(pool));
  return { pending: await pendingMigrations(pool), readable: found.rows[0]?.readable === true };
}
