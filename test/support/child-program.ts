// A program of test/support as one file, which a child process starts in a tenth of the time that its sources take.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { packageRoot } from '../../src/core/files.ts';

const built = new Map<string, string>();

/** @param name of a file of test/support, such as `embedded-child-main` @returns the path of what node can run */
export function childProgram(name: string): string {
  const path = built.get(name) ?? bundle(name);
  built.set(name, path);
  return path;
}

/** Inside the package, so that packages are found. */
function bundle(name: string): string {
  const folder = join(packageRoot(), 'node_modules', '.airank-children');
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = buildSync({
    entryPoints: [join(packageRoot(), 'test', 'support', `${name}.ts`)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const path = join(folder, `${name}.mjs`);
  // Whole or not at all: another run of tests may start it.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, outputFiles[0]?.contents ?? '');
  renameSync(draft, path);
  return path;
}
