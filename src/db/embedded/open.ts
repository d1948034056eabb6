// A Postgres in a folder, for those who have none: made at the first use, shared by all processes
// that use it at the same time, and stopped by the last one.

import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, stat, writeFile } from 'node:fs/promises';
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
  role,
  type ServerHome,
  sharedFolder,
} from './cluster.ts';
import { listUsers, registerUser, withStartStopLock } from './processes.ts';
import { findReadyServer, type RunningServer, startServer, stopServer } from './server.ts';

/** Undefined where there never was one. */
export async function knownUrl(dataDir: string, database = 'airank'): Promise<string | undefined> {
  const password = await readPassword(join(dataDir, 'password'));
  const port = Number(await readFile(join(dataDir, 'port'), 'utf8').catch(() => ''));
  return password === undefined || !Number.isInteger(port) || port <= 0
    ? undefined
    : clusterUrl({ port, password }, database);
}

const attempts = 10;
const pauseMs = 300;

interface EmbeddedPostgresOptions {
  /** Absolute; made when absent. Holds the password, and the cluster unless `location` says where. */
  readonly dataDir: string;
  /** Created when absent. Default `airank`. */
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
  /** Leaves the server, and stops it when nobody else uses it. May be called again. */
  close(): Promise<void>;
}

/** Opens the Postgres of a folder. Rejects with a WarehouseError that says the fix. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, signal } = options;
  if (!isAbsolute(dataDir)) throw new RangeError(`Expected an absolute data folder, got "${dataDir}"`);
  try {
    const nativeTree = await findNativeTree();
    await makeDataDir(dataDir);
    const lock = { path: join(dataDir, 'lock'), log };
    return await withStartStopLock({ ...lock, signal }, () => openLocked(options, nativeTree));
  } catch (error) {
    if (error instanceof WarehouseError || signal?.aborted) throw error;
    throw explain(error, dataDir);
  }
}

async function openLocked(options: EmbeddedPostgresOptions, nativeTree: string): Promise<EmbeddedPostgres> {
  const { dataDir, log, signal } = options;
  const home = await findServerHome(dataDir, log);
  const usersFolder = join(dataDir, 'users');
  let binaries: Promise<Binaries> | undefined;
  const prepare = () => {
    const copyFolder = async () => (home.user === undefined ? home.folder : await sharedFolder());
    binaries ??= prepareBinaries({ nativeTree, user: home.user, copyFolder, log });
    return binaries;
  };

  const registration = await registerUser(usersFolder);
  const leave = async () => {
    await registration.leave();
    if ((await listUsers(usersFolder)).length > 0) return;
    if (await stopServer(home, await prepare())) return;
    log(`Postgres is still stopping in ${home.dataFolder}; nothing needs to be done`);
  };
  try {
    signal?.throwIfAborted();
    const { server, password, version, opened } = await ensureReady(options, home, prepare);
    signal?.throwIfAborted();

    let closing: Promise<void> | undefined;
    return {
      url: clusterUrl({ port: server.port, password }, opened),
      version,
      port: server.port,
      dataFolder: home.dataFolder,
      startedHere: server.startedHere,
      close: () => {
        closing ??= closeOnce(dataDir, log, leave);
        return closing;
      },
    };
  } catch (error) {
    await leave().catch(() => undefined);
    throw error;
  }
}

/** Finds or starts the server and asks it; again when it was just dying (killed, or stopped by hand). */
async function ensureReady(
  options: EmbeddedPostgresOptions,
  home: ServerHome,
  prepare: () => Promise<Binaries>,
): Promise<{ server: RunningServer; password: string; version: string; opened: string }> {
  const { database = 'airank', isThere = false } = options;
  for (let attempt = 1; ; attempt += 1) {
    const { server, password } = await ensureServer(options, home, prepare);
    try {
      const wish = { database, isCreated: !isThere };
      return { server, password, ...(await ensureDatabase(home, { port: server.port, password }, wish)) };
    } catch (error) {
      if (!(error instanceof ServerGoneError) || attempt >= attempts) throw error;
      await systemClock.sleep(pauseMs, options.signal);
    }
  }
}

