// The cluster of a data folder. It is inside it, or, when root's folders are closed to the user that runs the server,
// below /var/lib/airank-warehouse; the file `location` remembers. It is made all or not at all: under another name, and
// renamed when it is finished, so a folder named `data` is never made again and never deleted.

import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  constants,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { WarehouseError } from '../../core/errors.ts';
import { type Binaries, runPostgresProgram } from './binaries.ts';
import { findServerUser, type ServerUser } from './processes.ts';

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

/** Throws when fewer than `neededBytes` are free for ordinary users on the disc of `folder`. */
export async function assertDiscSpace(folder: string, neededBytes: number): Promise<void> {
  const facts = await statfs(folder).catch(() => undefined);
  if (facts === undefined) return;
  const freeBytes = facts.bavail * facts.bsize;
  if (freeBytes >= neededBytes) return;
  throw new WarehouseError(
    `The disc is full: Postgres needs ${inMegabytes(neededBytes)} MB in ${folder}, and ` +
      `${inMegabytes(freeBytes)} MB are free. Free some space, or put the data folder on another disc.`,
  );
}

function inMegabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}

/** The server's settings, written anew at each start. */
export const settingsFile = 'airank.conf';

/** The line that postgresql.conf needs; a relative path starts at its own folder. */
export const includeLine = `include_if_exists = '${settingsFile}'`;

/** Writes a new file with mode 0600 that belongs to the user; never through a link. */
export async function writeFileFor(path: string, text: string, user: ServerUser | undefined): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (user !== undefined) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The only role of the cluster, a superuser. */
export const role = 'airank';

const draftPrefix = 'data.new-';
const clusterBytes = 100 * 2 ** 20;

/** True when the cluster exists. An error when it is of another major version than the programs. */
export async function hasCluster(home: ServerHome, binaries: Pick<Binaries, 'version'>): Promise<boolean> {
  const text = await readFile(join(home.dataFolder, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (text === undefined) return false;
  const [major] = binaries.version.split('.');
  if (text.trim() === major) return true;
  throw new WarehouseError(
    `The warehouse in ${home.dataFolder} was made by Postgres ${text.trim()}, and this version of airank ` +
      `brings Postgres ${major}, which cannot read it. Run the version of airank that made it, or a ` +
      `Postgres ${text.trim()} of your own on that folder, and set DATABASE_URL; or move the folder away ` +
      'to begin with an empty warehouse.',
  );
}

/** Makes the cluster. Call under the start/stop lock. */
export async function createCluster(
  home: ServerHome,
  binaries: Binaries,
  password: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await removeDrafts(home.folder);
  await assertDiscSpace(home.folder, clusterBytes);
  const draft = `${draftPrefix}${randomBytes(4).toString('hex')}`;
  const passwordFile = join(home.folder, `${draft}.password`);
  try {
    await writeFileFor(passwordFile, `${password}\n`, home.user);
    // Relative paths: the folder's own name may be long or hold any character.
    const result = await runPostgresProgram(
      binaries.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${role}`,
        `--pwfile=${draft}.password`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Postgres' own C.UTF-8: knows upper and lower case of all letters, sorts by code point, and
        // is the same on every machine, so that no system update ever changes the order of an index.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      { user: home.user, folder: home.folder, signal },
    );
    signal?.throwIfAborted();
    if (result.code !== 0) {
      await assertDiscSpace(home.folder, 2 ** 24);
      throw new WarehouseError(
        `Postgres could not make a cluster in ${home.folder} (initdb, ` +
          `${result.code === undefined ? 'ended by a signal' : `exit code ${result.code}`}):\n` +
          `${result.output.trim().split('\n').slice(-8).join('\n')}\n` +
          'Fix what it says, or set DATABASE_URL to a Postgres of your own.',
      );
    }
    await appendLine(join(home.folder, draft, 'postgresql.conf'), includeLine);
    await rename(join(home.folder, draft), home.dataFolder);
  } finally {
    await removeDrafts(home.folder);
  }
}

/** Appends to a file of the server's user. As root, a link must not lead out of its folder. */
async function appendLine(path: string, line: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags);
  try {
    await file.writeFile(`\n${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the files of an earlier try whose process was killed. */
async function removeDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    // An orphaned initdb may still be writing into it, and fails soon; the rest goes next time.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
