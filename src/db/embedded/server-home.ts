// Where the cluster of a data folder is: inside it, or, when root's folders are closed to the user
// that runs the server, below /var/lib/airank-warehouse. The file `location` remembers.
import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { WarehouseError } from '../../core/errors.ts';
import { firstClosedFolder } from './reach.ts';
import { findServerUser, type ServerUser } from './server-user.ts';

export interface ServerHome {
  /** Owned by the server's user; holds the cluster and the server's log. */
  readonly folder: string;
  /** The cluster itself, PGDATA. */
  readonly dataFolder: string;
  readonly logFile: string;
  /** Undefined: the present user. */
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
