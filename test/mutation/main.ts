// test/mutation/main.ts [FILE…]: breaks the files that decide, one change at a time, and counts the changes
// that the unit tests notice. Exits 1 where they notice too few. AIRANK_MUTATION_CONCURRENCY: 1 or 2.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';
import { installPackages, runProgram } from '../support/run-vitest.ts';

/** The newest that runs on Node 20 and vitest 4. */
const version = '9.6.1';
const home = join(packageRoot(), 'node_modules', '.cache', `mutation-${version}`);

/** A mutant may make a loop endless; a run may not. */
const longestRunMs = 2 * 3_600_000;

/** Part of a report, in the common format of mutation tools, that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

interface Mutation {
  readonly files: readonly string[];
  /** Mutants at a time. */
  readonly concurrency: number;
}

/** Installs what is missing and gives the command that runs it. */
async function installStryker(say: (line: string) => void): Promise<string> {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  if (!existsSync(home)) {
    say(`Installing ${packages.join(' and ')} into ${home} (65 MB, once; package-lock.json stays as it is)`);
    await mkdir(join(home, '..'), { recursive: true });
    // Renamed when whole: an install that broke off is not taken for one.
    const unfinished = await mkdtemp(`${home}-`);
    try {
      await installPackages(unfinished, packages, '');
      await rename(unfinished, home);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(home, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
}

/** Runs the unit tests against every mutant of the files. */
async function mutate(stryker: string, { files, concurrency }: Mutation): Promise<Report> {
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
    const options = { cwd: packageRoot(), env: {}, timeoutMs: longestRunMs };
    const ended = await runProgram(process.execPath, [stryker, 'run', config], options);
    if (ended !== 0) throw new Error(`Expected Stryker to end with 0, got ${ended}`);
    return JSON.parse(await readFile(fileName, 'utf8')) as Report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Percent of its mutants that the unit tests must notice, in each file. */
const leastScore = 85;

const decidingFiles: readonly string[] = [
  'src/api/classify.ts',
  'src/api/paginate.ts',
  'src/jobs/schedule/overdue.ts',
  'src/validation/subjects.ts',
  'src/validation/bodies.ts',
  'src/validation/judge-answer.ts',
  'src/validation/rules.ts',
  'src/sync/plan/forecast.ts',
  'src/sync/plan/plan.ts',
  'src/sync/walk/walk-guard.ts',
  'src/validation/vanish-rule.ts',
  'src/store/slices/walk-history.ts',
];

const say = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code */
async function main(named: readonly string[]): Promise<number> {
  const files = named.length > 0 ? named : decidingFiles;
  const missing = files.filter((file) => !file.startsWith('src/') || !existsSync(join(packageRoot(), file)));
  if (missing.length > 0) {
    say(`Expected files below src, such as src/sync/plan/forecast.ts, got ${missing.join(', ')}`);
    return 1;
  }
  const concurrency = process.env['AIRANK_MUTATION_CONCURRENCY'] === '1' ? 1 : 2;
  const report = await mutate(await installStryker(say), { files, concurrency });
  const weak = Object.entries(report.files).filter(([file, { mutants }]) => {
    const having = (...wanted: readonly string[]) =>
      mutants.filter(({ status }) => wanted.includes(status)).length;
    // A mutant that cannot run (an error of the compiler) counts nowhere.
    const [noticed, missed] = [having('Killed', 'Timeout'), having('Survived', 'NoCoverage')];
    const score = (noticed / (noticed + missed)) * 100;
    say(`${file}: ${noticed} of ${noticed + missed} noticed, ${score.toFixed(1)} %`);
    return !(score >= leastScore);
  });
  if (weak.length === 0) return 0;
  say(
    `Expected ${leastScore} % or more in each file; write tests of ${weak.map(([file]) => file).join(', ')}`,
  );
  return 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
