// Refuses a first migrate unless every schema of the warehouse is empty. Names are no proof of ownership:
// databases have schemas called bi, api or ops with views of their own.
import { sql } from 'kysely';
import { ConfigError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { ownSchemas } from '../db/schemas.ts';
import { type Migrations, readMigrations } from './migration-files.ts';

/**
 * Says which objects of others are in the schemas of a warehouse that does not exist yet, and what to do;
 * undefined: none. Kysely's two own tables do not count: a first migrate that was killed leaves them.
 */
export async function foreignObjectsFault(db: Executor, { done }: Migrations): Promise<string | undefined> {
  if (done.size > 0) return undefined;
  const { rows } = await sql<{ schema: string; objects: number; example: string; database: string }>`
    select n.nspname as schema, count(*)::integer as objects, current_database() as database,
      min(pg_describe_object(d.classid, d.objid, d.objsubid)) as example
    from pg_namespace n
    join pg_depend d on d.refclassid = 'pg_namespace'::regclass and d.refobjid = n.oid and d.deptype = 'n'
      and d.classid <> 'pg_default_acl'::regclass
    where n.nspname = any (${[...ownSchemas]}::text[])
      and (d.classid, d.objid) not in (
        select 'pg_class'::regclass::oid, c.oid from pg_class c
        where c.oid in (to_regclass('sync.migration'), to_regclass('sync.migration_lock'))
      )
    group by n.nspname order by n.nspname`.execute(db);
  const [first] = rows;
  // Another process may have migrated meanwhile: then these objects are ours.
  if (first === undefined || (await readMigrations(db)).done.size > 0) return undefined;
  const found = rows.map(({ schema, objects, example }) =>
    objects === 1 ? `${schema} (${example})` : `${schema} (${example} and ${objects - 1} more)`,
  );
  return (
    `Expected the schemas of the warehouse to be absent or empty in database ${first.database}, got objects of others in ` +
    `${found.join(', ')}. Nothing was changed. Create a database for the warehouse alone (create database airank) and set ` +
    'DATABASE_URL to it'
  );
}

/** @throws ConfigError where others have something in them */
export async function refuseForeignObjects(db: Executor, migrations: Migrations): Promise<void> {
  const fault = await foreignObjectsFault(db, migrations);
  if (fault !== undefined) throw new ConfigError([fault]);
}
