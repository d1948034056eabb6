// The cluster of a data folder. It lies inside it, or below /var/lib/airank-warehouse if root's folders are closed to
// the user that runs the server; the file `location` says where. It gets its name only when it is complete, so
// processes that make it at once end with one cluster.
import { randomBytes } from 'node:crypto';
import {
  appendFile,
  chmod,
  constants,
  link,
  lstat,
  mkdir,
  mkdtemp,
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
import { dirname, isAbsolute, join } from 'node:path';
import { WarehouseError } from '../../core/errors.ts';
import { type Binaries, runPostgresProgram } from './binaries.ts';
import { findProgram, findServerUser, type ServerUser } from './processes.ts';

interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The first folder on the way to `folder` (itself included) that the user may not enter, if any. */
export async function firstClosedFolder(folder: string, user: ServerUser): Promise<string | undefined> {
  const ways = [await realpath(folder)];
  for (let way = ways[0] ?? ''; dirname(way) !== way; way = dirname(way)) ways.unshift(dirname(way));
  for (const way of ways) if (!mayEnter(await stat(way), user)) return way;
  return undefined;
}

/** The one class of mode bits that applies decides: owner, else group, else others. */
function mayEnter(folder: Ownership, user: ServerUser): boolean {
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
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  // Sets the mode whatever the umask is.
  if ((await mkdir(dataDir, { recursive: true })) !== undefined) await chmod(dataDir, mode);
}

export async function findServerHome(dataDir: string, log: (line: string) => void): Promise<ServerHome> {
  const locationFile = join(dataDir, 'location');
  const location = await readIfThere(locationFile);
  if (location !== undefined)
    return await describeHome(await checkedLocation(locationFile, location, dataDir));
  const home = await describeHome(join(dataDir, 'postgres'));
  const { user } = home;
  const closed = user === undefined ? undefined : await firstClosedFolder(dataDir, user);
  if (user === undefined || closed === undefined) {
    await mkdir(home.folder, { recursive: true, mode: 0o700 });
    await giveTo(home.folder, user);
    return home;
  }
  if ((await stat(home.dataFolder).catch(() => undefined)) !== undefined) {
    throw new WarehouseError(
      `The warehouse is in ${home.dataFolder}, and user "${user.name}", who runs Postgres for root, may not enter ` +
        `${closed}. Allow it (chmod o+x "${closed}") or run airank as that user.`,
    );
  }
  const folder = await mkdtemp(join(await sharedFolder(), 'warehouse-'));
  await writeFile(`${folder}.of`, `${dataDir}\n`);
  await giveTo(folder, user);
  const chosen = (await writeOnce(locationFile, `${folder}\n`)).trim();
  if (chosen !== folder) {
    await Promise.all([rm(folder, { recursive: true }), rm(`${folder}.of`)]);
    return await describeHome(chosen);
  }
  log(
    `the warehouse's data goes to ${folder}: user "${user.name}", who runs Postgres for root, may not enter ${closed}`,
  );
  return await describeHome(folder);
}

/** Reads the folder of `location`, unless the file was copied from another data folder. */
async function checkedLocation(file: string, text: string, dataDir: string): Promise<string> {
  const folder = text.trim();
  if (!isAbsolute(folder) || (await stat(folder).catch(() => undefined)) === undefined) {
    throw new WarehouseError(
      `${file} says that the warehouse's data is in "${folder}", and there is no such folder. Restore it, ` +
        'or delete that file to begin with an empty warehouse.',
    );
  }
  const owner = (await readIfThere(`${folder}.of`))?.trim() ?? dataDir;
  if (owner === dataDir) return folder;
  if ((await readIfThere(join(owner, 'location'))) === text) {
    throw new WarehouseError(
      `This folder seems to be a copy of ${owner}: its ${file} names the data of that warehouse. ` +
        `Delete ${dataDir} to begin with an empty warehouse, or set AIRANK_DATA_DIR to ${owner}.`,
    );
  }
  // The data folder was moved.
  await writeFile(`${folder}.of`, `${dataDir}\n`);
  return folder;
}

async function describeHome(folder: string): Promise<ServerHome> {
  const dataFolder = join(folder, 'data');
  return { folder, dataFolder, logFile: join(folder, 'server.log'), user: await findServerUser(dataFolder) };
}

async function giveTo(folder: string, user: ServerUser | undefined): Promise<void> {
  if (user === undefined) return;
  const handle = await open(folder, 'r');
  await handle.chown(user.uid, user.gid).finally(() => handle.close());
}

/** Returns `/var/lib/airank-warehouse`, for files that another user than root must reach. */
export async function sharedFolder(): Promise<string> {
  const folder = '/var/lib/airank-warehouse';
  const fix =
    'Set AIRANK_DATA_DIR to a folder that user "postgres" may enter, or DATABASE_URL to a Postgres of your own.';
  try {
    if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755);
    const facts = await lstat(folder);
    if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0) return folder;
  } catch (cause) {
    throw new WarehouseError(
      `The bundled Postgres needs ${folder}, which cannot be made. ${fix}`,
      {},
      { cause },
    );
  }
  throw new WarehouseError(`Expected ${folder} to be a folder that only root may write to. ${fix}`);
}

