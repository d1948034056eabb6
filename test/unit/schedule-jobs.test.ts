// Job files: what is refused in them, what a new one is, and what airank jobs says of them and of workers.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import dailySnapshot from '../../jobs/daily-snapshot.ts';
import historyBackfill from '../../jobs/history-backfill.ts';
import rankWatch from '../../jobs/rank-watch.ts';
import weeklyFullRefresh from '../../jobs/weekly-full-refresh.ts';
import { checkJobs } from '../../src/cli/commands/doctor-command.ts';
import { batchLines, jobLines, workerLines } from '../../src/cli/commands/jobs-command.ts';
import { jobFileText } from '../../src/cli/commands/jobs-new-command.ts';
import type { Config } from '../../src/config/config.ts';
import { ConfigError } from '../../src/core/errors.ts';
import type { Job, SyncJob } from '../../src/jobs/define-job.ts';
import { checkJob, isSyncJob, resolveJob, takesStream } from '../../src/jobs/schedule/job-shape.ts';
import { loadConfiguredJobs, loadJobs } from '../../src/jobs/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { load } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { eachFolder, oneFolder } from '../support/temp-folder.ts';

const folder = oneFolder();

const known = { streams: new Set(['airank', 'visibility']), accounts: new Set(['acme']) };
let folders = 0;

