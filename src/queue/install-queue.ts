// The tables of the queue, which its library makes; once a database, and again when a release brings newer ones.
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import { queueSchema } from './engine.ts';
import { loadLibrary } from './library.ts';

/** The newest migration of graphile-worker 0.17.3. A test compares it with the library. */
export const queueRevision = 19;

/** The tables are there, as this release needs them or newer. */
export async function hasQueue(db: Kysely<Database>): Promise<boolean> {
  const found = await sql<{ exists: boolean }>`
    select to_regclass(${`${queueSchema}.migrations`}) is not null as exists`.execute(db);
  if (found.rows[0]?.exists !== true) return false;
  const newest = await sql<{ id: number | null }>`
    select max(id) as id from ${sql.table(`${queueSchema}.migrations`)}`.execute(db);
  return (newest.rows[0]?.id ?? 0) >= queueRevision;
}

/** Safe from several processes at once. */
export async function installQueue(pool: pg.Pool): Promise<void> {
  const { Logger, runMigrations } = await loadLibrary();
  await runMigrations({ pgPool: pool, schema: queueSchema, logger: new Logger(() => () => undefined) });
}
