// Connections to the warehouse. A lost connection fails its query and never the process; values
// come back the same whatever the server's or the user's date settings are.

import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type ConnectionOptions, TLSSocket } from 'node:tls';
import pg from 'pg';
import { ConfigError } from '../core/errors.ts';
import { preparing } from './database.ts';
import { announcedPid, holdingText, holdsTransactions, poolerFault, poolerText } from './pooler.ts';
import { codeOf, isBusy } from './sqlstate.ts';

/**
 * TLS settings of an address in the words of libpq: the same address means the same to psql and to us. pg 8
 * takes `require` for `verify-full` by itself, which no private authority passes, and warns of it.
 */
export const variables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  channel_binding: 'PGCHANNELBINDING',
} as const;

/** Completes an address with what libpq reads elsewhere, in libpq's words where pg has its own. */
export function libpqAddress(address: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const { searchParams: params } = url;
  const ssl = params.get('ssl');
  if (ssl !== null && !params.has('sslmode')) {
    params.set('sslmode', ['false', '0'].includes(ssl) ? 'disable' : 'require');
  }
  params.delete('ssl');
  for (const [name, variable] of Object.entries(variables)) {
    const value = env[variable];
    // `allow` tries without TLS first.
    if (value && value !== 'allow' && !params.has(name)) params.set(name, value);
  }
  if (params.get('sslmode') === 'no-verify') {
    params.set('sslmode', 'require');
    params.delete('sslrootcert');
  }
  if (params.has('sslrootcert') && !params.has('sslmode')) params.set('sslmode', 'verify-full');
  // libpq encrypts no socket of the machine.
  if (decodeURIComponent(url.hostname).startsWith('/')) params.set('sslmode', 'disable');
  if (params.get('sslmode') === 'disable') {
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) params.delete(name);
    params.set('sslnegotiation', 'postgres');
  }
  // The system's authorities give anybody a certificate, so only the name tells this server from others.
  if (params.get('sslrootcert') === 'system') params.set('sslmode', 'verify-full');
  return url.href;
}

/**
 * Adapts an address for pg, which reads `sslmode` like libpq only if asked to, trusts the system's
 * authorities by default, and prefers the session name in the address to ours, by which sessions are found.
 */
function pgAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(libpqAddress(address));
  const { searchParams: params } = url;
  if (params.get('sslrootcert') === 'system') params.delete('sslrootcert');
  if (params.has('sslmode')) params.set('uselibpqcompat', 'true');
  for (const name of ['application_name', 'client_encoding']) params.delete(name);
  return url.href;
}

/** Returns the sslmode; `none` if the address asks for no TLS. */
export function tlsModeOf(address: string): string {
  const known = libpqAddress(address);
  return (URL.canParse(known) ? new URL(known).searchParams.get('sslmode') : null) ?? 'none';
}

const isAboutCertificate = (code: string) =>
  /CERT|SELF_SIGNED|UNABLE_TO_|CRL_|INVALID_CA|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED/.test(code);

/**
 * Says what to do about an error of TLS; undefined: it is about something else.
 * @param setting the name of the setting that holds the address
 */
export function tlsFix(error: unknown, address: string, setting: string): string | undefined {
  const code = codeOf(error) ?? '';
  const mode = tlsModeOf(address);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return (
      `sslmode=${mode} checks the name of the server, and its certificate is for another one: use that name in ${setting}, ` +
      'or sslmode=verify-ca with sslrootcert, which checks no name'
    );
  }
  if (isAboutCertificate(code)) {
    return (
      `sslmode=${mode} in ${setting} checks the certificate of the server: add sslrootcert=/path/ca.pem with the CA ` +
      'file that the provider publishes. sslmode=require without sslrootcert encrypts and checks nothing'
    );
  }
  // pg 8 has no code for a server that answers that it has no TLS.
  if (error instanceof Error && error.message === 'The server does not support SSL connections') {
    return `The server has no TLS, which sslmode=${mode} in ${setting} asks for: sslmode=disable connects without it`;
  }
  // invalid_authorization_specification
  if (code === '28000' && ['none', 'disable'].includes(mode)) {
    return `Where the server takes encrypted connections only, add sslmode=require to ${setting}, or sslmode=verify-full with sslrootcert`;
  }
  return undefined;
}

/** Rejects with the driver's own error if the server is out of reach: a new connection has asked it. */
export async function expectAnswer(pool: pg.Pool): Promise<void> {
  (await pool.connect()).release();
}

