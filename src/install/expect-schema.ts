// Whether a process may work on the warehouse as it is: its schema is this version's, neither older nor newer.

import { sql } from 'kysely';
import type pg from 'pg';
import { messageOf, SchemaError } from '../core/errors.ts';
import { packageVersion } from '../core/files.ts';
import { plural } from '../core/text.ts';
import { readCodeFiles } from '../db/code/code-files.ts';
import { findCodeChanges, presentObjects } from '../db/code/install-code.ts';
import { createDatabase, type Executor } from '../db/database.ts';
import { isForbidden } from '../db/sqlstate.ts';
import { findGone, type Gone, goneText, refuseLost } from './gone.ts';
import { type Migrations, readMigrations } from './migration-files.ts';
import { othersFault } from './others.ts';

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
async function pendingAfter(db: Executor, { all, done }: Migrations): Promise<readonly string[]> {
  const pending = all.filter((name) => !done.has(name));
  if (pending.length > 0) return pending;
  const { functions } = await findCodeChanges(db, await readCodeFiles());
  return functions.map(({ name }) => name);
}

/** @throws SchemaError where there are any */
export function refuseUnknown(migrations: Migrations): void {
  const text = unknownText(migrations);
  if (text !== undefined) throw new SchemaError(text);
}

/** What is wrong and what to do; undefined: there are none. */
function unknownText({ all, done }: Migrations): string | undefined {
  const unknown = [...done].filter((name) => !all.includes(name)).sort();
  const [first, ...more] = unknown;
  if (first === undefined) return undefined;
  const which = `${more.length === 0 ? '' : 'first: '}${first}`;
  const version = packageVersion();
  const last = all.at(-1) ?? '';
  if (unknown.every((name) => name > last)) {
    return (
      `The schema of this warehouse is ${plural(unknown.length, 'migration')} newer than this version, ${version} ` +
      `(${which}). Nothing was changed. Update airank-warehouse to the version that made it`
    );
  }
  return (
    `The schema of this warehouse has ${plural(unknown.length, 'migration')} that this version, ${version}, does not ` +
    `know (${which}): a development version made it. Nothing was changed. Set DATABASE_URL to another database, or ` +
    'export what you need with that version (airank export), drop the database and create it anew; of the embedded ' +
    'server, delete .airank/'
  );
}

/** Whether a warehouse can be read at all, for commands that look without changing anything. */
export interface SchemaState {
  readonly pending: readonly string[];
  /** A newer or a development version made it: what to do. */
  readonly unknown?: string | undefined;
  readonly gone: Gone;
  /** What others have in the schemas of a warehouse that is not there yet, with what to do. */
  readonly others?: string | undefined;
  /** Views that keep an earlier text, since the last migrate could not replace them. */
  readonly left: readonly string[];
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
  const isBroken = unknown !== undefined || gone.lost !== undefined;
  const pending = isBroken ? [] : await pendingAfter(db, migrations);
  const isCurrent = !isBroken && pending.length === 0 && readable;
  const left = isCurrent
    ? (await findCodeChanges(db, await readCodeFiles())).views.flatMap(({ makes }) => makes)
    : [];
  return { pending, unknown, gone, others: await othersFault(db, migrations), left, readable };
}

/**
 * A role that may not look into the bookkeeping is not refused: it finds out by what it reads.
 * @param fix the command that brings the schema up to date
 * @param folder of the migrations, default: those of this version
 * @throws SchemaError when it is older or newer, or something of it is gone but views
 */
export async function expectSchema(pool: pg.Pool, fix = 'airank migrate', folder?: string): Promise<void> {
  try {
    const db = createDatabase(pool);
    const migrations = await readMigrations(db, folder);
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
