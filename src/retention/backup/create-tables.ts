// The tables of a warehouse at some migrations, all in the caller's transaction: who looks meanwhile sees an empty
// database, and so does who looks after a crash.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/files.ts';
import { readMigrationFiles } from '../../install/migration-files.ts';

/** As Kysely makes them, which goes on from there. */
const ledger = `
  create schema if not exists sync;
  create table sync.migration (name varchar(255) not null primary key, "timestamp" varchar(255) not null);
  create table sync.migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
  insert into sync.migration_lock (id, is_locked) values ('migration_lock', 0)`;

/** @throws WarehouseError when this release does not know one of them, or one fails */
export async function createTables(client: pg.ClientBase, migrations: readonly string[]): Promise<void> {
  const files = (await readMigrationFiles()).filter(({ name }) => migrations.includes(name));
  await client.query(ledger);
  for (const { name, text } of files) {
    try {
      await client.query(text);
    } catch (error) {
      throw new WarehouseError(
        `Migration ${name} failed: ${messageOf(error)}. Nothing was changed; check that the role may create schemas ` +
          'in the target database',
        {},
        { cause: error },
      );
    }
    await client.query('insert into sync.migration (name, "timestamp") values ($1, $2)', [
      name,
      new Date().toISOString(),
    ]);
  }
}

/** @throws WarehouseError when a later release made it */
export async function refuseLaterSchema(header: {
  readonly migrations: readonly string[];
  readonly airank_version: string;
}): Promise<void> {
  const known = (await readMigrationFiles()).map(({ name }) => name);
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const { airank_version: version } = header;
  // A release before this check also wrote backups of a schema that it did not know itself.
  const fix =
    version === packageVersion()
      ? 'a development version made that schema, and only that can restore it'
      : `update airank-warehouse to ${version} or later`;
  throw new WarehouseError(
    `Expected a backup whose schema this release knows, got one with migration ${unknown}, which airank-warehouse ` +
      `${version} wrote. Nothing was changed; ${fix}`,
  );
}
