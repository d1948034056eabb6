// What a Postgres is, what our role may do in it, and whether a pooler hands its sessions round.

import { sql } from 'kysely';
import type pg from 'pg';
import type { Executor } from './database.ts';
import { warehouseSchemas } from './schemas.ts';
import { codeOf } from './sqlstate.ts';

/** Which of two connections asked, and what Postgres calls the session that answered. */
export interface Asked {
  readonly connection: 1 | 2;
  readonly session: number;
}

/**
 * What shows that sessions are handed round; undefined: each connection has its own, as it does without a pooler and
 * with one in session mode. Takes two connections of the pool for statements that need not be prepared.
 * @param rounds more than 1 for a pooler that happens to give the same session back
 */
export async function findPooling(pool: pg.Pool, rounds = 1): Promise<string | undefined> {
  const clients: pg.PoolClient[] = [];
  let isSound = false;
  try {
    const first = await pool.connect();
    clients.push(first);
    const second = await pool.connect();
    clients.push(second);
    const found = await askInTurn({ 1: first, 2: second }, rounds);
    isSound = found === undefined;
    return found;
  } finally {
    for (const client of clients) client.release(!isSound);
  }
}

async function askInTurn(
  clients: Readonly<Record<1 | 2, pg.PoolClient>>,
  rounds: number,
): Promise<string | undefined> {
  const asked: Asked[] = [];
  const ask = async (connection: 1 | 2) => {
    const { rows } = await clients[connection].query<{ pid: number }>('select pg_backend_pid() as pid');
    asked.push({ connection, session: rows[0]?.pid ?? 0 });
  };
  for (let round = 0; round < rounds; round++) {
    const [one, two] = round % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const);
    await ask(one);
    await ask(two);
    const refused = await refusalOfBegin(clients[two]);
    if (refused !== undefined) return refused;
    // The session of an open transaction cannot be given away, so the other connection gets another one.
    await ask(two);
    await ask(one);
    await clients[two].query('rollback');
    const found = poolingIn(asked);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A pooler in statement mode answers protocol_violation, which Postgres never does to `begin`. */
async function refusalOfBegin(client: pg.PoolClient): Promise<string | undefined> {
  try {
    await client.query('begin');
    return undefined;
  } catch (error) {
    if (codeOf(error) === '08P01') return 'it refuses transactions';
    throw error;
  }
}

/** What the sessions that answered tell. */
export function poolingIn(asked: readonly Asked[]): string | undefined {
  for (const [index, { connection, session }] of asked.entries()) {
    const before = asked.slice(0, index);
    if (before.some((one) => one.session === session && one.connection !== connection)) {
      return 'two connections had the same session';
    }
    if (before.some((one) => one.session !== session && one.connection === connection)) {
      return 'one connection had two sessions';
    }
  }
  return undefined;
}

export interface ServerFacts {
  readonly version: string;
  /** 180004. */
  readonly versionNumber: number;
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
      current_setting('server_version_num')::integer as "versionNumber",
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
