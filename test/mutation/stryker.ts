// Runs Stryker, which is no dependency of the project: 167 packages and 65 MB that only this needs. It is
// installed below node_modules at the first run, where it finds the project's own vitest, and goes with it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/core/package.ts';

/** The newest that runs on Node 20 and vitest 4. */
const version = '9.6.1';
const home = join(packageRoot(), 'node_modules', '.cache', `mutation-${version}`);

/** A mutant may make a loop endless; a run may not. */
const longestRunMs = 2 * 3_600_000;

/** What is read of a report in the common format of mutation tools. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

interface Mutation {
  readonly files: readonly string[];
  /** Mutants at a time. */
  readonly concurrency: number;
}

/** Installs what is missing and gives the command that runs it. */
export async function installStryker(say: (line: string) => void): Promise<string> {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  if (!existsSync(home)) {
    say(`Installing ${packages.join(' and ')} into ${home} (65 MB, once; package-lock.json stays as it is)`);
    await mkdir(join(home, '..'), { recursive: true });
    // Renamed when whole: an install that broke off is not taken for one.
    const unfinished = await mkdtemp(`${home}-`);
    try {
      await writeFile(join(unfinished, 'package.json'), '{"private":true}\n');
      // Without peers: two copies of vitest cannot run one test.
      const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
      await run('npm', ['install', ...quiet, ...packages], unfinished);
      await rename(unfinished, home);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(home, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
}

/** Runs the unit tests against every mutant of the files. */
export async function mutate(stryker: string, { files, concurrency }: Mutation): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-mutation-'));
  const fileName = join(folder, 'report.json');
  const config = join(folder, 'stryker.conf.json');
  const settings = {
    mutate: files,
    concurrency,
    testRunner: 'vitest',
    plugins: [join(home, 'node_modules', '@stryker-mutator', 'vitest-runner', 'dist', 'src', 'index.js')],
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    // Stryker rewrites a tsconfig with a compiler interface that TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    // The copy that is broken: outside node_modules, where vitest would not compile it.
    tempDirName: join(folder, 'copy'),
    ignorePatterns: ['/dist', '/.airank', '/coverage'],
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 10,
    allowEmpty: false,
    checkers: [],
    warnings: { preprocessorErrors: false },
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false, allowColor: false },
    jsonReporter: { fileName },
    thresholds: { break: null },
  };
  try {
    await writeFile(config, JSON.stringify(settings));
    await run(process.execPath, [stryker, 'run', config], packageRoot());
    return JSON.parse(await readFile(fileName, 'utf8')) as Report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits for the child also when it is interrupted, so that nothing stays. */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'inherit', timeout: longestRunMs });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  try {
    const ended = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? signal));
    });
    if (ended !== 0) throw new Error(`Expected ${command} ${args[0] ?? ''} to end with 0, got ${ended}`);
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass);
  }
}