/** Reads a file; undefined if it does not exist or is still empty. */
export async function readIfThere(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() === '' ? undefined : text;
}

/** Writes a file durably unless it exists, and returns its content: of several texts one wins. */
export async function writeOnce(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFileFor(draft, text, undefined);
    await link(draft, file);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(file, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws when fewer than `neededBytes` are free for ordinary users on the disc of `folder`. */
export async function assertDiscSpace(folder: string, neededBytes: number): Promise<void> {
  const facts = await statfs(folder).catch(() => undefined);
  if (facts === undefined) return;
  const freeBytes = facts.bavail * facts.bsize;
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.floor(bytes / 2 ** 20));
  throw new WarehouseError(
    `The disc is full: Postgres needs ${needed} MB in ${folder}, and ${free} MB are free. ` +
      'Free some space, or put the data folder on another disc.',
  );
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
  const found = (await readIfThere(join(home.dataFolder, 'PG_VERSION')))?.trim();
  const [major] = binaries.version.split('.');
  if (found === undefined || found === major) return found !== undefined;
  throw new WarehouseError(
    `The warehouse in ${home.dataFolder} was made by Postgres ${found}, and this version of airank ` +
      `brings Postgres ${major}, which cannot read it. Run the version of airank that made it, or a ` +
      `Postgres ${found} of your own on that folder, and set DATABASE_URL; or move the folder away ` +
      'to begin with an empty warehouse.',
  );
}

/** Makes the cluster, unless another process is faster. */
export async function createCluster(
  home: ServerHome,
  binaries: Binaries,
  password: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await removeDrafts(home.folder);
  await assertDiscSpace(home.folder, clusterBytes);
  const draft = `${draftPrefix}${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = join(home.folder, `${draft}.password`);
  try {
    await writeFileFor(passwordFile, `${password}\n`, home.user);
    // Relative paths: the folder's own name may be long or hold any character.
    const result = await runPostgresProgram(
      binaries.initdb,
      [
        ...[`--pgdata=${draft}`, `--username=${role}`, `--pwfile=${draft}.password`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions'],
        // Postgres' own C.UTF-8: knows upper and lower case of all letters, sorts by code point, and
        // is the same on every machine, so that no system update ever changes the order of an index.
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ],
      { user: home.user, folder: home.folder, signal },
    );
    signal?.throwIfAborted();
    if (result.code !== 0) {
      await assertDiscSpace(home.folder, 2 ** 24);
      throw new WarehouseError(
        `Postgres could not make a cluster in ${home.folder} (initdb, exit code ${result.code ?? 'none'}):\n` +
          `${result.output.trim().split('\n').slice(-8).join('\n')}\n` +
          'Fix what it says, or set DATABASE_URL to a Postgres of your own.',
      );
    }
    // As root: a link must not lead out of the folder.
    const flag = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    await appendFile(join(home.folder, draft, 'postgresql.conf'), `\n${includeLine}\n`, { flag });
    await rename(join(home.folder, draft), home.dataFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    for (const path of [join(home.folder, draft), passwordFile])
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes what processes that were killed left of an earlier try. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    if ((await findProgram(Number.parseInt(name.slice(draftPrefix.length), 10))) !== undefined) continue;
    // An orphaned initdb may still be writing into it, and fails soon; the rest goes next time.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
