// What a warehouse lacks of this version's schema.
import type pg from 'pg';
import { readCodeFiles } from '../db/code/code-files.ts';
import { findCodeChanges } from '../db/code/install-code.ts';
import { createDatabase, type Executor } from '../db/database.ts';
import { hasQueue } from '../queue/install-queue.ts';
import { findGone, refuseLost } from './gone.ts';
import { type Migrations, readMigrations } from './migration-files.ts';

/** What `migrate` would bring or make again. Needs no rights to write. @throws SchemaError where tables are gone for good */
export async function pendingSchema(pool: pg.Pool): Promise<readonly string[]> {
  const db = createDatabase(pool);
  const migrations = await readMigrations(db);
  const gone = await findGone(db, migrations);
  refuseLost(gone);
  const pending = await pendingAfter(db, migrations);
  return [...new Set([...pending, ...gone.needed, ...gone.views])];
}

/** Names of migrations not applied yet; if there are none, of functions to install. */
export async function pendingAfter(db: Executor, { all, done }: Migrations): Promise<readonly string[]> {
  const pending = all.filter((name) => !done.has(name));
  if (pending.length > 0) return pending;
  if (!(await hasQueue(db))) return ['the queue of jobs'];
  const { functions } = await findCodeChanges(db, await readCodeFiles());
  return functions.map(({ name }) => name);
}
