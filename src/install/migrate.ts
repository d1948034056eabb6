// Applies sql/migrations/*.sql, each once and in order, under Kysely's advisory lock; installs functions and views
// that changed or are gone; gives every stream its partition of snapshot.record.
import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import type pg from 'pg';
import { ConfigError, messageOf, WarehouseError } from '../core/errors.ts';
import { readCodeFiles } from '../db/code/code-files.ts';
import {
  type InstalledViews,
  installFunctions,
  installViews,
  presentObjects,
} from '../db/code/install-code.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import { registerFields } from '../mapping/register-fields.ts';
import { refreshClients } from '../publish/tables/client-list.ts';
import type { fillTyped } from '../publish/tables/rebuild-typed.ts';
import { refreshMapping } from '../publish/views/refresh-mapping.ts';
import { refuseUnknown } from './expect-schema.ts';
import { refuseForeignObjects } from './foreign-objects.ts';
import { readMigrationFiles, readMigrations } from './migration-files.ts';
import { findMissingObjects, makeSchemas, refuseLost } from './missing-objects.ts';

export interface MigrateResult {
  readonly applied: readonly string[];
  /** Objects that were gone and made again, without views of `api`, which a refresh makes. */
  readonly again: readonly string[];
  readonly views: InstalledViews;
}

/** Plain SQL files as Kysely migrations; forward only. */
function createMigrator(db: Kysely<Database>, folder: string | undefined): Migrator {
  const provider: MigrationProvider = {
    async getMigrations(): Promise<Record<string, Migration>> {
      const files = await readMigrationFiles(folder);
      return Object.fromEntries(
        files.map(({ name, text }) => [
          name,
          {
            up: async (tx: Kysely<unknown>) => {
              await sql.raw(text).execute(tx);
            },
          },
        ]),
      );
    },
  };
  return new Migrator({
    db,
    provider,
    migrationTableSchema: 'sync',
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  });
}

/**
 * @param folder of the migrations, default: those of this version
 * @param last up to this one; default: all
 * @returns the names of those that were applied
 */
export async function applyMigrations(
  db: Kysely<Database>,
  folder?: string,
  last?: string,
): Promise<readonly string[]> {
  const migrator = createMigrator(db, folder);
  const { error, results = [] } = await (last === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(last));
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName;
    throw new WarehouseError(
      `Migration ${failed ?? '(before the first)'} failed: ${messageOf(error)}. It was rolled back; ` +
        'check that the role may create schemas in this database (airank doctor)',
      {},
      { cause: error },
    );
  }
  return results.filter((r) => r.status === 'Success').map((r) => r.migrationName);
}

/** Refuses all but UTF8: others take any bytes, or refuse some, which is found out years later. */
export async function refuseEncoding(db: Kysely<Database>): Promise<void> {
  const found = await sql<{ encoding: string; name: string }>`
    select current_setting('server_encoding') as encoding, current_database() as name`.execute(db);
  const [{ encoding, name } = { encoding: 'UTF8', name: '' }] = found.rows;
  if (encoding === 'UTF8') return;
  throw new ConfigError([
    `Expected the database ${name} to have the encoding UTF8, got ${encoding}. Nothing was changed. Create another one ` +
      "and set DATABASE_URL to it: create database airank template template0 encoding 'UTF8'",
  ]);
}

/**
 * Brings the warehouse to this version's schema. Safe to call at every start and from several processes.
 * @param streams names whose partitions must exist afterwards
 * @param folder of the migrations, default: those of this version
 * @param fill how tables of typed rows are filled; default: beside those that views show
 * @throws ConfigError when the database is not in UTF8, or others have something in its schemas before the first time
 * @throws SchemaError when the database has migrations that this version does not know, or tables are gone for good
 * @throws WarehouseError when a migration or a file of code fails
 */
export async function migrate(
  pool: pg.Pool,
  streams: readonly string[],
  folder?: string,
  fill?: typeof fillTyped,
): Promise<MigrateResult> {
  const db = createDatabase(pool);
  const migrations = await readMigrations(db, folder);
  refuseUnknown(migrations);
  await refuseEncoding(db);
  // The migrator would read the whole catalog for it at every start.
  const { all, done } = migrations;
  const isCurrent = done.size === all.length && all.every((name) => done.has(name));
  if (!isCurrent) refuseLost(await findMissingObjects(db, migrations, await presentObjects(db)));
  await refuseForeignObjects(db, migrations);
  const applied = isCurrent ? [] : await applyMigrations(db, folder);
  const gone = await findMissingObjects(db, { all, done: new Set(all) }, await presentObjects(db));
  refuseLost(gone);
  await makeSchemas(db, gone);
  const files = await readCodeFiles();
  const { functions, views, vanished } = gone.changes;
  if (functions.length > 0) await installFunctions(db, files);
  // The curated views read these, whatever the configuration leaves out.
  const read = logicalSources.map((source) => source.stream);
  await ensureStreams(db, [...new Set(['envelope', ...read, ...streams])]);
  await registerFields(db);
  await refreshMapping(db, undefined, undefined, fill);
  if (functions.length > 0) await refreshClients(db, null);
  const isNew = views.length > 0 || vanished.length > 0;
  const installed = isNew ? await installViews(db, files) : { installed: [], dropped: [], left: [] };
  return {
    applied,
    views: installed,
    again: [...gone.needed, ...gone.views.filter((name) => !name.startsWith('api.'))],
  };
}

/** Gives each stream its table; returns at once for those that have one. */
export async function ensureStreams(db: Kysely<Database>, streams: readonly string[]): Promise<void> {
  await sql`select sync.ensure_stream(name) from unnest(${streams}::text[]) as name`.execute(db);
}
