// A Postgres in a folder, for users without a server: made at the first use, and shared by all processes that
// use it at the same time. Each of them holds a connection with a shared lock. A process that leaves and gets
// the lock alone, while no client of any kind is connected, stops the server. A process that finds it
// stopping waits, and starts it again.
import { randomBytes } from 'node:crypto';
import { realpath, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { isAbsolute, join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../../core/clock.ts';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { createClient } from '../pool.ts';
import { type Binaries, findNativeTree, prepareBinaries } from './binaries.ts';
import {
  createCluster,
  findServerHome,
  hasCluster,
  makeDataDir,
  readIfThere,
  role,
  type ServerHome,
  sharedFolder,
  writeOnce,
} from './cluster.ts';
import { findReadyServer, type RunningServer, startServer, stopServer } from './server.ts';

const attempts = 10;
const pauseMs = 300;

interface EmbeddedPostgresOptions {
  /** Absolute; made when absent. Holds the password, and the cluster unless `location` says where. */
  readonly dataDir: string;
  readonly database?: string;
  readonly isThere?: boolean;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface EmbeddedPostgres {
  /** Holds the password. Reachable from this machine only. */
  readonly url: string;
  readonly version: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly startedHere: boolean;
  /** Leaves the server, and stops it when no client is connected. May be called again. */
  close(): Promise<void>;
}

interface Opening extends EmbeddedPostgresOptions {
  readonly home: ServerHome;
  readonly prepare: () => Promise<Binaries>;
}

/** Opens the Postgres of a folder. Rejects with a WarehouseError that says the fix. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, signal } = options;
  if (!isAbsolute(dataDir)) throw new RangeError(`Expected an absolute data folder, got "${dataDir}"`);
  try {
    const nativeTree = await findNativeTree();
    await makeDataDir(dataDir);
    const home = await findServerHome(dataDir, log);
    const copyFolder = async () => (home.user === undefined ? home.folder : await sharedFolder());
    let binaries: Promise<Binaries> | undefined;
    const prepare = () => (binaries ??= prepareBinaries({ nativeTree, user: home.user, copyFolder, log }));
    return await openAt({ ...options, home, prepare });
  } catch (error) {
    if (error instanceof WarehouseError || signal?.aborted) throw error;
    throw explain(error, dataDir);
  }
}

async function openAt(opening: Opening): Promise<EmbeddedPostgres> {
  const { home, signal } = opening;
  // The server may be killed, or stopped by a leaving process, just when it is found.
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const { server, password } = await ensureServer(opening);
    const address = { port: server.port, password };
    try {
      const { client, version, opened } = await take(opening, address);
      const close = holding(opening, address, client);
      if (signal?.aborted) await close();
      signal?.throwIfAborted();
      const url = clusterUrl(address, opened);
      return { url, version, ...server, dataFolder: home.dataFolder, close };
    } catch (error) {
      if (!(error instanceof ServerGoneError) || attempt >= attempts) throw error;
      await systemClock.sleep(pauseMs, signal);
    }
  }
}

/** Finds the server or starts it, making the cluster first where there is none. */
async function ensureServer(opening: Opening): Promise<{ server: RunningServer; password: string }> {
  const { dataDir, home, prepare, log, signal } = opening;
  const passwordFile = join(dataDir, 'password');
  const known = await readPassword(passwordFile);
  const running = await findReadyServer(home, log, signal);
  if (running !== undefined && known !== undefined) return { server: running, password: known };

  const binaries = await prepare();
  const found = await hasCluster(home, binaries);
  if (found && known === undefined && (await readPassword(passwordFile)) === undefined) {
    throw new WarehouseError(
      `${passwordFile} is missing, and without it the Postgres in ${home.dataFolder} cannot be opened. ` +
        `Bring the file back, or move ${home.folder} away to begin with an empty warehouse.`,
    );
  }
  // Its characters need no escaping in a URL; it is stored before any cluster depends on it.
  const password =
    known ?? (await writeOnce(passwordFile, `${randomBytes(24).toString('base64url')}\n`)).trim();
  if (!found) {
    log(`making a Postgres ${binaries.version} in ${home.folder} (the first time only)`);
    await createCluster(home, binaries, password, signal);
  }
  signal?.throwIfAborted();
  // The same port as last time, so that a BI tool finds it again.
  const portFile = join(dataDir, 'port');
  const port = Number(await readIfThere(portFile));
  const preferred = Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
  const server = await startServer(home, binaries, preferred, log, signal);
  if (server.startedHere) await writeFile(portFile, `${server.port}\n`);
  return { server, password };
}

async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readIfThere(file))?.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new WarehouseError(
      `${file} belongs to another user, and so does the warehouse beside it. Run airank as that user, or ` +
        'choose another data folder.',
      {},
      { cause: error },
    );
  }
}

function explain(error: unknown, dataDir: string): WarehouseError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const fix =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disc is full: free some space'
      : 'Give this user the right to write there, choose another data folder (AIRANK_DATA_DIR)';
  return new WarehouseError(
    `Cannot run a Postgres in ${dataDir}: ${messageOf(error)}. ${fix}, or set DATABASE_URL to a Postgres of your own.`,
    {},
    { cause: error },
  );
}

interface ClusterAddress {
  readonly port: number;
  readonly password: string;
}

/** Raised when it is worth finding or starting the server again. */
class ServerGoneError extends WarehouseError {}

