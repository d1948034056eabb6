// What a warehouse lacks of this version's schema.
import type pg from 'pg';
import { readCodeFiles } from '../code/code-files.ts';
import { findCodeChanges } from '../code/install-code.ts';
import { createDatabase, type Executor } from '../connection/database.ts';
import { hasQueue } from '../queue/install-queue.ts';
import { type Migrations, readMigrations } from './migration-files.ts';

/** Names of migrations not applied yet; if there are none, of functions to install. Needs no rights to write. */
export async function pendingSchema(pool: pg.Pool): Promise<readonly string[]> {
  const db = createDatabase(pool);
  return await pendingAfter(db, await readMigrations(db));
}

/** The same, where the migrations are read already. */
export async function pendingAfter(db: Executor, { all, done }: Migrations): Promise<readonly string[]> {
  const pending = all.filter((name) => !done.has(name));
  if (pending.length > 0) return pending;
  if (!(await hasQueue(db))) return ['the queue of jobs'];
  const { functions } = await findCodeChanges(db, await readCodeFiles());
  return functions.map(({ name }) => name);
}
