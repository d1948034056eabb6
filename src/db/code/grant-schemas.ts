// What a role that only reads may see: whole schemas, and nothing else of the warehouse.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { ownSchemas } from '../schemas.ts';

/** Takes back what the role had in other schemas of the warehouse. */
export async function grantSchemas(tx: Executor, role: string, schemas: readonly string[]): Promise<void> {
  const who = sql.id(role);
  for (const schema of ownSchemas.map((name) => sql.id(name))) {
    await sql`revoke all on all tables in schema ${schema} from ${who}`.execute(tx);
    await sql`revoke all on schema ${schema} from ${who}`.execute(tx);
    await sql`alter default privileges in schema ${schema} revoke all on tables from ${who}`.execute(tx);
  }
  for (const schema of schemas) await grantSchema(tx, role, schema);
}

export async function grantSchema(tx: Executor, role: string, name: string): Promise<void> {
  const [who, schema] = [sql.id(role), sql.id(name)];
  await sql`grant usage on schema ${schema} to ${who}`.execute(tx);
  await sql`grant select on all tables in schema ${schema} to ${who}`.execute(tx);
  // Views that come later are readable as well.
  await sql`alter default privileges in schema ${schema} grant select on tables to ${who}`.execute(tx);
}

/** The roles that `airank grant-bi` bound in this database: what they may see went with a schema, their settings did not. */
export async function biRoles(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select r.rolname as name from pg_db_role_setting as s join pg_roles as r on r.oid = s.setrole
    where s.setdatabase = (select oid from pg_database where datname = current_database())
      and s.setconfig @> array['search_path=bi', 'default_transaction_read_only=on']
    order by 1`.execute(db);
  return rows.map((row) => row.name);
}
