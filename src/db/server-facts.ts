// Facts about a Postgres server, and what our role may do in it.

import { sql } from 'kysely';
import type { Executor } from './database.ts';
import { warehouseSchemas } from './schemas.ts';

export interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
  readonly role: string;
  readonly database: string;
  readonly mayConnect: boolean;
  readonly mayCreateSchemas: boolean;
  readonly mayCreateTemporaryTables: boolean;
  readonly readOnly: boolean;
  /** Schemas of the warehouse that belong to another role, which alone may migrate them. */
  readonly foreignSchemas: readonly string[];
  readonly knowsTimeZone: boolean;
  readonly databaseBytes: number;
}

export async function readServerFacts(db: Executor, timeZone: string): Promise<ServerFacts> {
  const result = await sql<ServerFacts>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_encoding') as encoding,
      current_user as role, current_database() as database,
      has_database_privilege(current_database(), 'connect') as "mayConnect",
      has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
      has_database_privilege(current_database(), 'temporary') as "mayCreateTemporaryTables",
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "readOnly",
      array(
        select nspname::text from pg_namespace
        where nspname = any (${[...warehouseSchemas]}::text[]) and not pg_has_role(nspowner, 'usage')
        order by 1
      ) as "foreignSchemas",
      exists (select from pg_timezone_names where name = ${timeZone}) as "knowsTimeZone",
      pg_database_size(current_database()) as "databaseBytes"`.execute(db);
  const facts = result.rows[0];
  if (facts === undefined) throw new Error('the query of server facts returned no row');
  return facts;
}
