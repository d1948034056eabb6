// Rights that everybody has by PUBLIC, and with them every role that should only read. They cannot be taken
// from one role alone, so they are taken from PUBLIC where the database is the warehouse's own.

import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { ownSchemas } from '../db/schemas.ts';

const own = sql`(${sql.join([...ownSchemas])})`;

/**
 * Lists objects of others in the database, as `shop.orders`; empty if the warehouse has it to itself.
 * Extensions do not count.
 */
export async function othersIn(db: Executor): Promise<string[]> {
  const result = await sql<{ name: string }>`
    with others as (
      select oid, nspname from pg_namespace where nspname not in ${own}
        and nspname <> 'information_schema' and nspname !~ '^pg_'
    ), found as (
      select o.nspname || '.' || c.relname as name, 'pg_class'::regclass as class, c.oid
      from pg_class c join others o on o.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all
      select o.nspname || '.' || p.proname, 'pg_proc'::regclass, p.oid
      from pg_proc p join others o on o.oid = p.pronamespace
      union all
      select nspname, 'pg_namespace'::regclass, oid from others where nspname <> 'public'
    )
    select name from found f
    where not exists (select from pg_depend d where d.classid = f.class and d.objid = f.oid and d.deptype = 'e')
    order by name`.execute(db);
  return result.rows.map((row) => row.name);
}

/** Functions that write, or that take a lock others may wait for, by a right of PUBLIC. */
const writers = sql`
  p.pronamespace = 'pg_catalog'::regnamespace and (
    p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', 'lo_put', 'lo_truncate', 'lo_truncate64',
      'lo_unlink', 'lowrite', 'pg_logical_emit_message')
    or p.proname ~ '^pg_(try_)?advisory_(xact_)?lock'
  )`;

/**
 * Takes from PUBLIC, in this database, the rights by which it writes: temporary tables, objects in schema public,
 * large objects, advisory locks. The roles that run the warehouse keep these rights. Takes functions only as a
 * superuser, who owns them.
 */
export async function takeFromPublic(tx: Executor): Promise<void> {
  const { rows } = await sql<{ database: string; keepers: string[]; functions: string[] }>`
    select current_database() as database,
      array(select distinct r.rolname::text from pg_roles r
        where r.rolname = current_user
          or r.oid = (select nspowner from pg_namespace where nspname = 'sync')) as keepers,
      array(select p.oid::regprocedure::text from pg_proc p
        where ${writers} and has_function_privilege('public', p.oid, 'execute')
          and (select rolsuper from pg_roles where rolname = current_user)) as functions`.execute(tx);
  const { database = '', keepers = [], functions = [] } = rows[0] ?? {};
  const keep = sql.join(keepers.map((name) => sql.id(name)));
  await sql`grant temporary on database ${sql.id(database)} to ${keep}`.execute(tx);
  await sql`revoke temporary on database ${sql.id(database)} from public`.execute(tx);
  // As Postgres writes them, with their arguments.
  for (const name of functions.map((text) => sql.raw(text))) {
    await sql`grant execute on function ${name} to ${keep}`.execute(tx);
    await sql`revoke execute on function ${name} from public`.execute(tx);
  }
  const inPublic = await sql`select from pg_namespace where nspname = 'public'`.execute(tx);
  if (inPublic.rows.length === 0) return;
  await sql`grant create on schema public to ${keep}`.execute(tx);
  await sql`revoke create on schema public from public`.execute(tx);
}

export interface OpenRight {
  readonly may: string;
  /** The SQL that takes it away. */
  readonly fix: string;
}

/** Lists what a role may do beyond reading `schemas`, by Postgres's own account. */
export async function openRights(
  db: Executor,
  role: string,
  schemas: readonly string[],
): Promise<OpenRight[]> {
  const result = await sql<OpenRight>`
    with here as (select oid, quote_ident(datname) as name from pg_database where datname = current_database())
    select may, fix from (
      select 1 as place, 'make temporary tables' as may, 'revoke temporary on database ' || name || ' from public' as fix
      from here where has_database_privilege(${role}::name, oid, 'temporary')
      union all
      select 2, 'make schemas', 'revoke create on database ' || name || ' from public'
      from here where has_database_privilege(${role}::name, oid, 'create')
      union all
      select 3, 'make tables in schema ' || nspname, format('revoke create on schema %I from public', nspname)
      from pg_namespace where has_schema_privilege(${role}::name, oid, 'create')
      union all
      select 4, 'read or write ' || format('%I.%I', n.nspname, c.relname), format('revoke all on %I.%I from public', n.nspname, c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> all (${[...schemas]}::text[])
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and has_schema_privilege(${role}::name, n.oid, 'usage')
        and (has_any_column_privilege(${role}::name, c.oid, 'select, insert, update') or has_table_privilege(${role}::name, c.oid, 'delete, truncate'))
      union all
      select 5, case when bool_or(p.proname ~ '^lo') then 'make large objects' else 'take advisory locks or write messages to the log of changes' end,
        'as a superuser: ' || string_agg(format('revoke execute on function %s from public', p.oid::regprocedure), '; ' order by p.proname)
      from pg_proc p where ${writers} and has_function_privilege(${role}::name, p.oid, 'execute')
      group by p.proname ~ '^lo'
    ) as found order by place, may`.execute(db);
  return result.rows;
}

export async function otherDatabases(db: Executor, role: string): Promise<string[]> {
  const result = await sql<{ name: string }>`
    select datname as name from pg_database
    where datallowconn and datname <> current_database() and has_database_privilege(${role}::name, oid, 'connect')
    order by datname`.execute(db);
  return result.rows.map((row) => row.name);
}

/** Gives a role its bounds in this database and, by default, in every other. */
export function bindRole(
  role: string,
  database: string,
  settings: readonly (readonly [string, string])[],
): RawBuilder<unknown>[] {
  const who = sql.id(role);
  return [who, sql`${who} in database ${sql.id(database)}`].flatMap((bound) => [
    // A role may change its own settings: they are reset.
    sql`alter role ${bound} reset all`,
    ...settings.map(([name, value]) => sql`alter role ${bound} set ${sql.id(name)} = ${sql.lit(value)}`),
  ]);
}
