// npm run test:nodes [-- MAJOR… FILE…]: `npm ci` and the tests in a copy of the work tree, as a newcomer has it, under
// each supported Node with the npm that it brings, fetched into a temporary folder. Without files: all tests.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';
import { installPackages, runProgram } from '../support/run-vitest.ts';
import { nodeVersions, packagesFor } from './versions.ts';

const log = (line: string) => process.stderr.write(`test:nodes: ${line}\n`);

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const majors = args.filter((arg) => /^\d+$/.test(arg));
  const files = args.filter((arg) => !majors.includes(arg));
  const unknown = majors.filter((major) => !nodeVersions.has(major));
  if (unknown.length > 0) {
    log(`Expected majors to be among ${[...nodeVersions.keys()].join(', ')}, got ${unknown.join(', ')}`);
    return 2;
  }
  const failed: string[] = [];
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  for (const [major, versions] of nodeVersions) {
    if (isStopped || (majors.length > 0 && !majors.includes(major))) continue;
    log(`Node ${versions.node} with npm ${versions.npm}`);
    if ((await testUnder(packagesFor(versions), files)) !== 0) failed.push(major);
  }
  if (failed.length > 0) log(`failed under Node ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

async function testUnder(packages: readonly string[], files: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-nodes-'));
  try {
    // As root another user runs Postgres and has to get through.
    await chmod(folder, 0o711);
    await installPackages(folder, packages, '');
    const clone = join(folder, 'airank-warehouse');
    await copyWorkTree(clone);
    const path = [join(folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
    // A surrounding `npm run -s` would hide why an install fails.
    const options = { cwd: clone, env: { PATH: path, npm_config_loglevel: 'notice' } };
    const installed = await runProgram('npm', ['ci'], options);
    if (installed !== 0) return installed;
    // Not by npm, which does not wait for tests that a signal stops.
    return await runProgram('node', [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...files], options);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Copies what is tracked, and what is new and not ignored. */
async function copyWorkTree(to: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: packageRoot(), maxBuffer: 16_000_000 });
  for (const path of new Set(stdout.split('\0'))) {
    const from = join(packageRoot(), path);
    if (path !== '' && existsSync(from)) await cp(from, join(to, path));
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
