// The role of BI tools: may connect and read the curated views, and nothing else of this database.
import { sql } from 'kysely';
import { WarehouseError } from '../core/errors.ts';
import type { Executor } from './database.ts';
import { identifier, literal } from './views/view-sql.ts';

export interface BiRole {
  readonly name: string;
  /** Also the generated views of schema api. */
  readonly api: boolean;
  /** For a role that is new or gets another password; undefined: as it is. */
  readonly password: string | undefined;
  readonly statementTimeoutMs: number;
}

interface RoleFacts {
  readonly exists: boolean;
  /** Superuser, or may make roles, databases or replicas, or is not bound by row security. */
  readonly powerful: boolean;
  readonly memberOf: readonly string[];
  readonly owns: readonly string[];
}

/**
 * Makes or resets the role; safe to call again. Temporary tables are taken from PUBLIC and given back to
 * the role of this connection, because a right of PUBLIC cannot be taken from one role alone.
 * @throws WarehouseError when the role could do more than read whatever is granted here
 */
export async function grantBi(db: Executor, role: BiRole): Promise<{ readonly created: boolean }> {
  return await db.transaction().execute(async (tx) => {
    const facts = await readRole(tx, role.name);
    refusePowerful(role.name, facts);
    const who = identifier(role.name);
    const run = (text: string) => sql.raw(text).execute(tx);
    if (!facts.exists) {
      await run(`create role ${who} login nosuperuser nocreatedb nocreaterole noinherit noreplication`);
    }
    if (role.password !== undefined) await run(`alter role ${who} password ${literal(role.password)}`);
    const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(tx);
    const database = identifier(rows[0]?.database ?? '');
    await run(`grant temporary on database ${database} to current_user`);
    await run(`revoke temporary on database ${database} from public`);
    await run(`revoke all on database ${database} from ${who}`);
    await run(`grant connect on database ${database} to ${who}`);
    for (const schema of ['sync', 'snapshot', 'bi_map', 'api', 'bi']) {
      await run(`revoke all on all tables in schema ${schema} from ${who}`);
      await run(`revoke all on schema ${schema} from ${who}`);
      await run(`alter default privileges in schema ${schema} revoke all on tables from ${who}`);
    }
    for (const schema of role.api ? ['bi', 'api'] : ['bi']) {
      await run(`grant usage on schema ${schema} to ${who}`);
      await run(`grant select on all tables in schema ${schema} to ${who}`);
      // Views that come later are readable as well.
      await run(`alter default privileges in schema ${schema} grant select on tables to ${who}`);
    }
    const settings: readonly [string, string][] = [
      ['default_transaction_read_only', 'on'],
      ['statement_timeout', `${role.statementTimeoutMs}ms`],
      ['idle_in_transaction_session_timeout', '5min'],
      ['search_path', 'bi'],
    ];
    for (const [name, value] of settings) {
      await run(`alter role ${who} in database ${database} set ${name} = ${literal(value)}`);
    }
    return { created: !facts.exists };
  });
}

async function readRole(tx: Executor, name: string): Promise<RoleFacts> {
  const result = await sql<RoleFacts>`
    select
      exists (select from pg_roles where rolname = ${name}) as exists,
      coalesce((select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
        from pg_roles where rolname = ${name}), false) or ${name} = current_user as powerful,
      array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
        join pg_roles r on r.oid = m.member where r.rolname = ${name} order by 1) as "memberOf",
      array(select n.nspname::text from pg_namespace n join pg_roles r on r.oid = n.nspowner
        where r.rolname = ${name} order by 1) as owns`.execute(tx);
  return result.rows[0] ?? { exists: false, powerful: false, memberOf: [], owns: [] };
}

function refusePowerful(name: string, facts: RoleFacts): void {
  const reasons = [
    ...(facts.powerful ? ['it is the role of DATABASE_URL or may administer the server'] : []),
    ...(facts.memberOf.length > 0 ? [`it is a member of ${facts.memberOf.join(', ')}`] : []),
    ...(facts.owns.length > 0 ? [`it owns the schemas ${facts.owns.join(', ')}`] : []),
  ];
  if (reasons.length === 0) return;
  throw new WarehouseError(
    `Role ${name} cannot be made one that only reads: ${reasons.join('; ')}. Choose another name, and a role is made`,
  );
}
