// The role of BI tools: it may connect and read the curated views, and nothing else of this database.

import { type RawBuilder, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { messageOf, WarehouseError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { biSchemas, grantSchemas, unreadable, viewSchemas } from '../db/schemas.ts';
import { scramVerifier } from '../db/scram.ts';
import { isForbidden } from '../db/sqlstate.ts';
import {
  bindRole,
  type OpenRight,
  openRights,
  otherDatabases,
  othersIn,
  takeFromPublic,
} from './public-rights.ts';

interface BiRole {
  readonly name: string;
  readonly api: boolean;
  /** Also budget, writes and the catalog of fields: schema ops. */
  readonly ops?: boolean;
  /** Undefined: an existing role keeps its password. */
  readonly password: string | undefined;
  /** Password for a new role, if none is given. */
  readonly firstPassword?: string;
  readonly statementTimeoutMs: number;
  /** Most connections at once: one role must not take all of the server's. Default 20. */
  readonly connections?: number;
  /** The database serves nothing but the warehouse, whatever else is in it. */
  readonly ownDatabase?: boolean;
}

export interface GrantedBi {
  readonly created: boolean;
  readonly isPasswordSet: boolean;
  /** Lines of SQL for the server's administrator, because our role may not run them; nothing was granted yet. */
  readonly forAdmin: readonly string[];
  /** Objects of others in the database; []: none, so rights of PUBLIC were taken away. */
  readonly others: readonly string[];
  readonly open: readonly OpenRight[];
  /** Other databases of the server that it may connect to, as every role may. */
  readonly otherDatabases: readonly string[];
}

export function readSchemas({ api, ops = false }: Pick<BiRole, 'api' | 'ops'>): readonly string[] {
  return [...biSchemas, ...(api ? ['api'] : []), ...(ops ? ['ops'] : [])];
}

interface RoleFacts {
  readonly database: string;
  readonly exists: boolean;
  /** True for the role of this connection. */
  readonly own: boolean;
  readonly asSuperuser: boolean;
  /** Superuser, or may make roles, databases or replicas, or is not bound by row security. */
  readonly powerful: boolean;
  readonly memberOf: readonly string[];
  readonly owns: readonly string[];
}

/**
 * Makes or resets the role; safe to call again. It gets no right to write. In a database of the warehouse's
 * own, rights that everybody has through PUBLIC are taken away; in a shared one they stay, and are returned.
 * Two things are beyond any right: a session may lift its own timeout, and may NOTIFY.
 * @throws WarehouseError when the role could do more than read, whatever is granted here
 */
export async function grantBi(db: Executor, role: BiRole): Promise<GrantedBi> {
  return await db.transaction().execute(async (tx) => {
    const facts = await readRole(tx, role.name);
    refusePowerful(role.name, facts);
    const who = sql.id(role.name);
    const settings: [string, string][] = [
      ['default_transaction_read_only', 'on'],
      ['statement_timeout', `${role.statementTimeoutMs}ms`],
      ['idle_in_transaction_session_timeout', '5min'],
      ['search_path', 'bi'],
      // A moment belongs to the day that the views give it, whatever zone the server is in.
      ['TimeZone', 'UTC'],
      // Dashboards ask many short questions: compiling them costs more than it saves.
      ['jit', 'off'],
    ];
    // Only a superuser may set it, so the role cannot lift it: no query of the role fills the disc.
    if (facts.asSuperuser) settings.push(['temp_file_limit', '4GB']);
    const made = [
      ...(facts.exists
        ? []
        : [sql`create role ${who} login nosuperuser nocreatedb nocreaterole noinherit noreplication`]),
      sql`alter role ${who} connection limit ${sql.lit(role.connections ?? 20)}`,
      ...bindRole(role.name, facts.database, settings),
    ];
    const password = role.password ?? (facts.exists ? undefined : role.firstPassword);
    const given =
      password === undefined ? [] : [sql`alter role ${who} password ${sql.lit(scramVerifier(password))}`];
    const isMade = await mayRun(tx, [...made, ...given]);
    if (!isMade && !(await isBound(tx, role, facts.database, settings))) {
      const connect = sql`grant connect on database ${sql.id(facts.database)} to ${who}`;
      const forAdmin = [...made, connect].map((one) => `${one.compile(tx).sql};`);
      // Never with a password: it would stand in a file, and in the log of the server.
      forAdmin.push(`-- Then its password, for which psql asks: \\password ${escapeIdentifier(role.name)}`);
      return { ...nothingGranted, forAdmin };
    }
    const others = role.ownDatabase === true ? [] : await othersIn(tx);
    if (others.length === 0) await takeFromPublic(tx);
    await sql`revoke all on database ${sql.id(facts.database)} from ${who}`.execute(tx);
    await sql`grant connect on database ${sql.id(facts.database)} to ${who}`.execute(tx);
    const schemas = readSchemas(role);
    await grantSchemas(tx, role.name, schemas);
    const granted = {
      created: !facts.exists,
      isPasswordSet: isMade && password !== undefined,
      forAdmin: [],
      others,
      open: await openRights(tx, role.name, schemas),
      otherDatabases: await otherDatabases(tx, role.name),
    };
    await readAs(tx, role.name, schemas);
    return granted;
  });
}

/**
 * Reads every view as the role, until the end of the transaction; if our role may not become it, checks its
 * rights instead.
 * @throws WarehouseError
 */
async function readAs(tx: Executor, role: string, schemas: readonly string[]): Promise<void> {
  const cannot = (why: string) =>
    new WarehouseError(`Role ${role} could not read the views: ${why}. Nothing was changed`);
  const { rows } = await sql<{ view: string }>`
    select format('select to_jsonb(v) from %I.%I as v', schemaname, viewname) as view from pg_views
    where schemaname = any (${[...schemas]}::text[])`.execute(tx);
  if (!(await mayRun(tx, [sql`set local role ${sql.id(role)}`]))) {
    const lacked = await unreadable(sql`${role}::name`, schemas).execute(tx);
    if (lacked.rows.length > 0) throw cannot(`no right on ${lacked.rows.map(({ name }) => name).join(', ')}`);
    return;
  }
  // Compiling so many views takes minutes.
  await sql`set local jit = off`.execute(tx);
  // No row is read, but every right needed to read one is checked.
  await sql
    .raw(rows.map(({ view }) => `(${view} limit 0)`).join(' union all '))
    .execute(tx)
    .catch((error: unknown) => {
      throw isForbidden(error) ? cannot(messageOf(error)) : error;
    });
}

const nothingGranted = { created: false, isPasswordSet: false, others: [], open: [], otherDatabases: [] };

/** Runs the statements; false: the role of this connection may not, and nothing was done. */
async function mayRun(tx: Executor, statements: readonly RawBuilder<unknown>[]): Promise<boolean> {
  await sql`savepoint roles`.execute(tx);
  try {
    for (const statement of statements) await statement.execute(tx);
    await sql`release savepoint roles`.execute(tx);
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await sql`rollback to savepoint roles`.execute(tx);
    return false;
  }
}

/** Tells whether somebody else has made the role as it should be. */
async function isBound(
  tx: Executor,
  { name, connections = 20 }: BiRole,
  database: string,
  settings: readonly (readonly [string, string])[],
): Promise<boolean> {
  const wanted = settings.map((one) => one.join('='));
  const { rows } = await sql`
    select from pg_roles as r
    join pg_db_role_setting as s on s.setrole = r.oid and s.setconfig @> ${wanted}::text[]
      and s.setdatabase in (0, (select oid from pg_database where datname = ${database}))
    where r.rolname = ${name} and r.rolcanlogin and r.rolconnlimit = ${connections}`.execute(tx);
  // One row for this database, one for all others.
  return rows.length === 2;
}

/** Lists why the role of this connection does more than read the views of a warehouse; []: it only reads. */
export async function roleFaults(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  const role = rows[0]?.role ?? '';
  const facts = await readRole(db, role);
  const open = await openRights(db, role, viewSchemas);
  const reaching = await sql<{ name: string }>`
    select distinct e.extname as name from pg_extension as e
    join pg_depend as d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
    join pg_proc as p on d.classid = 'pg_proc'::regclass and d.objid = p.oid
    where e.extname in ('dblink', 'http', 'pg_net', 'pg_cron', 'adminpack') and has_function_privilege(p.oid, 'execute')
      and has_schema_privilege(p.pronamespace, 'usage')`.execute(db);
  return [
    ...powerReasons(facts),
    ...open.map(({ may, fix }) => `it may ${may} (${fix})`),
    ...reaching.rows.map(
      ({ name }) => `it may call the extension ${name}, which reaches beyond this database`,
    ),
  ];
}

async function readRole(tx: Executor, name: string): Promise<RoleFacts> {
  const result = await sql<RoleFacts>`
    select
      current_database() as database,
      ${name} = current_user as own,
      exists (select from pg_roles where rolname = ${name}) as exists,
      (select rolsuper from pg_roles where rolname = current_user) as "asSuperuser",
      coalesce((select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
        from pg_roles where rolname = ${name}), false) as powerful,
      array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
        join pg_roles r on r.oid = m.member where r.rolname = ${name} order by 1) as "memberOf",
      array(select n.nspname::text from pg_namespace n join pg_roles r on r.oid = n.nspowner
        where r.rolname = ${name} order by 1) as owns`.execute(tx);
  const [facts] = result.rows;
  if (facts === undefined) throw new Error('the query of the facts of a role returned no row');
  return facts;
}

function powerReasons(facts: RoleFacts): readonly string[] {
  return [
    ...(facts.powerful ? ['it may administer the server'] : []),
    ...(facts.memberOf.length > 0 ? [`it is a member of ${facts.memberOf.join(', ')}`] : []),
    ...(facts.owns.length > 0 ? [`it owns the schemas ${facts.owns.join(', ')}`] : []),
  ];
}

function refusePowerful(name: string, facts: RoleFacts): void {
  const reasons = [...(facts.own ? ['it is the role of DATABASE_URL'] : []), ...powerReasons(facts)];
  if (reasons.length === 0) return;
  throw new WarehouseError(
    `Role ${name} cannot be limited to reading: ${reasons.join('; ')}. Choose another name, and a new role is created`,
  );
}
