// What follows once the rows are in: later migrations, functions, and every view over the tables.
import type pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import { migrate } from '../../install/migrate.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';

export interface Finished {
  /** Migrations that the backup did not have yet. */
  readonly applied: readonly string[];
  /** Sources whose views could not be made, with the reason; the next sync tries again. */
  readonly failed: readonly { readonly source: string; readonly error: string }[];
}

/** Safe to do again: `airank migrate` does the same. @param streams those that must have a table */
export async function finishRestore(pool: pg.Pool, streams: readonly string[]): Promise<Finished> {
  const { applied } = await migrate(pool, streams);
  const { failed } = await refreshViews(createDatabase(pool), { all: true });
  return { applied, failed };
}
