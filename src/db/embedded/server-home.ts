// Where the cluster of a data folder is: inside it, or, when root's folders are closed to the user
// that runs the server, below /var/lib/airank-warehouse. The file `location` remembers.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, open, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import { describeOwnProcess, findLivingProcess, findServerUser, type ServerUser } from './processes.ts';

/** Tells whether another user can get to a folder, by the modes of all folders above it. */
interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The first folder on the way to `folder` (itself included) that the user may not enter, if any. */
export async function firstClosedFolder(folder: string, user: ServerUser): Promise<string | undefined> {
  const ways: string[] = [];
  for (let way = await realpath(folder); ; way = dirname(way)) {
    ways.unshift(way);
    if (dirname(way) === way) break;
  }
  for (const way of ways) {
    if (!mayEnter(await stat(way), user)) return way;
  }
  return undefined;
}

/** The one class of mode bits that applies decides: owner, else group, else others. */
export function mayEnter(folder: Ownership, user: ServerUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/**
 * One process at a time starts or stops the server of a data folder. The lock is a file that names
 * its holder; a holder that died without releasing it is recognised and skipped.
 */
interface LockOptions {
  readonly path: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** How long a living holder is waited for. Default 10 minutes: crash recovery may take long. */
  readonly patienceMs?: number;
}

const pollMs = 40;
const tellAfterMs = 2_000;
/** Between creating a lock file and writing its holder into it lie microseconds. */
const unwrittenMs = 10_000;

/** Runs `work` while holding the lock. */
export async function withStartStopLock<Result>(
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = await acquire(options);
  try {
    return await work();
  } finally {
    await release(options.path, line);
  }
}

async function acquire(options: LockOptions): Promise<string> {
  const { path, log, signal, patienceMs = 600_000 } = options;
  // The last word tells apart two holders in one process.
  const line = `${await describeOwnProcess()} ${randomBytes(6).toString('hex')}`;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    signal?.throwIfAborted();
    if (await create(path, line)) return line;
    const holder = await findHolder(path);
    if (holder === 'nobody') {
      await removeStale(path);
    } else if (waitedMs >= patienceMs) {
      throw new WarehouseError(
        `Process ${holder} has been starting or stopping Postgres for ${Math.round(patienceMs / 1000)} s ` +
          `(lock file ${path}). Wait for it or end it, then run the command again.`,
      );
    } else if (waitedMs <= tellAfterMs && waitedMs + pollMs > tellAfterMs) {
      log(`waiting for process ${holder}, which is starting or stopping Postgres (${path})`);
    }
    await systemClock.sleep(pollMs, signal);
  }
}

async function create(path: string, line: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o644);
    try {
      await file.writeFile(`${line}\n`);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows answers EPERM while a deleted file is still open somewhere.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

/** The pid of the living holder, `unknown` while it is being written, or `nobody`. */
async function findHolder(path: string): Promise<number | 'unknown' | 'nobody'> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  // Released in between: the next try creates it, or waits for the process that was faster.
  if (text === undefined) return 'unknown';
  if (text.endsWith('\n')) {
    const words = text.trim().split(' ');
    return (await findLivingProcess(words.slice(0, -1).join(' '))) ?? 'nobody';
  }
  return (await ageMs(path)) > unwrittenMs ? 'nobody' : 'unknown';
}