/** Finds the server or starts it, making the cluster first where there is none. */
async function ensureServer(
  options: EmbeddedPostgresOptions,
  home: ServerHome,
  prepare: () => Promise<Binaries>,
): Promise<{ server: RunningServer; password: string }> {
  const { dataDir, log, signal } = options;
  const passwordFile = join(dataDir, 'password');
  const known = await readPassword(passwordFile);
  const running = await findReadyServer(home, log, signal);
  if (running !== undefined && known !== undefined) return { server: running, password: known };

  const binaries = await prepare();
  const found = await hasCluster(home, binaries);
  if (found && known === undefined) {
    throw new WarehouseError(
      `${passwordFile} is missing, and without it the Postgres in ${home.dataFolder} cannot be opened. ` +
        `Bring the file back, or move ${home.folder} away to begin with an empty warehouse.`,
    );
  }
  const password = known ?? (await createPassword(passwordFile));
  if (!found) {
    log(`making a Postgres ${binaries.version} in ${home.folder} (the first time only)`);
    await createCluster(home, binaries, password, signal);
  }
  signal?.throwIfAborted();
  // The same port as last time, so that a BI tool finds it again.
  const portFile = join(dataDir, 'port');
  const server = await startServer(home, binaries, await readPort(portFile), log, signal);
  await writeFile(portFile, `${server.port}\n`);
  return { server, password };
}

async function readPort(file: string): Promise<number | undefined> {
  const port = Number(await readFile(file, 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
}

async function closeOnce(
  dataDir: string,
  log: (line: string) => void,
  leave: () => Promise<void>,
): Promise<void> {
  // Somebody may have deleted the folder, and the lock and all other users with it.
  if ((await stat(dataDir).catch(() => undefined)) === undefined) await leave();
  else await withStartStopLock({ path: join(dataDir, 'lock'), log }, leave);
}

function explain(error: unknown, dataDir: string): WarehouseError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const fix =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disc is full: free some space'
      : 'Give this user the right to write there, choose another data folder (AIRANK_DATA_DIR)';
  return new WarehouseError(
    `Cannot keep a Postgres in ${dataDir}: ${messageOf(error)}. ${fix}, or set DATABASE_URL to a Postgres of your own.`,
    {},
    { cause: error },
  );
}

interface ClusterAddress {
  readonly port: number;
  readonly password: string;
}

/** Worth finding or starting the server again. */
class ServerGoneError extends WarehouseError {}

/** Says itself what PGSSLMODE, PGCHANNELBINDING and PGOPTIONS would, which are set for somebody else's server. */
export function clusterUrl({ password, port }: ClusterAddress, database: string): string {
  const alone = 'sslmode=disable&channel_binding=disable&options=%20';
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?${alone}`;
}

/** Of the server itself: nobody keeps anything in it. */
const ownDatabase = 'postgres';

/**
 * Makes sure that the server is the right one. Creates `database` when it is absent, or opens the server's own; the
 * server's version is such as `18.4`.
 * @throws ServerGoneError when the server went away, or was about to, while being asked
 */
async function ensureDatabase(
  home: ServerHome,
  address: ClusterAddress,
  { database, isCreated }: { readonly database: string; readonly isCreated: boolean },
): Promise<{ readonly version: string; readonly opened: string }> {
  const client = createClient({
    connectionString: clusterUrl(address, ownDatabase),
    applicationName: 'airank',
    connectTimeoutMs: 30_000,
  });
  try {
    await client.connect();
    const answer = await client.query<{ folder: string; version: string; present: boolean }>(
      `select current_setting('data_directory') as folder,
              split_part(current_setting('server_version'), ' ', 1) as version,
              exists (select from pg_database where datname = $1) as present`,
      [database],
    );
    const [row] = answer.rows;
    if (row === undefined) throw new Error('no row from a select without a table');
    await assertSameFolder(row.folder, home.dataFolder, address.port);
    if (row.present) return { version: row.version, opened: database };
    if (!isCreated) return { version: row.version, opened: ownDatabase };
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
    return { version: row.version, opened: database };
  } catch (error) {
    if (error instanceof WarehouseError) throw error;
    throw explainRefusal(error, home, address.port);
  } finally {
    await client.end().catch(() => undefined);
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
  const invalidPassword = '28P01';
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  if (code === invalidPassword) {
    return new WarehouseError(
      `The Postgres in ${home.dataFolder} refuses the password in the data folder's file "password". ` +
        'Bring back the file that belongs to it.',
      {},
      { cause: error },
    );
  }
  // Not an answer of the server at all, or 57P01 to 57P03: shut down, crashed, not ready.
  const isGone = code === undefined || /^57P0[123]$/.test(code);
  return new (isGone ? ServerGoneError : WarehouseError)(
    `The Postgres in ${home.dataFolder} runs on port ${port} and cannot be used: ${messageOf(error)}. ` +
      `See ${home.logFile}.`,
    {},
    { cause: error },
  );
}

/** The password in `file`; undefined when there is none. Its characters need no escaping in a URL. */
async function readPassword(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new WarehouseError(
      `${file} belongs to another user, and so does the warehouse beside it. Run airank as that user, or ` +
        'choose another data folder.',
      {},
      { cause: error },
    );
  }
}

/** Makes a password and stores it durably, before any cluster depends on it. */
async function createPassword(file: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${password}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return password;
}