/** Overrides PGSSLMODE, PGCHANNELBINDING and PGOPTIONS, which are set for somebody else's server. */
export function clusterUrl({ password, port }: ClusterAddress, database: string): string {
  const alone = 'sslmode=disable&channel_binding=disable&options=%20';
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?${alone}`;
}

/**
 * The server's own database, in which nobody keeps anything. Advisory locks count by database, so every
 * process takes its lock in this one.
 */
const ownDatabase = 'postgres';
/** Held shared by processes that use the server, exclusively while it is stopped. */
const useLock = 5_708_251;
const graceMs = 2_000;
const pollMs = 20;

async function connect(address: ClusterAddress): Promise<pg.Client> {
  const client = createClient({
    connectionString: clusterUrl(address, ownDatabase),
    applicationName: 'airank',
    connectTimeoutMs: 30_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Opens a connection that keeps the server from being stopped. Makes sure that it is the right server, and
 * creates the database if it does not exist, or opens the server's own.
 * @throws ServerGoneError when the server went away, or was about to, while being asked
 */
async function take(
  { home, database = 'airank', isThere = false }: Opening,
  address: ClusterAddress,
): Promise<{ readonly client: pg.Client; readonly version: string; readonly opened: string }> {
  let client: pg.Client | undefined;
  try {
    client = await connect(address);
    await client.query(`set lock_timeout = '2min'; select pg_advisory_lock_shared(${useLock})`);
    const answer = await client.query<{ folder: string; version: string; present: boolean }>(
      `select current_setting('data_directory') as folder,
              split_part(current_setting('server_version'), ' ', 1) as version,
              exists (select from pg_database where datname = $1) as present`,
      [database],
    );
    const [row] = answer.rows;
    if (row === undefined) throw new Error('no row from a select without a table');
    await assertSameFolder(row.folder, home.dataFolder, address.port);
    const { version } = row;
    if (!row.present && isThere) return { client, version, opened: ownDatabase };
    if (!row.present) await createOnce(client, database);
    return { client, version, opened: database };
  } catch (error) {
    await client?.end().catch(() => undefined);
    if (error instanceof WarehouseError) throw error;
    throw explainRefusal(error, home, address.port);
  }
}

async function createOnce(client: pg.Client, database: string): Promise<void> {
  try {
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    // Another process was faster: 42P04 duplicate_database, 23505 in the same moment.
    if (!(error instanceof pg.DatabaseError && /^(42P04|23505)$/.test(error.code ?? ''))) throw error;
  }
}

/** Keeps the connection until the returned function is called, which leaves the server. */
function holding(opening: Opening, address: ClusterAddress, taken: pg.Client): () => Promise<void> {
  let client: pg.Client | undefined = taken;
  let closing: Promise<void> | undefined;
  const keep = (held: pg.Client) => {
    // Does not hold up a program that ends without closing.
    socketOf(held)?.unref();
    held.once('end', () => {
      client = undefined;
      if (closing === undefined) setTimeout(takeAgain, 1_000).unref();
    });
  };
  // After a crash of the server, or where somebody ended the session.
  const takeAgain = () => {
    if (closing !== undefined) return;
    take(opening, address).then(
      (again) => {
        if (closing !== undefined) return void again.client.end().catch(() => undefined);
        client = again.client;
        keep(again.client);
      },
      () => setTimeout(takeAgain, 1_000).unref(),
    );
  };
  keep(taken);
  return () => (closing ??= leave(opening, address, client));
}

function socketOf({ connection }: pg.Client): Socket | undefined {
  return connection.stream instanceof Socket ? connection.stream : undefined;
}

/** Stops the server if nobody else uses it; a session that ended meanwhile is no fault. */
async function leave(
  { home, prepare, log }: Opening,
  address: ClusterAddress,
  held: pg.Client | undefined,
): Promise<void> {
  if (held !== undefined) socketOf(held)?.ref();
  const client = held ?? (await connect(address).catch(() => undefined));
  try {
    if (client === undefined || !(await isLast(client, held !== undefined))) return;
    if (await stopServer(home, await prepare())) return;
    log(`Postgres is still stopping in ${home.dataFolder}; nothing needs to be done`);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function isLast(client: pg.Client, holds: boolean): Promise<boolean> {
  try {
    if (holds) await client.query(`select pg_advisory_unlock_shared(${useLock})`);
    const alone = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(${useLock}) as alone`);
    if (alone.rows[0]?.alone !== true) return false;
    // Sessions of this process, and of processes that left just now, take a moment to end.
    for (let waitedMs = 0; waitedMs <= graceMs; waitedMs += pollMs) {
      const { rows } = await client.query(
        `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows.length === 0) return true;
      await systemClock.sleep(pollMs);
    }
    return false;
  } catch {
    return false;
  }
}

async function assertSameFolder(found: string, expected: string, port: number): Promise<void> {
  // Windows writes the same folder with other slashes and letter cases.
  if (process.platform === 'win32' || found === expected || found === (await realpath(expected))) return;
  throw new WarehouseError(
    `Expected the server on port ${port} to serve ${expected}, got one that serves ${found}. ` +
      `If no Postgres runs on the expected folder, delete its postmaster.pid and run the command again.`,
  );
}

function explainRefusal(error: unknown, home: ServerHome, port: number): WarehouseError {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  // invalid_password
  if (code === '28P01') {
    return new WarehouseError(
      `The Postgres in ${home.dataFolder} refuses the password in the data folder's file "password". ` +
        'Restore the file that belongs to it.',
      {},
      { cause: error },
    );
  }
  // Not an answer of the server, or 57P01 to 57P03: shut down, crashed, not ready.
  const isGone = code === undefined || /^57P0[123]$/.test(code);
  return new (isGone ? ServerGoneError : WarehouseError)(
    `The Postgres in ${home.dataFolder} runs on port ${port} and cannot be used: ${messageOf(error)}. ` +
      `See ${home.logFile}.`,
    {},
    { cause: error },
  );
}
