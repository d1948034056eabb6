// airank jobs new, its files, and what the doctor says of job files.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkJobs } from '../../src/cli/commands/doctor-command.ts';
import { jobFileText } from '../../src/cli/commands/jobs-new-command.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import { loadConfiguredJobs } from '../../src/jobs/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { load } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { eachFolder } from '../support/temp-folder.ts';

const at = eachFolder();

const env = { AIRANK_JOBS_DIR: 'jobs' };
const check = () =>
  checkJobs({ config: { ...load({}, {}, { needAccounts: false }), jobsDir: at('jobs') }, streams: catalog });

test('writes a job into the folder of job files, and says what is next', async () => {
  const said = await airank(['jobs', 'new', 'noon'], { cwd: at(), env });
  const stdout = 'Written: jobs/noon.mjs\nChange it, then: airank jobs\n';
  expect(said).toMatchObject({ exitCode: 0, stdout });
  const text = await readFile(at('jobs', 'noon.mjs'), 'utf8');
  // Its import is tried where a program is: test/unit/build.test.ts.
  await writeFile(at('jobs', 'noon.mjs'), text.replace(/^import .*$/m, 'const defineJob = (job) => job;'));
  expect(await check()).toEqual([{ area: 'settings', level: 'fine', text: `1 job in ${at('jobs')}: noon` }]);
});

test('replaces nothing, and takes a name that a job can have', async () => {
  await mkdir(at('jobs'));
  await writeFile(at('jobs', 'noon.mjs'), 'mine');
  const said = await airank(['jobs', 'new', 'noon'], { cwd: at(), env });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(/^jobs\/noon\.mjs already exists\./);
  expect(await readFile(at('jobs', 'noon.mjs'), 'utf8')).toBe('mine');
  const wrong = await airank(['jobs', 'new', '../x'], { cwd: at(), env });
  expect(wrong.stderr).toMatch(/^Expected <name> to be lower case/);
});

/** Returns what the file would export. */
async function read(text: string): Promise<unknown> {
  const module = text.replace(/^import .*$/m, 'const defineJob = (job) => job;');
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)).default;
}

test('a job as a file is the same job', async () => {
  const description = `It's "so" \\"\n\u2028 \${x}`;
  const awkward: Job = { name: 'a', description, streams: { tags: ['rank'] }, clients: ['7', "o'8"] };
  for (const job of [awkward, ...(await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog))]) {
    expect(await read(jobFileText(job))).toEqual(job);
  }
});
