// A Postgres in a folder, for those who have none: made at the first use, shared by all processes
// that use it at the same time, and stopped by the last one.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { type Binaries, findNativeTree, prepareBinaries } from './binaries.ts';
import {
  clusterUrl,
  createCluster,
  createPassword,
  ensureDatabase,
  hasCluster,
  readPassword,
  ServerGoneError,
} from './cluster.ts';
import { describeOwnProcess, findLivingProcess } from './processes.ts';
import { findReadyServer, type RunningServer, startServer, stopServer } from './server.ts';
import {
  findServerHome,
  makeDataDir,
  type ServerHome,
  sharedFolder,
  withStartStopLock,
} from './server-home.ts';

/** Undefined where there never was one. */
export async function knownUrl(dataDir: string, database = 'airank'): Promise<string | undefined> {
  const password = await readPassword(join(dataDir, 'password'));
  const port = Number(await readFile(join(dataDir, 'port'), 'utf8').catch(() => ''));
  return password === undefined || !Number.isInteger(port) || port <= 0
    ? undefined
    : clusterUrl({ port, password }, database);
}

/**
 * Who uses the server of a data folder: one small file for each, so that the last one, and only the
 * last one, stops it. Files of processes that died without leaving are swept away.
 */
interface Registration {
  leave(): Promise<void>;
}

/** Registers the present process in `folder`. Call under the start/stop lock. */
async function registerUser(folder: string): Promise<Registration> {
  await mkdir(folder, { recursive: true });
  // One process may open the same folder more than once.
  const path = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await writeFile(path, `${await describeOwnProcess()}\n`, { flag: 'wx' });
  return { leave: () => rm(path, { force: true }) };
}

/** Pids of the living users; removes the files of dead ones. Call under the start/stop lock. */
async function listUsers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const living: number[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const pid = await findLivingProcess(await readFile(path, 'utf8').catch(() => ''));
    if (pid === undefined) await rm(path, { force: true });
    else living.push(pid);
  }
  return living;
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