/**
 * Two waiters may see the same dead holder: the slower one must not remove the lock that the faster
 * one has just taken. So removing happens under a second lock, held for an instant, and looks again.
 */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.removing`;
  if (!(await create(guard, await describeOwnProcess()))) {
    if ((await ageMs(guard)) > unwrittenMs) await rm(guard, { force: true });
    return;
  }
  try {
    if ((await findHolder(path)) === 'nobody') await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function release(path: string, line: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.trim() === line) await rm(path, { force: true });
}

async function ageMs(path: string): Promise<number> {
  const facts = await stat(path).catch(() => undefined);
  return facts === undefined ? 0 : Date.now() - facts.mtimeMs;
}

export interface ServerHome {
  /** Owned by the server's user; holds the cluster and the server's log. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly logFile: string;
  readonly user: ServerUser | undefined;
}

/** Makes the data folder; as root open to enter, not to list, because another user runs the server. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  await mkdir(dirname(dataDir), { recursive: true });
  try {
    await mkdir(dataDir, { mode: isRoot ? 0o711 : 0o700 });
    if (isRoot) await chmod(dataDir, 0o711);
  } catch (error) {
    if (!(await stat(dataDir).catch(() => undefined))?.isDirectory()) throw error;
  }
}

/** Finds the home of the cluster, or chooses and makes one. Call under the start/stop lock. */
export async function findServerHome(dataDir: string, log: (line: string) => void): Promise<ServerHome> {
  const locationFile = join(dataDir, 'location');
  const location = await readLocation(locationFile);
  const inside = join(dataDir, 'postgres');
  if (location !== undefined) return await describeHome(location);

  const home = await describeHome(inside);
  if (home.user === undefined) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    return home;
  }
  const closed = await firstClosedFolder(dataDir, home.user);
  if (closed === undefined) {
    await makeHome(home);
    return home;
  }
  if (await exists(home.dataFolder)) {
    throw new WarehouseError(
      `User "${home.user.name}", who runs Postgres for root, may not enter ${closed}, and the warehouse is ` +
        `in ${home.dataFolder}. Open it (chmod o+x "${closed}") or run airank as that user.`,
    );
  }
  const outside = await describeHome(await freeHome(dataDir));
  await makeHome(outside);
  await writeFile(locationFile, `${outside.folder}\n`);
  log(
    `the warehouse's data goes to ${outside.folder}: user "${home.user.name}", who runs Postgres for root, ` +
      `may not enter ${closed}` +
      (outside.folder.startsWith(tmpdir())
        ? '; files there may be swept away: set AIRANK_DATA_DIR to a folder that is open to it'
        : ''),
  );
  return outside;
}

async function readLocation(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const folder = text.trim();
  if (isAbsolute(folder) && (await exists(folder))) return folder;
  throw new WarehouseError(
    `${file} says that the warehouse's data is in "${folder}", and there is no such folder. Bring it back, ` +
      'or delete that file to begin with an empty warehouse.',
  );
}

async function describeHome(folder: string): Promise<ServerHome> {
  const dataFolder = join(folder, 'data');
  const user = await findServerUser(dataFolder);
  return { folder, dataFolder, logFile: join(folder, 'server.log'), user };
}

async function makeHome(home: ServerHome): Promise<void> {
  await mkdir(home.folder, { recursive: true, mode: 0o700 });
  if (home.user !== undefined) await lchown(home.folder, home.user.uid, home.user.gid);
}

/**
 * A folder for this data folder that nobody uses. One that exists belongs to a warehouse whose data
 * folder was deleted, password and all: it is left alone.
 */
async function freeHome(dataDir: string): Promise<string> {
  const shared = await sharedFolder();
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  for (let number = 1; ; number += 1) {
    const folder = join(shared, number === 1 ? hash : `${hash}-${number}`);
    if (!(await exists(join(folder, 'data')))) return folder;
  }
}

/** `/var/lib/airank-warehouse`, or the same below the temporary folder where that cannot be written. */
export async function sharedFolder(): Promise<string> {
  const candidates = ['/var/lib', tmpdir()].map((parent) => join(parent, 'airank-warehouse'));
  let cause: unknown;
  for (const folder of candidates) {
    try {
      if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755);
      const facts = await lstat(folder);
      // Everybody can write to the temporary folder: a folder that somebody else made there is not trusted.
      if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0)
        return folder;
      cause = new Error(`${folder} is not a folder that only this user may write to`);
    } catch (error) {
      cause = error;
    }
  }
  throw new WarehouseError(
    `No place for the bundled Postgres: neither ${candidates.join(' nor ')} can be used. ` +
      'Make one of them writable, or set DATABASE_URL to a Postgres of your own.',
    {},
    { cause },
  );
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