async function faultsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  folders += 1;
  const place = join(folder, `jobs-${folders}`, 'jobs');
  await mkdir(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  try {
    await loadJobs(place, known);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const job = (more: string) => `export default { name: 'a', description: 'x', ${more} };`;

describe('job files', () => {
  test('the jobs of the package are valid, and every stream they name is in the catalog', async () => {
    const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
    const names = ['daily-snapshot', 'history-backfill', 'rank-watch', 'weekly-full-refresh'];
    expect(jobs.map(({ name }) => name)).toEqual(names);
    for (const one of jobs.filter(isSyncJob))
      expect(resolveJob(one, load({}, {}, { needAccounts: false }), catalog).streams).not.toEqual([]);
  });

  test.each([
    [`schedule: '0 25 * * *'`, /a\.js: Expected schedule .* got "0 25 \* \* \*", whose hour cannot be 25$/],
    [`schedule: '0 3 * *'`, /Expected schedule .* which has 4 fields$/],
    [`timeZone: 'Europe/Madird'`, /Expected timeZone to be an IANA time zone .* got "Europe\/Madird"$/],
    [`streams: ['airnk']`, /Expected streams to be among airank, visibility, .* Did you mean airank\?$/],
    [`accounts: ['nobody']`, /Expected accounts to be among acme, got "nobody"$/],
    [`clients: 5`, /Expected clients to be 'all', a list of ids or .* got 5$/],
    [`walk: 'half'`, /Expected walk to be auto or full, got "half"$/],
    [`deadlineHours: 0`, /Expected deadlineHours to be a number of hours above 0, got 0$/],
    [`once: true, schedule: '0 3 * * *'`, /Expected once or a schedule, got both$/],
    [`kind: 'export'`, /Expected kind to be sync, report, dashboard, push-logs or backup, got "export"$/],
    [`kind: 'report', period: 'year'`, /Expected period to be month or week, got "year"$/],
    [`kind: 'report', period: 'week', walk: 'full'`, /Expected known properties \(name, .*mail\), got walk$/],
    [`kind: 'dashboard'`, /Expected folder to be the path of a folder, got nothing$/],
  ])('%s is refused in one sentence', async (more, sentence) => {
    const faults = await faultsOf({ 'a.js': job(more) });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(sentence);
  });

  test('all faults of all files come at once, names used twice and files that do not parse among them', async () => {
    const faults = await faultsOf({
      'a.js': job(`schedule: 'x', streams: ['airnk'], walk: 1`),
      'b.mjs': job(''),
      'c.js': 'this is no module',
      'd.js': 'export const job = 1;',
      'e.js': job(`name: 'e', once: true, schedule: '0 3 * * *', again: 'yes'`),
      'notes.txt': 'not a job',
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      ...['jobs/a.js', 'jobs/a.js', 'jobs/a.js'],
      ...['jobs/b.mjs', 'jobs/c.js', 'jobs/d.js', 'jobs/e.js', 'jobs/e.js'],
    ]);
    expect(faults[3]).toContain('got "a" here and in jobs/a.js');
  });

  test('a folder without a job is a fault too: a scheduler without jobs would look healthy', async () => {
    expect(await faultsOf({ 'notes.txt': 'x' })).toEqual([
      expect.stringMatching(/^Expected the folder of AIRANK_JOBS_DIR to have at least one job/),
    ]);
  });
});

test('a job that makes reports takes no stream, and is no fault', async () => {
  const report = { name: 'a', description: 'x', kind: 'report', period: 'month', mail: true } as const;
  expect(checkJob('a.js', report)).toEqual({ job: report, faults: [] });
  expect(catalog.filter((stream) => takesStream(report, stream))).toEqual([]);
});

describe('a job under a configuration', () => {
  const config: Config = load({}, {}, { needAccounts: false });
  const streamsOf = (streams: Exclude<SyncJob['streams'], undefined>) =>
    resolveJob({ name: 'a', description: 'x', streams }, config, catalog).streams.map(({ name }) => name);

  test('takes streams by name or by tag, and all by default', () => {
    expect(streamsOf('all')).toHaveLength(catalog.length);
    expect(streamsOf(['visibility', 'airank'])).toEqual(['airank', 'visibility']);
    expect(streamsOf({ tags: ['history'] })).toEqual(['airank_history', 'visibility_history']);
    expect(streamsOf({ tags: ['high'] })).toEqual(['airank', 'visibility']);
  });

  test('a pattern fits whole ids, with * and ? and nothing else special', () => {
    const fits = (matching: string) =>
      resolveJob({ name: 'a', description: 'x', clients: { matching } }, config, catalog).clientFits;
    expect(['acme-1', 'acme-', 'my-acme-1', 'ACME-1'].filter((id) => fits('acme-*')?.(id, 'a'))).toEqual([
      'acme-1',
      'acme-',
    ]);
    expect(['a.b', 'axb'].filter((id) => fits('a.b')?.(id, 'a'))).toEqual(['a.b']);
    expect(['7', '77'].filter((id) => fits('?')?.(id, 'a'))).toEqual(['7']);
  });
});

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

const jobs = [dailySnapshot, historyBackfill, rankWatch, weeklyFullRefresh];
const ended = new Date('2026-11-22T21:10:00Z');
const lastAttempt = {
  ...({ id: 1, status: 'complete', startedAt: ended, finishedAt: ended, dueAt: undefined } as const),
  ...{ deferredUntil: undefined, continues: false, cancelled: false },
};
const history = { answeredUntil: ended, lastSuccess: lastAttempt, lastAttempt, failures: 0 };
const next = new Date('2026-11-23T03:15:00Z');

test('80 columns hold the jobs that come along on a line each, with their next and last runs', () => {
  const views = jobs.map((job) => ({ job, history, next }));
  const lines = jobLines(views, { timeZone: 'UTC', now: ended, width: 80 });
  expect(lines.slice(0, 5)).toEqual([
    'job                  schedule        next          last',
    'daily-snapshot       15 3 * * *      23 Nov 03:15  complete 22 Nov 21:10',
    'history-backfill     once            23 Nov 03:15  complete 22 Nov 21:10',
    'rank-watch           0 8-20/4 * * *  23 Nov 03:15  complete 22 Nov 21:10',
    'weekly-full-refresh  15 1 * * sun    23 Nov 03:15  complete 22 Nov 21:10',
  ]);
  expect(jobLines(views, { timeZone: 'UTC', now: ended, width: 60 })[0]).toBe(
    'job                  next          last',
  );
});

const lookedAt = new Date('2026-11-22T21:09:00Z');
const batch = {
  ...{ id: 4, job: 'daily-snapshot', started_at: new Date('2026-11-22T21:00:00Z'), due_at: null },
  ...{ accounts: 2, waiting: 2, running: 0, deferred: 0, done: 0, failed: 0 },
  ...{ slowest: null, slowest_since: null, oldest_due: null },
};

test('below its batch stands with which accounts workers died, how often, and until when they wait', () => {
  const deaths = [
    { account: 'north', deaths: 3, next_attempt_at: '2026-11-22T21:13:30Z' },
    { account: 'south', deaths: 1, next_attempt_at: '2026-11-22T21:08:00Z' },
  ];
  const options = { timeZone: 'UTC', now: lookedAt, width: 200 };
  expect(batchLines([{ ...batch, deaths }], options).slice(2)).toEqual([
    'Batch 4, north: its worker died 3 times in a row. It starts again at 22 Nov 21:13 (UTC)',
    'Batch 4, south: its worker died once',
  ]);
});

const worker = {
  id: 1,
  host: 'vm',
  pid: 71,
  version: '0.2.0',
  kinds: ['sync', 'report', 'backup'],
  accounts_at_once: 2,
  state: 'working',
  waits_for: null,
  started_at: new Date('2026-11-22T21:09:00Z'),
  accounts: ['agency-number-3', 'agency-number-5'],
  ended: 12,
} as const;

test('80 columns still say who is worked on: when a worker began and what it ended go first', () => {
  expect(workerLines([worker], { timeZone: 'UTC', width: 80 })).toEqual([
    'worker  host, pid  takes                 state    works on  accounts',
    '     1  vm 71      sync, report, backup  working  2 of 2    agency-number-3,',
    '                                                            agency-number-5',
  ]);
});
