// airank jobs new, and what the doctor says of job files.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkJobs } from '../../src/cli/commands/doctor-command.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { load } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'airank-jobs-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const env = { AIRANK_JOBS_DIR: 'jobs' };
const check = () =>
  checkJobs({
    config: { ...load({}, {}, { needAccounts: false }), jobsDir: join(cwd, 'jobs') },
    streams: catalog,
  });

test('writes a job into the folder of job files, and says what is next', async () => {
  const said = await airank(['jobs', 'new', 'noon'], { cwd, env });
  expect(said).toMatchObject({
    exitCode: 0,
    stdout: 'Written: jobs/noon.mjs\nChange it, then: airank jobs\n',
  });
  const text = await readFile(join(cwd, 'jobs', 'noon.mjs'), 'utf8');
  // Its import is tried where a program is: test/unit/build.test.ts.
  await writeFile(
    join(cwd, 'jobs', 'noon.mjs'),
    text.replace(/^import .*$/m, 'const defineJob = (job) => job;'),
  );
  expect(await check()).toEqual([
    { area: 'settings', level: 'fine', text: `1 job in ${join(cwd, 'jobs')}: noon` },
  ]);
});

test('replaces nothing, and takes a name that a job can have', async () => {
  await mkdir(join(cwd, 'jobs'));
  await writeFile(join(cwd, 'jobs', 'noon.mjs'), 'mine');
  const said = await airank(['jobs', 'new', 'noon'], { cwd, env });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(/^jobs\/noon\.mjs already exists\./);
  expect(await readFile(join(cwd, 'jobs', 'noon.mjs'), 'utf8')).toBe('mine');
  expect((await airank(['jobs', 'new', '../x'], { cwd, env })).stderr).toMatch(
    /^Expected <name> to be lower case/,
  );
});

test('the doctor names what is wrong with a job file', async () => {
  await mkdir(join(cwd, 'jobs'));
  await writeFile(join(cwd, 'jobs', 'a.mjs'), 'export default { name: "A", description: "x" };');
  expect(await check()).toEqual([
    {
      area: 'settings',
      level: 'fault',
      text: expect.stringMatching(/^jobs\/a\.mjs: Expected name to be lower case/),
    },
  ]);
});
