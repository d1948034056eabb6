// The build in dist/, made anew where it is older than its sources: what commands of tests run, in a tenth of the
// time that the sources take to start.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/core/files.ts';

const built = join(packageRoot(), 'dist');

export const builtProgram = join(built, 'src', 'main.js');

/** In front of a program whose standard input is a pipe from a test, and is not read: it ends with the test, however that ends. */
export const endWithParent = ['--import', new URL('./end-with-parent.mjs', import.meta.url).href] as const;

export async function buildIfOlder(): Promise<void> {
  if (existsSync(builtProgram) && statSync(builtProgram).mtimeMs >= newestSource()) return;
  // Another run of tests goes on with the old build until the new one is whole.
  const folder = await mkdtemp(join(packageRoot(), 'node_modules', '.airank-build-'));
  try {
    const made = join(folder, 'made');
    await promisify(execFile)(process.execPath, [join(packageRoot(), 'src', 'build.mjs'), made]);
    if (existsSync(built)) await rename(built, join(folder, 'old'));
    await rename(made, built);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function newestSource(): number {
  const files = ['src', 'jobs']
    .flatMap((folder) => readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
