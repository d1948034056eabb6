import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { ConfigError } from '../../src/core/errors.ts';
import type { SyncJob } from '../../src/jobs/define-job.ts';
import { checkJob, isSyncJob, resolveJob, takesStream } from '../../src/jobs/schedule/job-shape.ts';
import { loadConfiguredJobs, loadJobs } from '../../src/jobs/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { load } from '../support/config-fixtures.ts';
import { oneFolder } from '../support/temp-folder.ts';

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
    [`streams: { tags: ['rnk'] }`, /Expected streams.tags to be among .*, got "rnk". Did you mean rank\?$/],
    [`accounts: ['nobody']`, /Expected accounts to be among acme, got "nobody"$/],
    [`clients: 5`, /Expected clients to be 'all', a list of ids or .* got 5$/],
    [`walk: 'half'`, /Expected walk to be auto or full, got "half"$/],
    [`priority: 1`, /Expected priority to be high, normal or low, got 1$/],
    [`deadlineHours: 0`, /Expected deadlineHours to be a number of hours above 0, got 0$/],
    [`once: true, schedule: '0 3 * * *'`, /Expected once or a schedule, got both$/],
    [`kind: 'export'`, /Expected kind to be sync, report, dashboard, push-logs or backup, got "export"$/],
    [`kind: 'report', period: 'year'`, /Expected period to be month or week, got "year"$/],
    [`kind: 'report', period: 'week', language: 'de'`, /Expected language to be en or es, got "de"$/],
    [`kind: 'report', period: 'week', walk: 'full'`, /Expected known properties \(name, .*mail\), got walk$/],
    [`kind: 'dashboard'`, /Expected folder to be the path of a folder, got nothing$/],
    [`kind: 'backup', folder: 'x', clients: ['7']`, /Expected known properties \(name, .*\), got clients$/],
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
