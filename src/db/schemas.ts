// The only list of a warehouse's schemas, with the purpose of each, and the roles that may read them.

import { type RawBuilder, sql } from 'kysely';
import { flawOf } from '../config/setting-kinds.ts';
import type { Executor } from './database.ts';

/** Postgres silently truncates a longer name of a role, and then finds no such role. */
const mostBytes = 63;

/** Says why a role cannot have this name; undefined: it can. */
export function roleNameFault(name: string): string | undefined {
  const fault = (expected: string, got: string, fix: string) =>
    `Expected <role> to be ${expected}, got ${got}. ${fix}`;
  const bytes = Buffer.byteLength(name);
  const shown = JSON.stringify(name);
  const flaw = flawOf(name);
  if (name === '') return fault('the name of a role', shown, 'Give one, such as metabase.');
  if (flaw !== undefined) return fault(flaw.expected, shown, flaw.fix);
  if (bytes > mostBytes) {
    return fault(`a name of at most ${mostBytes} bytes`, `${shown} of ${bytes}`, 'Choose a shorter one.');
  }
  if (name.startsWith('pg_') || name === 'public' || name === 'none') {
    return fault('a name that Postgres has not reserved', shown, 'Choose another one, such as metabase.');
  }
  return undefined;
}

/** Grants the role these schemas, and takes back its rights in other schemas of the warehouse. */
export async function grantSchemas(tx: Executor, role: string, schemas: readonly string[]): Promise<void> {
  const who = sql.id(role);
  // The schema of the queue comes with the first worker.
  const { rows } = await sql<{ nspname: string }>`
    select nspname from pg_namespace where nspname = any (${[...ownSchemas]}::text[])`.execute(tx);
  const taken = rows
    .map(({ nspname }) => sql.id(nspname))
    .flatMap((schema) => [
      sql`revoke all on all tables in schema ${schema} from ${who}`,
      sql`revoke all on schema ${schema} from ${who}`,
      sql`alter default privileges in schema ${schema} revoke all on tables from ${who}`,
    ]);
  // Whoever reads a view calls the functions in it, and needs no right on their schema for that.
  const given = [...schemas.flatMap((schema) => grantsOf(role, schema)), ...functionGrants(role, 'sync')];
  await sql.join([...taken, ...given], sql`;`).execute(tx);
}

export async function grantSchema(tx: Executor, role: string, name: string): Promise<void> {
  await sql.join(grantsOf(role, name), sql`;`).execute(tx);
}

function grantsOf(role: string, name: string): readonly RawBuilder<unknown>[] {
  const [who, schema] = [sql.id(role), sql.id(name)];
  return [
    sql`grant usage on schema ${schema} to ${who}`,
    sql`grant select on all tables in schema ${schema} to ${who}`,
    // Views that come later are readable as well.
    sql`alter default privileges in schema ${schema} grant select on tables to ${who}`,
    ...functionGrants(role, name),
  ];
}

/** Functions need a grant: not every database leaves them to PUBLIC. */
function functionGrants(role: string, name: string): readonly RawBuilder<unknown>[] {
  const [who, schema] = [sql.id(role), sql.id(name)];
  return [
    sql`grant execute on all functions in schema ${schema} to ${who}`,
    sql`alter default privileges in schema ${schema} grant execute on functions to ${who}`,
  ];
}

/**
 * SQL: the views of these schemas, and the functions that they may call, which a role has no right to.
 * @param role its oid
 */
export const unreadable = (role: RawBuilder<unknown>, schemas: readonly string[]) => sql<{ name: string }>`
  select c.oid::regclass::text as name from pg_class as c
  where c.relnamespace::regnamespace::text = any (${[...schemas]}::text[]) and c.relkind = 'v'
    and not (has_schema_privilege(${role}, c.relnamespace, 'usage') and has_table_privilege(${role}, c.oid, 'select'))
  union all
  select p.oid::regprocedure::text from pg_proc as p
  where p.pronamespace::regnamespace::text in ('sync', 'bi') and not has_function_privilege(${role}, p.oid, 'execute')`;

/**
 * Lists the roles that `airank grant-bi` bound in this database: their rights go with a dropped schema, their
 * settings do not.
 */
export async function biRoles(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select r.rolname as name from pg_db_role_setting as s join pg_roles as r on r.oid = s.setrole
    where s.setdatabase = (select oid from pg_database where datname = current_database())
      and s.setconfig @> array['search_path=bi', 'default_transaction_read_only=on']
    order by 1`.execute(db);
  return rows.map((row) => row.name);
}

/** Schemas with rows, for backups and forgetting: bookkeeping, records, tables behind the views. */
export const tableSchemas = ['sync', 'snapshot', 'typed'] as const;

/**
 * Schemas for a role that reads the curated views: `bi` has what is so now and what happened, `bi_history`
 * what was said on each run date.
 */
export const biSchemas = ['bi', 'bi_history'] as const;

/** Views with a catalogue, those of the warehouse itself too. */
export const curatedSchemas = [...biSchemas, 'ops'] as const;

/** Views that people read and export, the generated ones too. */
export const viewSchemas = [...curatedSchemas, 'api'] as const;

/** All schemas, in the order in which they are made; the curated views are made from `bi_map`. */
export const warehouseSchemas = [...tableSchemas, 'bi_map', 'api', ...curatedSchemas] as const;

/** All schemas and that of the queue, which the library makes by itself. */
export const ownSchemas = [...warehouseSchemas, 'airank_jobs'] as const;
