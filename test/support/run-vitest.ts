// Runs the tests of a project in a process of its own, and installs what only they need.
import { type StdioOptions, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/core/files.ts';

/** @returns the exit code */
export async function runVitest(
  project: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--project', project, ...files];
  return await runProgram(process.execPath, args, { cwd: packageRoot(), env });
}

interface RunOptions {
  readonly cwd: string;
  /** Besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdout?: 'inherit' | 'ignore';
  readonly timeoutMs?: number;
}

/** A signal goes to the program, so that what is to be removed after it is removed. @returns the exit code */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, stdout = 'inherit', timeoutMs }: RunOptions,
): Promise<number> {
  const stdio: StdioOptions = ['inherit', stdout, 'inherit'];
  const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...env }, timeout: timeoutMs });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Installs packages, as `name@version`, into a folder of their own. Their install scripts do not run, and what they say
 * of versions of Node does not count: some name newer ones than they need. Nor do their peers: two copies of vitest cannot
 * run one test.
 * @param elsewise what to do where the registry cannot be reached
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  elsewise: string,
): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--legacy-peer-deps'];
  const args = ['install', ...quiet, '--loglevel=error', '--engine-strict=false', ...packages];
  const ended = await runProgram('npm', args, { cwd: folder, env: {}, stdout: 'ignore' });
  if (ended === 0) return;
  throw new Error(
    `Cannot fetch ${packages.join(', ')}: npm install ended with ${ended}. It needs the package registry that npm ci needs${elsewise}.`,
  );
}
