// A copy of the Postgres programs that everyone may read, made of hard links where that is possible:
// complete from the moment it has its name, and shared by all installations of the same files.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Entry = { readonly path: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'file'; readonly size: number; readonly mode: number }
);

export interface TreeCopy {
  /** `<parent>/postgres-<version>-<hash>` */
  readonly path: string;
  /** False: made earlier, or by another process. */
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
