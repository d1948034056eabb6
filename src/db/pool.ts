// Connections to the warehouse. A lost connection fails its query and never the process; values
// come back the same whatever the server's or the user's date settings are.
import pg from 'pg';
import { preparing } from './prepared.ts';
import { pgAddress } from './tls.ts';

export interface PoolOptions {
  /** `sslmode` and its companions mean what they mean to psql. */
  readonly connectionString: string;
  /** Connections at the same time, at least 1. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A statement that takes longer is cancelled. Default: no limit. */
  readonly statementTimeoutMs?: number;
  /** For one connection to be made; waiting for a free one is not bounded. Default 15000. */
  readonly connectTimeoutMs?: number;
  /** False: no statement is prepared by name, which a pooler that hands sessions round cannot hold. Default true. */
  readonly prepares?: boolean;
  /** Statements with which each connection begins. */
  readonly begin?: string;
}

const oid = { int8: 20, date: 1082, numeric: 1700, int8Array: 1016, dateArray: 1182 } as const;

/**
 * A pool whose rows hold `date` as 'YYYY-MM-DD' (or 'infinity'), `int8` as a number while that is
 * exact and as a string beyond 2^53, `numeric` as a string and `timestamptz` as a Date.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const Client = clientWithTimeout(options.connectTimeoutMs ?? 15_000);
  const pool = new pg.Pool({
    connectionString: pgAddress(options.connectionString),
    max: options.max,
    application_name: options.applicationName,
    keepAlive: true,
    // Notices in minutes, not in hours, that a server vanished without closing the connection.
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    Client: options.prepares === false ? Client : preparing(Client),
    onConnect: (client) => prepareConnection(client, options.begin ?? ''),
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
  });
  pool.on('error', ignore);
  // The pool listens to idle clients only (pg-pool 3): without this one, a connection that is lost
  // between two queries of a checked-out client would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/**
 * The pool's own setting of that name also bounds the wait for a free connection (pg-pool 3), which
 * may rightly be long. So only the client gets it.
 */
function clientWithTimeout(connectionTimeoutMillis: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(typeof config === 'object' ? { ...config, connectionTimeoutMillis } : config);
    }
  };
}

function ignore(): void {
  // The next query on that client fails with the same error, where someone awaits it.
}

/**
 * A server or a role may default to another DateStyle; the parsers read ISO only. Pages and counters
 * need not wait for the disc: a crash of the server loses whole transactions of them, and they are fetched again. Publishing and granting switch it on again for themselves. A process that froze
 * or lost its network in the middle of a transaction must not hold up the one that takes its place.
 */
async function prepareConnection(client: pg.ClientBase, begin: string): Promise<void> {
  await client.query(
    `set datestyle = iso, ymd; set synchronous_commit = off; set idle_in_transaction_session_timeout = '60s'; ${begin}`,
  );
}

function getTypeParser(id: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (id === oid.date || id === oid.numeric) return asIs;
    if (id === oid.int8) return parseInt8;
    if (id === oid.dateArray) return (value) => parseArray(value, asIs);
    if (id === oid.int8Array) return (value) => parseArray(value, parseInt8);
  }
  return pg.types.getTypeParser(id, format);
}

function asIs(value: string): string {
  return value;
}

function parseInt8(value: string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** One-dimensional arrays of values that hold no comma, quote or brace. */
function parseArray<Value>(text: string, parse: (value: string) => Value): (Value | null)[] {
  const inside = text.slice(1, -1);
  if (inside === '') return [];
  return inside.split(',').map((value) => (value === 'NULL' ? null : parse(value)));
}
