// Connections that read `bi` and cannot write: as the role of AIRANK_READER_URL, or with the warehouse's own connection
// in read-only sessions that, if possible, take a role with rights on bi alone.
import { sql } from 'kysely';
import type pg from 'pg';
import { messageOf } from '../../core/errors.ts';
import { createDatabase, type Executor } from '../../db/database.ts';
import { createPool, viewOn } from '../../db/pool.ts';
import { biSchemas, grantSchemas, unreadable } from '../../db/schemas.ts';
import { codeOf } from '../../db/sqlstate.ts';

/** Belongs to the whole server, like every role. */
export const readerRole = 'airank_reader';
/** Also reads the generated views, which no dashboard needs. */
const apiReaderRole = 'airank_api_reader';

type RoleReady = { readonly ready: true } | { readonly ready: false; readonly why: string };

/** Enough for processes that start together: in the end each finds the role. */
const mostTries = 20;

/** Creates the role or grants what it lacks; changes nothing if it has everything. */
export async function prepareReaderRole(
  db: Executor,
  name = readerRole,
  schemas: readonly string[] = biSchemas,
): Promise<RoleReady> {
  for (let tries = 1; ; tries++) {
    try {
      const facts = await readFacts(db, name, schemas);
      if (facts.isPowerful) return { ready: false, why: `the role ${name} may do more than read bi` };
      if (!facts.exists) await createRole(db, name);
      if (!facts.isReading) await db.transaction().execute((tx) => grantSchemas(tx, name, schemas));
      return { ready: true };
    } catch (error) {
      if (tries === mostTries || !isOfAnother(error)) return { ready: false, why: messageOf(error) };
    }
  }
}

/**
 * True if another process creates the role or grants rights right now: duplicate_object, unique_violation,
 * deadlock_detected, and internal_error for a catalog row that changed meanwhile.
 */
function isOfAnother(error: unknown): boolean {
  return ['42710', '23505', '40P01', 'XX000'].includes(codeOf(error) ?? '');
}

interface RoleFacts {
  readonly exists: boolean;
  /** Has rights beyond reading, or is a member of a role that has. */
  readonly isPowerful: boolean;
  readonly isReading: boolean;
}

async function readFacts(db: Executor, name: string, schemas: readonly string[]): Promise<RoleFacts> {
  const result = await sql<RoleFacts>`
    select
      r.oid is not null as exists,
      coalesce(r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls
        or exists (select from pg_auth_members as m where m.member = r.oid), false) as "isPowerful",
      r.oid is not null and not exists (${unreadable(sql`r.oid`, schemas)}) as "isReading"
    from (select) as one left join pg_roles as r on r.rolname = ${name}`.execute(db);
  return result.rows[0] ?? { exists: false, isPowerful: false, isReading: false };
}

/**
 * Sent together and so in one transaction: whoever sees the role can take it on. From Postgres 16 on, the creator of a
 * role may grant it, but not take it on.
 */
async function createRole(db: Executor, name: string): Promise<void> {
  const who = sql.id(name);
  await sql`
    create role ${who} nologin nosuperuser nocreatedb nocreaterole noinherit noreplication;
    grant ${who} to current_user`.execute(db);
}

export interface Reader {
  readonly pool: pg.Pool;
  /** Reason why sessions are bound only by being read-only; undefined if they have no right but to read bi. */
  readonly unbound: string | undefined;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly readerUrl: string | undefined;
  readonly warehouse: pg.Pool | undefined;
  /** Also reads the generated views of schema api. Default: false. */
  readonly api?: true;
  /** Default: 30000. */
  readonly statementTimeoutMs?: number;
  /** Wait for the server of `readerUrl` when it has no free connection. Default: that of every pool. */
  readonly busyWaitMs?: number;
}

const max = 4;

/** Connects only at the first statement, except to find or create the role. */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { readerUrl, warehouse, api, statementTimeoutMs = 30_000 } = options;
  const settings = {
    default_transaction_read_only: 'on',
    search_path: 'bi',
    statement_timeout: String(statementTimeoutMs),
    // Dashboards ask many short questions; compiling costs them more than it saves.
    jit: 'off',
  };
  if (readerUrl === undefined && warehouse !== undefined) {
    const role = api ? apiReaderRole : readerRole;
    const unbound = await bind(warehouse, role, api ? [...biSchemas, 'api'] : biSchemas);
    const pool = viewOn(warehouse, unbound === undefined ? { ...settings, role } : settings, max);
    return { pool, unbound, close: () => Promise.resolve() };
  }
  const waits = options.busyWaitMs === undefined ? {} : { busyWaitMs: options.busyWaitMs };
  const applicationName = 'airank-reader';
  const pool = createPool({ connectionString: readerUrl ?? '', max, applicationName, settings, ...waits });
  return { pool, unbound: undefined, close: () => pool.end() };
}

/** Returns the reason why the role cannot be taken on; undefined if it can. */
async function bind(pool: pg.Pool, role: string, schemas: readonly string[]): Promise<string | undefined> {
  const prepared = await prepareReaderRole(createDatabase(pool), role, schemas);
  if (!prepared.ready) return prepared.why;
  // Lasts until the end of the statement.
  return await pool.query(`select set_config('role', $1, true)`, [role]).then(() => undefined, messageOf);
}