/**
 * Also rejects if the server takes no writes (25006): a managed one whose disc is full, a standby, one of the
 * two in a failover.
 */
export async function expectWrites(pool: pg.Pool): Promise<void> {
  await pool.query(`do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise 'the server only reads (its disc is full, or it is a standby)' using errcode = '25006';
    end if;
  end $$`);
}

interface PoolOptions {
  /** `sslmode` and its companions mean what they mean to psql. */
  readonly connectionString: string;
  /** The address as the settings have it now, for the password of each new connection; undefined: as above. */
  readonly renewed?: (() => string | undefined) | undefined;
  readonly max: number;
  readonly applicationName: string;
  /**
   * Limit for making a connection and the first answer of its session; waiting for a free one has no limit.
   * Default 15000.
   */
  readonly connectTimeoutMs?: number;
  /** Limit for a server without free connections while the pool has none either. Default 15000. */
  readonly busyWaitMs?: number;
  /**
   * Settings of its sessions, beside those of every pool. Default: no statement, transaction or idle session times
   * out.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

const oid = { int8: 20, date: 1082, numeric: 1700, int8Array: 1016, dateArray: 1182 } as const;

/**
 * A pool whose rows hold `date` as 'YYYY-MM-DD' (or 'infinity'), `int8` as a number while that is
 * exact and as a string beyond 2^53, `numeric` as a string and `timestamptz` as a Date.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const firstMs = options.connectTimeoutMs ?? 15_000;
  const ready = new Set<pg.ClientBase>();
  const pool = new pg.Pool({
    max: options.max,
    application_name: options.applicationName,
    keepAlive: true,
    // Notices in minutes, not in hours, that a server vanished without closing the connection.
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    Client: preparing(clientClass(options)),
    // While another connection is ready, do not wait long for a new one.
    onConnect: (client) => prepareConnection(client, options, ready.size > 0 ? 2_000 : firstMs),
  });
  pool.on('error', ignore);
  // The pool listens to idle clients only (pg-pool 3): without this one, a connection that is lost
  // between two queries of a checked-out client would end the process.
  pool.on('connect', (client) => {
    ready.add(client);
    client.on('error', ignore);
  });
  // Also called for a connection that was never made.
  pool.on('remove', (client) => ready.delete(client));
  return waiting(pool, ready, options.busyWaitMs ?? 15_000);
}

const pauseMs = 500;
const fewerForMs = 60_000;

/** If the server has no more, gets by with the pool's connections for a minute; waits if there is none. */
function waiting(pool: pg.Pool, ready: ReadonlySet<pg.ClientBase>, busyWaitMs: number): pg.Pool {
  const connect = pool.connect.bind(pool);
  const { max } = pool.options;
  const acquire = async (): Promise<pg.PoolClient> => {
    const untilMs = performance.now() + busyWaitMs;
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        if (!isBusy(error) || pool.ending) throw error;
        if (ready.size === 0) {
          if (performance.now() > untilMs) throw error;
          await setTimeout(pauseMs);
          continue;
        }
        // Other connections are still being made, and will fail too.
        pool.options.max = ready.size;
        void setTimeout(fewerForMs, undefined, { ref: false }).then(() => {
          pool.options.max = max;
        });
      }
    }
  };
  acquirers.set(pool, acquire);
  return Object.assign(pool, { connect: either(async () => await wear(await acquire(), undefined)) });
}

/** Functions that acquire a session with the settings that it had last, by pool. */
const acquirers = new WeakMap<pg.Pool, () => Promise<pg.PoolClient>>();

/**
 * Takes an optional callback like pg-pool's own `connect`, whose `query` passes one. Hands it a release even when it
 * fails, as graphile-worker calls it unasked.
 */
