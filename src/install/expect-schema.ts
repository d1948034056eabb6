// Whether a process may work on the warehouse as it is: its schema is this version's, neither older nor newer.
import type pg from 'pg';
import { messageOf, SchemaError } from '../core/errors.ts';
import { packageVersion } from '../core/package.ts';
import { plural } from '../core/text.ts';
import { presentObjects } from '../db/code/install-code.ts';
import { createDatabase } from '../db/database.ts';
import { isForbidden } from '../db/sqlstate.ts';
import { findGone, goneText, refuseLost } from './gone.ts';
import { type Migrations, readMigrations } from './migration-files.ts';
import { pendingAfter } from './pending-schema.ts';
import { refuseUnknown } from './unknown-migrations.ts';

/**
 * A role that may not look into the bookkeeping is not refused: it finds out by what it reads.
 * @param fix the command that brings the schema up to date
 * @throws SchemaError when it is older or newer, or something of it is gone but views
 */
export async function expectSchema(pool: pg.Pool, fix = 'airank migrate'): Promise<void> {
  try {
    const db = createDatabase(pool);
    const migrations = await readMigrations(db);
    refuseUnknown(migrations);
    const gone = await findGone(db, migrations);
    refuseLost(gone);
    if (gone.needed.length > 0) throw new SchemaError(`${goneText(gone.needed)}. Run: ${fix}`);
    const pending = await pendingAfter(db, migrations);
    if (pending.length > 0) throw new SchemaError(`${olderText(migrations, pending)}. Run: ${fix}`);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** Whether there is one, of whatever version. A role that may not look into the bookkeeping counts as fine. */
export async function hasWarehouse(pool: pg.Pool): Promise<boolean> {
  try {
    const db = createDatabase(pool);
    return (await readMigrations(db)).done.size > 0 || (await presentObjects(db)).has('snapshot.record');
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

/** For people; undefined: the schema is that of this version. @param fix as above */
export async function schemaFault(pool: pg.Pool, fix?: string): Promise<string | undefined> {
  try {
    await expectSchema(pool, fix);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return messageOf(error);
    throw error;
  }
}

function olderText({ all, done }: Migrations, pending: readonly string[]): string {
  const [first, ...more] = pending;
  const version = packageVersion();
  return done.size < all.length
    ? `The schema of this warehouse is ${plural(pending.length, 'migration')} older than this version, ${version} ` +
        `(${more.length === 0 ? '' : 'first: '}${first})`
    : `The schema of this warehouse is older than this version, ${version}: ` +
        `it lacks ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
