// Poolers between a program and its Postgres. Behind one, the process id that the server announced when the connection
// began is never that of the session that answers; without one it always is. In session mode, and reset when they are
// handed on, sessions are as good as one's own.
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { codeOf } from './sqlstate.ts';

/** The process id announced when the connection began; 0: none was, and no session has that id. */
export const announcedPid = (client: pg.ClientBase): number =>
  (client as pg.ClientBase & { readonly processID?: number | null }).processID ?? 0;

/**
 * Words the fault of a pooler, with what to do.
 * @param fault from poolerFault
 */
export function poolerText(fault: string): string {
  return (
    `Expected each connection to the database to have a session of its own, got a pooler: ${fault}. Connect to Postgres ` +
    'directly, or set pool_mode = session and server_reset_query = DISCARD ALL in the pooler'
  );
}

/** Addresses whose pooler was proved; one that was found to be faulty is asked again. */
const proved = new Set<string>();

/**
 * Says why the sessions of a pooler cannot be used; undefined: each connection has its own, without settings
 * of others.
 * @param client a connection to it on which nothing was set
 * @param connect makes another one; two at a time are enough
 */
export async function poolerFault(
  address: string,
  client: pg.ClientBase,
  connect: () => Promise<pg.Client>,
): Promise<string | undefined> {
  if (proved.has(address)) return undefined;
  const fault = (await sharedFault(client, connect)) ?? (await leftoverFault(connect));
  if (fault === undefined) proved.add(address);
  return fault;
}

/** Addresses at which a single write is committed by itself. */
const writing = new Set<string>();

/**
 * Detects pgpool-II, which opens a transaction of its own around some writes and leaves it open: no other
 * connection sees them. Every role may write to this view, and no row of it fits.
 */
export async function holdsTransactions(address: string, client: pg.ClientBase): Promise<boolean> {
  if (writing.has(address)) return false;
  const write = 'update pg_settings set setting = setting where name = $1';
  await client.query(write, ['none']).catch(() => undefined);
  const isHeld = client.getTransactionStatus() !== 'I';
  if (!isHeld) writing.add(address);
  return isHeld;
}

export const holdingText =
  'Expected every connection to see a write at once, got a pooler that leaves a transaction of its own open after it, ' +
  'as pgpool-II does. Connect to Postgres directly';

/** One answer: the connection that asked, and the process id of the session that answered. */
export interface Asked {
  readonly connection: 1 | 2;
  readonly session: number;
}

/** A busy pooler may return the same session by chance: each round halves that risk. */
const rounds = 8;

async function sharedFault(
  first: pg.ClientBase,
  connect: () => Promise<pg.Client>,
): Promise<string | undefined> {
  const second = await connect();
  try {
    return await askInTurn({ 1: first, 2: second });
  } finally {
    await second.end().catch(() => undefined);
  }
}

async function askInTurn(clients: Readonly<Record<1 | 2, pg.ClientBase>>): Promise<string | undefined> {
  const asked: Asked[] = [];
  const ask = async (connection: 1 | 2) =>
    asked.push({ connection, session: await sessionOf(clients[connection]) });
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
    const found = sharedBy(asked);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function sessionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** A pooler in statement mode answers protocol_violation, which Postgres never does to `begin`. */
async function refusalOfBegin(client: pg.ClientBase): Promise<string | undefined> {
  try {
    await client.query('begin');
    return undefined;
  } catch (error) {
    if (codeOf(error) === '08P01') return 'it refuses transactions, as in statement mode';
    throw error;
  }
}

/** Finds signs of a pooler in transaction mode in the sessions that answered. */
export function sharedBy(asked: readonly Asked[]): string | undefined {
  for (const [index, { connection, session }] of asked.entries()) {
    const before = asked.slice(0, index);
    if (before.some((one) => one.session === session && one.connection !== connection)) {
      return 'two connections had the same session, as in transaction mode';
    }
    if (before.some((one) => one.session !== session && one.connection === connection)) {
      return 'one connection had two sessions, as in transaction mode';
    }
  }
  return undefined;
}

/** Connections to make, at most, to meet a session again that another connection had. */
const mostMeetings = 10;

/**
 * Leaves a setting, a prepared statement and a lock in a session, and checks whether the next user of the
 * session finds them.
 */
async function leftoverFault(connect: () => Promise<pg.Client>): Promise<string | undefined> {
  const key = randomInt(2 ** 31 - 1);
  const first = await connect();
  const session = await sessionOf(first);
  await first.query(`select set_config('airank.pooler', '${key}', false), pg_advisory_lock(${key}, ${key})`);
  await first.query(`prepare airank_pooler_${key} as select 1`);
  await first.end();
  for (let meeting = 0; meeting < mostMeetings; meeting++) {
    const next = await connect();
    try {
      if ((await sessionOf(next)) !== session) continue;
      const { rows } = await next.query<{ left: boolean }>(`
        select current_setting('airank.pooler', true) = '${key}'
          or exists (select from pg_prepared_statements where name = 'airank_pooler_${key}')
          or exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and objid = ${key}) as left`);
      if (rows[0]?.left !== true) return undefined;
      await next.query('discard all');
      return 'it hands sessions on with the settings, locks and prepared statements of their earlier users';
    } finally {
      await next.end().catch(() => undefined);
    }
  }
  // The pooler opens a session for each connection.
  return undefined;
}
