// The build is what `npx` and the image run, and a clone while it is new enough.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readsTypeScript } from '../../src/jobs/schedule/load-jobs.ts';
import { eachFolder, oneFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = oneFolder();

beforeAll(async () => {
  for (const shipped of ['package.json', 'sql'])
    await cp(join(root, shipped), join(folder, shipped), { recursive: true });
  await run(process.execPath, [join(root, 'src', 'build.mjs'), join(folder, 'dist')]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}, 180_000);

async function start(cwd: string, settings: NodeJS.ProcessEnv, args: readonly string[]) {
  const env = { PATH: process.env['PATH'], ...settings };
  return await run(process.execPath, [join(folder, 'dist', 'src', 'start.js'), ...args], { cwd, env });
}

const airank = (...args: string[]) =>
  start(folder, { AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_API_KEY: 'test-key' }, args);

describe('the build', () => {
  test('says its version and reads the settings', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect((await airank('--version')).stdout).toBe(`${version}\n`);
  });

  test('looks at the version of Node before it imports the program', async () => {
    const start = await readFile(join(folder, 'dist', 'src', 'start.js'), 'utf8');
    // busybox knows no `env -S`.
    expect(start.split('\n', 1)).toEqual(['#!/usr/bin/env node']);
    expect(start).toContain("await import('./main.js')");
    const imported = [...start.matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from);
    expect(imported.filter((from) => !from?.startsWith('node:'))).toEqual(['./node-version.js']);
  });

  test('holds the browser part of the dashboard, with nothing to load', async () => {
    const script = await readFile(join(folder, 'dist', 'dashboard', 'app.js'), 'utf8');
    expect(script.length).toBeLessThan(900_000);
    expect(script).not.toMatch(/\bimport\s*\(|\beval\(|new Function\(/);
    expect(await readFile(join(folder, 'dist', 'dashboard', 'app.css'), 'utf8')).not.toMatch(/url\(|@import/);
  });

  test('writes a job of a clone where git does not see it', async () => {
    const written = await airank('jobs', 'new', 'noon');
    expect(written.stdout).toMatch(/^Written: config\/jobs\/noon\.mjs\nSet AIRANK_JOBS_DIR=config\/jobs/);
    expect((await readFile(join(root, '.gitignore'), 'utf8')).split('\n')).toContain('/config/');
  });

  describe('from which job files see no node_modules with the package', () => {
    const away = eachFolder();
    beforeEach(() => mkdir(away('jobs')));

    const at = (...args: string[]) => start(away(), { AIRANK_JOBS_DIR: 'jobs' }, args);
    const write = async (name: string, ...lines: string[]) =>
      await writeFile(away('jobs', name), `${lines.join('\n')}\n`);

    const isNoon = { stdout: expect.stringMatching(/^noon +0 12 \* \* \*/m), stderr: '' };

    test('reads the job that it writes', async () => {
      await at('jobs', 'new', 'noon');
      expect(await at('jobs')).toMatchObject(isNoon);
    });

    describe.skipIf(!readsTypeScript)('where Node strips types', () => {
      test('reads what jobs in TypeScript import', async () => {
        await mkdir(away('jobs', 'lib'));
        await write(
          'noon.ts',
          "import { defineJob, type Job } from 'airank-warehouse';",
          "import { streams } from './lib/streams.ts';",
          "import { hour } from './lib/hour.js';",
          "const schedule: string = ['0', hour as number, '* * *'].join(' ');",
          "const job = { name: 'noon', description: 'x', schedule, streams } satisfies Job;",
          'export default defineJob(job);',
        );
        await write('lib/streams.ts', "export const streams: readonly 'airank'[] = ['airank'];");
        await write('lib/hour.js', 'export const hour = 12;');
        expect(await at('jobs')).toMatchObject(isNoon);
      });

      test('says where TypeScript is wrong, or more than types', async () => {
        await write('a.mts', '// Ours.', 'export default { name: "a" "b" };');
        await write(
          'b.mts',
          "import { day } from './lib.mjs';",
          'enum Day { monday }',
          'export default day;',
        );
        await write('c.mts', "import { Job } from 'airank-warehouse';", 'export default {} satisfies Job;');
        const { stderr } = await at('jobs').catch((error: { stderr: string }) => error);
        expect(stderr.trim().split('\n')).toEqual([
          expect.stringMatching(/^jobs\/a\.mts:2: .*, got an error: Expected ','/),
          expect.stringMatching(
            /^jobs\/b\.mts:2: .* TypeScript enum is not .* Write an object instead of an enum/,
          ),
          expect.stringMatching(/^jobs\/c\.mts:1: .* named 'Job'\. Import types by "import type"$/),
        ]);
      });
    });

    test.skipIf(readsTypeScript)('says what to do where Node does not strip types', async () => {
      await write('noon.mts', 'export default {};');
      await expect(at('jobs')).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^jobs\/noon\.mts: .* Node \S+ cannot read TypeScript: use 22\.18, 24 or newer, or write \.mjs with types in comments/,
        ),
      });
    });
  });
});

describe('a clone', () => {
  const clone = eachFolder();
  beforeEach(async () => {
    for (const name of ['src', 'jobs', 'dist/src']) await mkdir(clone(name), { recursive: true });
    for (const name of ['launch.mjs', 'build.mjs']) await cp(join(root, 'src', name), clone('src', name));
    await symlink(join(root, 'node_modules'), clone('node_modules'));
    await writeFile(clone('package.json'), '{"type": "module"}');
    await writeFile(clone('dist/src/start.js'), 'console.log("build")');
    await writeFile(clone('src/start.ts'), 'console.log("sources" satisfies string)');
    await touch('src/start.ts', -60);
  });

  async function touch(name: string, seconds: number) {
    const at = new Date(Date.now() + seconds * 1000);
    await utimes(clone(name), at, at);
  }
  const runs = async (name: string) => await run(process.execPath, [clone('src', name)]);
  const isBuild = { stdout: 'build\n', stderr: '' };

  test('runs its build, whatever job files of others lie beside its own, until a source is newer', async () => {
    await writeFile(clone('jobs/noon.mjs'), 'export default {}');
    await touch('jobs/noon.mjs', 60);
    expect(await runs('launch.mjs')).toEqual(isBuild);
    await writeFile(clone('jobs/daily.ts'), 'export default {}');
    await touch('jobs/daily.ts', 60);
    expect(await runs('launch.mjs')).toEqual({ stdout: 'sources\n', stderr: '' });
  });

  test('keeps and runs the build that is there without what only development needs', async () => {
    await touch('src/start.ts', 60);
    await rm(clone('node_modules'));
    expect(await runs('build.mjs')).toEqual({ stdout: '', stderr: '' });
    expect(await runs('launch.mjs')).toEqual(isBuild);
  });

  test('says what builds it where there is neither', async () => {
    await rm(clone('node_modules'));
    await rm(clone('dist'), { recursive: true });
    await expect(runs('launch.mjs')).rejects.toMatchObject({
      code: 2,
      stderr: 'Expected a build in dist/, got none. Run: npm ci, which makes it\n',
    });
  });
});
