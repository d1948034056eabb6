// Makes the cluster: all of it or nothing. It is made under another name and renamed when it is
// finished, so a folder named `data` is never made again and never deleted.

import { randomBytes } from 'node:crypto';
import { constants, mkdir, open, readdir, readFile, realpath, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import type { Binaries } from './binaries.ts';
import { runPostgresProgram, type ServerUser } from './processes.ts';
import type { ServerHome } from './server-home.ts';

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

/** The server's settings, included from postgresql.conf and written anew at each start. */
const fileName = 'airank.conf';

/** The line that postgresql.conf needs; a relative path starts at its own folder. */
export const includeLine = `include_if_exists = '${fileName}'`;

const settings = `# Written by airank at each start: changes here are lost.
# Put your own below the include line at the end of postgresql.conf.
listen_addresses = '127.0.0.1'
# A socket's path may be 107 bytes long at most; data folders may be deeper.
unix_socket_directories = ''
cluster_name = 'airank'
max_connections = 100
shared_buffers = 256MB
# "try" may end in a bus error where a container announces huge pages it does not have.
huge_pages = off
work_mem = 16MB
maintenance_work_mem = 64MB
fsync = on
synchronous_commit = on
# A first load writes more log in a moment than the default holds; its sessions would wait for one another.
wal_buffers = 64MB
wal_writer_delay = 20ms
min_wal_size = 80MB
max_wal_size = 1GB
checkpoint_timeout = 15min
# Dashboards ask many short questions: compiling them costs more than it saves.
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'iso, ymd'
lc_messages = 'C'
logging_collector = off
log_line_prefix = '%m [%p] '
log_checkpoints = off
`;

/** Writes the settings file as the server's user, whole or not at all. */
export async function writeSettings(dataFolder: string, user: ServerUser | undefined): Promise<void> {
  const draft = join(dataFolder, `${fileName}.${randomBytes(4).toString('hex')}`);
  await writeFileFor(draft, settings, user);
  await rename(draft, join(dataFolder, fileName));
}

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

/** Opens the cluster with its password, makes sure that it is the right one, and creates the database. */
interface ClusterAddress {
  readonly port: number;
  readonly password: string;
}

/** Worth finding or starting the server again. */
export class ServerGoneError extends WarehouseError {}

export function clusterUrl(address: ClusterAddress, database: string): string {
  return `postgresql://${role}:${address.password}@127.0.0.1:${address.port}/${encodeURIComponent(database)}`;
}

/** Of the server itself: nobody keeps anything in it. */
const ownDatabase = 'postgres';

/**
 * Creates `database` when it is absent, or opens the server's own; the server's version is such as `18.4`.
 * @throws ServerGoneError when the server went away, or was about to, while being asked
 */
export async function ensureDatabase(
  home: ServerHome,
  address: ClusterAddress,
  { database, isCreated }: { readonly database: string; readonly isCreated: boolean },
): Promise<{ readonly version: string; readonly opened: string }> {
  const client = new pg.Client({
    connectionString: clusterUrl(address, ownDatabase),
    application_name: 'airank',
    connectionTimeoutMillis: 30_000,
  });
  // Without a listener a lost connection ends the process; the query under way rejects anyway.
  client.on('error', () => undefined);
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
    throw explain(error, home, address.port);
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

function explain(error: unknown, home: ServerHome, port: number): WarehouseError {
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
export async function readPassword(file: string): Promise<string | undefined> {
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
export async function createPassword(file: string): Promise<string> {
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
