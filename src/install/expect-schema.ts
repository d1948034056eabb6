// Checks whether a process may work on the warehouse: its schema is this version's, neither older nor newer.

import type pg from 'pg';
import { messageOf, SchemaError } from '../core/errors.ts';
import { packageVersion } from '../core/files.ts';
import { plural } from '../core/text.ts';
import { presentObjects } from '../db/code/install-code.ts';
import { atOnce, createDatabase, type Executor } from '../db/database.ts';
import { isForbidden } from '../db/sqlstate.ts';
import { foreignObjectsFault } from './foreign-objects.ts';
import { type Migrations, readMigrations } from './migration-files.ts';
import {
  findMissingObjects,
  type MissingObjects,
  missingText,
  noneMissing,
  refuseLost,
} from './missing-objects.ts';

/**
 * Lists what `migrate` would apply or make again. Needs no right to write.
 * @throws SchemaError if the schema is newer, or tables are lost for good
 */
export async function pendingSchema(pool: pg.Pool): Promise<readonly string[]> {
  const { migrations, gone } = await readInstalled(createDatabase(pool));
  refuseUnknown(migrations);
  refuseLost(gone);
  return [...new Set([...pendingOf(migrations, gone), ...gone.needed, ...gone.views])];
}

interface Installed {
  readonly migrations: Migrations;
  readonly there: ReadonlySet<string>;
  readonly gone: MissingObjects;
}

async function readInstalled(db: Executor, folder?: string): Promise<Installed> {
  const [migrations, there] = await atOnce(db, (one) =>
    Promise.all([readMigrations(one, folder), presentObjects(one)]),
  );
  // A schema of an unknown version may have other tables.
  const isKnown = unknownText(migrations) === undefined;
  const gone = isKnown ? await findMissingObjects(db, migrations, there) : noneMissing;
  return { migrations, there, gone };
}

/** Names of migrations not applied yet; if there are none, of functions to install. */
function pendingOf({ all, done }: Migrations, { changes }: MissingObjects): readonly string[] {
  const pending = all.filter((name) => !done.has(name));
  return pending.length > 0 ? pending : changes.functions.map(({ name }) => name);
}

/** @throws SchemaError where there are any */
export function refuseUnknown(migrations: Migrations): void {
  const text = unknownText(migrations);
  if (text !== undefined) throw new SchemaError(text);
}

/** Says which migrations this version does not know, and what to do; undefined if it knows all. */
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
    'export what you need with that version (airank export), drop the database and create it again; for the ' +
    'embedded server, delete .airank/'
  );
}

export interface SchemaState {
  readonly pending: readonly string[];
  /** Says what to do if a newer or a development version made the schema. */
  readonly unknown?: string | undefined;
  readonly gone: Omit<MissingObjects, 'changes'>;
  /** Says what to do about objects of others where there is no warehouse yet. */
  readonly others?: string | undefined;
  /** Views that keep an earlier text, since the last migrate could not replace them. */
  readonly left: readonly string[];
  /** True if the tables of bookkeeping and data are there, perhaps of an earlier version. */
  readonly readable: boolean;
}

export async function readSchemaState(db: Executor): Promise<SchemaState> {
  const { migrations, there, gone } = await readInstalled(db);
  const unknown = unknownText(migrations);
  const readable = there.has('snapshot.record') && readTables.every((name) => there.has(`sync.${name}`));
  const isBroken = unknown !== undefined || gone.lost !== undefined;
  const pending = isBroken ? [] : pendingOf(migrations, gone);
  const isCurrent = !isBroken && pending.length === 0 && readable;
  const left = isCurrent ? gone.changes.views.flatMap(({ makes }) => makes) : [];
  return { pending, unknown, gone, others: await foreignObjectsFault(db, migrations), left, readable };
}

const readTables = ['batch', 'run', 'slice', 'page', 'stream', 'budget', 'budget_account'];

/**
 * Refuses a schema of another version. A role that may not read the bookkeeping passes: it finds out by what it
 * reads.
 * @param fix the command that brings the schema up to date
 * @param folder of the migrations, default: those of this version
 * @throws SchemaError when it is older or newer, or something of it is gone but views
 */
export async function expectSchema(pool: pg.Pool, fix = 'airank migrate', folder?: string): Promise<void> {
  try {
    refuseOther(await readInstalled(createDatabase(pool), folder), fix);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

function refuseOther({ migrations, gone }: Installed, fix: string): void {
  refuseUnknown(migrations);
  refuseLost(gone);
  if (gone.needed.length > 0) throw new SchemaError(`${missingText(gone.needed)}. Run: ${fix}`);
  const pending = pendingOf(migrations, gone);
  if (pending.length > 0) throw new SchemaError(`${olderText(migrations, pending)}. Run: ${fix}`);
}

/**
 * Tells whether there is a warehouse. A role that may not read the bookkeeping counts as fine.
 * @param fix as above; undefined: any version will do
 * @param views that must be there too
 * @throws SchemaError as above
 */
export async function hasWarehouse(
  pool: pg.Pool,
  fix: string | undefined,
  { views }: { readonly views: boolean },
): Promise<boolean> {
  try {
    const installed = await readInstalled(createDatabase(pool));
    const isThere = installed.migrations.done.size > 0 || installed.there.has('snapshot.record');
    if (isThere && fix !== undefined) {
      refuseOther(installed, fix);
      if (views && installed.gone.views.length > 0)
        throw new SchemaError(`${missingText(installed.gone.views)}. Run: ${fix}`);
    }
    return isThere;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

/** Says for people what is wrong with the schema; undefined: it is this version's. @param fix as above */
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
