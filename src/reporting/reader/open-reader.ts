// Connections that read `bi` and cannot write: as the role of AIRANK_READER_URL, or with the warehouse's own
// connection in sessions that are read only and, where that role can be had, as a role that has nothing but bi.
import { sql } from 'kysely';
import type pg from 'pg';
import { messageOf } from '../../core/errors.ts';
import { createDatabase, type Executor } from '../../db/database.ts';
import { createPool, viewOn } from '../../db/pool.ts';
import { biSchemas, grantSchemas, unreadable } from '../../db/schemas.ts';
import { codeOf } from '../../db/sqlstate.ts';

/** Belongs to the whole server, as every role does. */
export const readerRole = 'airank_reader';
/** Reads the generated views too, which no dashboard needs. */
const apiReaderRole = 'airank_api_reader';

type RoleReady = { readonly ready: true } | { readonly ready: false; readonly why: string };

/** Enough for processes that begin at once: each finds the role made in the end. */
const mostTries = 20;

/** Makes the role, and gives it what it lacks; changes nothing where it has all. */
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
 * Another one makes it or gives it rights at this moment: duplicate_object, unique_violation, deadlock_detected, and
 * internal_error, which a row of the catalog is that changed meanwhile.
 */
function isOfAnother(error: unknown): boolean {
  return ['42710', '23505', '40P01', 'XX000'].includes(codeOf(error) ?? '');
}

interface RoleFacts {
  readonly exists: boolean;
  /** May do what no role that only reads may, or is a member of one that may. */
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
 * Sent together, so in one transaction: whoever sees the role may take it on. From Postgres 16 on whoever makes a role may
 * give it away, and not take it on.
 */
async function createRole(db: Executor, name: string): Promise<void> {
  const who = sql.id(name);
  await sql`
    create role ${who} nologin nosuperuser nocreatedb nocreaterole noinherit noreplication;
    grant ${who} to current_user`.execute(db);
}

export interface Reader {
  readonly pool: pg.Pool;
  /** Why its sessions are bound by being read only alone; undefined: they have no right but to read bi. */
  readonly unbound: string | undefined;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly readerUrl: string | undefined;
  readonly warehouse: pg.Pool | undefined;
  /** The generated views of schema api too. Default: no. */
  readonly api?: true;
  /** Default 30000. */
  readonly statementTimeoutMs?: number;
  /** For the server of `readerUrl` that has no connection free. Default: that of every pool. */
  readonly busyWaitMs?: number;
}

/** Connections at the same time. */
const max = 4;

/** Makes no connection before the first statement, except to find or make the role. */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { readerUrl, warehouse, api, statementTimeoutMs = 30_000 } = options;
  const settings = {
    default_transaction_read_only: 'on',
    search_path: 'bi',
    statement_timeout: String(statementTimeoutMs),
    // Dashboards ask many short questions: compiling them costs more than it saves.
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

/** Why the role cannot be taken on; undefined: it can. */
async function bind(pool: pg.Pool, role: string, schemas: readonly string[]): Promise<string | undefined> {
  const prepared = await prepareReaderRole(createDatabase(pool), role, schemas);
  if (!prepared.ready) return prepared.why;
  // Until the end of the statement.
  return await pool.query(`select set_config('role', $1, true)`, [role]).then(() => undefined, messageOf);
}