function either(acquire: () => Promise<pg.PoolClient>) {
  return (told?: (error: unknown, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void) =>
    told === undefined
      ? acquire()
      : void acquire().then(
          (client) => told(undefined, client, client.release),
          (error: unknown) => told(error, undefined, () => undefined),
        );
}

/** Settings that a view gave to a session. */
const worn = new WeakMap<pg.ClientBase, SessionSettings>();

/** Asks the server only if the session had other settings: often one reader follows another. */
async function wear(client: pg.PoolClient, settings: SessionSettings | undefined): Promise<pg.PoolClient> {
  const before = worn.get(client);
  if (before === settings) return client;
  const reset = Object.fromEntries(Object.keys(before ?? {}).map((name) => [name, null]));
  try {
    await setUp(client, { ...reset, ...sessionSettings, ...endless, ...settings }, 'true');
  } catch (error) {
    client.release(true);
    throw error;
  }
  if (settings === undefined) worn.delete(client);
  else worn.set(client, settings);
  return client;
}

/**
 * Makes a view of the pool: sessions with settings of their own, `most` at a time.
 * @param pool by createPool, without settings
 */
export function viewOn(pool: pg.Pool, settings: SessionSettings, most: number): pg.Pool {
  const acquire = acquirers.get(pool);
  if (acquire === undefined) throw new Error('the pool sets no sessions up');
  let taken = 0;
  const queue: (() => void)[] = [];
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  const take = async (): Promise<pg.PoolClient> => {
    if (taken === most) await new Promise<void>((resolve) => queue.push(resolve));
    else taken += 1;
    try {
      const client = await wear(await acquire(), settings);
      const { release } = client;
      client.release = (error) => {
        // A session that is left inside a transaction goes to nobody else: it is closed.
        release(error || client.getTransactionStatus() !== 'I');
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  };
  return Object.create(pool, { connect: { value: either(take) } });
}

/** Ends a connection whose session does not answer in time: poolers answer a login before they have one free. */
async function answering<Result>(
  client: pg.ClientBase,
  withinMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const { signal } = done;
  setTimeout(withinMs, undefined, { signal }).then(() => wireOf(client).stream.destroy(noneFree()), ignore);
  try {
    return await work();
  } finally {
    done.abort();
  }
}

/** Carries the code that Postgres has for it. */
const noneFree = () => Object.assign(new Error('a pooler had no session free'), { code: '53300' });

/** Creates one client, not connected. A lost connection fails its query, and never the process. */
export function createClient(
  options: Pick<PoolOptions, 'connectionString' | 'applicationName' | 'connectTimeoutMs' | 'renewed'>,
): pg.Client {
  const Client = clientClass(options);
  const client = new Client({ application_name: options.applicationName });
  client.on('error', ignore);
  return client;
}

/**
 * The pool's own setting of that name also bounds the wait for a free connection (pg-pool 3), which
 * may rightly be long. So only the client gets it.
 */
function clientClass({
  connectionString,
  renewed,
  connectTimeoutMs = 15_000,
}: Pick<PoolOptions, 'connectionString' | 'connectTimeoutMs' | 'renewed'>): typeof pg.Client {
  const address = libpqAddress(connectionString);
  const enableChannelBinding =
    URL.canParse(address) && new URL(address).searchParams.get('channel_binding') === 'require';
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const more = { connectionTimeoutMillis: connectTimeoutMs, enableChannelBinding };
      const known = pgAddress(withPassword(connectionString, renewed?.()));
      super(typeof config === 'object' ? { ...config, ...more, connectionString: known } : config);
      if (enableChannelBinding) refuseUnbound(wireOf(this));
    }
  };
}

/** Takes over nothing but the password: other changes of an address wait for the next start. */
function withPassword(address: string, renewed: string | undefined): string {
  if (renewed === undefined || !URL.canParse(address) || !URL.canParse(renewed)) return address;
  const url = new URL(address);
  const { username, password } = new URL(renewed);
  if (username === url.username) url.password = password;
  return url.href;
}

/** The connection below a client, which pg 8 has no type for. */
interface Wire extends EventEmitter {
  readonly stream: Socket;
  readonly ssl: boolean | ConnectionOptions;
}

const wireOf = (client: pg.ClientBase) =>
  (client as pg.ClientBase & { readonly connection: Wire }).connection;

/** Ends a login that is not bound to the server's certificate before anything of the password is sent. */
function refuseUnbound(wire: Wire): void {
  const refuse = () =>
    wire.stream.destroy(
      new ConfigError([
        'Expected a login that is bound to the certificate of the server (SCRAM-SHA-256-PLUS), as channel_binding=require ' +
          'in the address asks for, got a server that offers none. It needs sslmode=require or more, and Postgres or a ' +
          'pooler that supports it; channel_binding=prefer connects without it',
      ]),
    );
  wire.on('authenticationSASL', ({ mechanisms }: { readonly mechanisms: readonly string[] }) => {
    if (!mechanisms.includes('SCRAM-SHA-256-PLUS')) refuse();
  });
  wire.on('authenticationCleartextPassword', refuse);
  wire.on('authenticationMD5Password', refuse);
  let isBound = false;
  wire.on('authenticationSASLFinal', () => {
    isBound = true;
  });
  wire.on('authenticationOk', () => {
    if (!isBound) refuse();
  });
}

/** The protection of a connection, read from its own socket: a server behind a pooler sees another one. */
export interface Protection {
  /** Such as `TLSv1.3`; undefined: not encrypted. */
  readonly protocol: string | undefined;
  /** The certificate was checked: another one would have been refused. */
  readonly isChecked: boolean;
}

export async function readProtection(pool: pg.Pool): Promise<Protection> {
  const client = await pool.connect();
  const { stream, ssl } = wireOf(client);
  client.release();
  if (!(stream instanceof TLSSocket)) return { protocol: undefined, isChecked: false };
  const refusesOthers = typeof ssl === 'boolean' || ssl.rejectUnauthorized !== false;
  return { protocol: stream.getProtocol() ?? 'TLS', isChecked: stream.authorized && refusesOthers };
}

function ignore(): void {
  // The next query on that client fails with the same error, where someone awaits it.
}

/**
 * Settings of every session, whatever role, database and server have: the meaning of SQL, the texts that the
 * parsers read, and limits for a process that froze or lost its network in the middle of a transaction, so
 * that it holds up its successor for a minute at most. `synchronous_commit`: see below.
 */
const sessionSettings = {
  array_nulls: 'on',
  bytea_output: 'hex',
  datestyle: 'iso, ymd',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  quote_all_identifiers: 'off',
  search_path: 'public',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
  transform_null_equals: 'off',
  idle_in_transaction_session_timeout: '60s',
  lock_timeout: '5min',
} as const;

/** By name; null: as the session began. */
type SessionSettings = Readonly<Record<string, string | null>>;

/**
 * Settings of sessions that write: a publish takes as long as it takes, and a session that holds locks is
 * idle most of the time.
 */
const endless = {
  idle_session_timeout: '0',
  statement_timeout: '0',
  transaction_timeout: '0',
} as const;

/**
 * Sets up the session by the same statement that shows that it belongs to this connection alone. A pooler
 * hands on its sessions as they were left, so nothing is set on those unless the pooler was proved to reset
 * them.
 * @throws ConfigError where a pooler hands sessions round or holds transactions, and for a Postgres that is
 * too old
 */
async function prepareConnection(
  client: pg.ClientBase,
  options: PoolOptions,
  withinMs: number,
): Promise<void> {
  const { connectionString, settings = endless } = options;
  const session = await answering(client, withinMs, () =>
    setUp(client, settings, `pg_backend_pid() = ${announcedPid(client)}`),
  );
  if (Number(session.number) < oldestVersion * 10_000) {
    throw new ConfigError([`The warehouse needs Postgres ${oldestVersion} or newer, got ${session.version}`]);
  }
  const isDirect = session.port !== null && session.port === wireOf(client).stream.localPort;
  if (!isDirect && (await holdsTransactions(connectionString, client))) throw new ConfigError([holdingText]);
  if (session.is_own) return;
  const fault = await poolerFault(connectionString, client, async () => {
    const another = createClient(options);
    await another.connect();
    await answering(another, withinMs, () => another.query('select'));
    return another;
  });
  if (fault !== undefined) throw new ConfigError([poolerText(fault)]);
  await setUp(client, settings, 'true');
}

const oldestVersion = 14;

interface Session {
  readonly is_own: boolean;
  /** Port of the client as the server sees it; null: a Unix socket. */
  readonly port: number | null;
  readonly version: string;
  readonly number: string;
}

/**
 * Makes commits durable, whatever the role's default; a statement that may lose its commit says so itself
 * (store_page.sql).
 */
const durable = `set_config('synchronous_commit', replace(replace(current_setting('synchronous_commit'), 'off', 'on'), 'local', 'on'), false)`;

async function setUp(client: pg.ClientBase, more: SessionSettings, condition: string): Promise<Session> {
  // Before Postgres 17 there is no transaction_timeout.
  const set = Object.entries({ ...sessionSettings, ...more })
    .map(([name, value]) => [pg.escapeLiteral(name), value === null ? 'null' : pg.escapeLiteral(value)])
    .map(
      ([name, value]) =>
        `case when current_setting(${name}, true) is not null then set_config(${name}, ${value}, false) end`,
    );
  const { rows } = await client.query<Session>(
    `select ${condition} as is_own, inet_client_port() as port, current_setting('server_version') as version,
      current_setting('server_version_num') as number,
      case when ${condition} then array[${[durable, ...set].join(', ')}] end`,
  );
  const [session] = rows;
  if (session === undefined) throw new Error('the query of the session returned no row');
  return session;
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
