// A job that makes reports: what it leaves, and what the scheduler remembers of it.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/cli/context.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { ReportJob } from '../../src/jobs/define-job.ts';
import { kindWork } from '../../src/jobs/kinds/kind-work.ts';
import { findInKindRun, type KindResult, runKindJob } from '../../src/jobs/schedule/run-job.ts';
import { noteKnownJobs, readJobHistories } from '../../src/status/job-runs.ts';
import { nobody, silent } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({
    from: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    days: 2,
  }),
);
const folder = oneFolder();

const job: ReportJob = {
  name: 'monthly-report',
  description: 'x',
  kind: 'report',
  period: 'month',
  schedule: '0 7 2 * *',
};
const dueAt = new Date('2026-11-02T07:00:00Z');

async function runWith(report: () => Promise<KindResult>, pool = database.pool) {
  const deps = { pool, db: database.db, clock: systemClock };
  const { signal } = new AbortController();
  return await runKindJob(deps, { job, work: report, signal });
}

function settingsFor() {
  const env = { DATABASE_URL: database.url, AIRANK_DATA_DIR: folder, AIRANK_TIMEZONE: 'UTC' };
  const { stdout, stderr } = process;
  const terminal = { env, cwd: folder, stdout, stderr, signal: new AbortController().signal };
  return readSettings(terminal, { needAccounts: false });
}

const done = async () => ({ missing: undefined, summary: {} });
const historyOf = async (name: string) => (await readJobHistories(database.db, [name])).get(name);

describe('a job that makes reports', () => {
  it('has failed until it misses nothing, which is an incident', async () => {
    const missing = '1 report missing, 3 made. agency/c7 is withheld (prompts failed)';
    const failed = await runWith(async () => ({ missing, summary: {} }));
    expect(failed).toMatchObject({ status: 'failed' });
    expect(findInKindRun({ job: job.name, missing }).incidents).toMatchObject([
      { cause: 'run:monthly-report', kind: 'run_failed', message: `Job monthly-report failed: ${missing}` },
    ]);
    await expect(
      runWith(async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(await historyOf(job.name)).toMatchObject({ failures: 2, lastAttempt: { status: 'failed' } });
    expect(await runWith(done)).toMatchObject({ status: 'complete' });
    expect(await historyOf(job.name)).toMatchObject({ failures: 0, lastSuccess: { status: 'complete' } });
    expect(findInKindRun({ job: job.name, missing: undefined }).incidents).toEqual([]);
  });

  it('begins once, and not where it ran before', async () => {
    const db = database.db;
    await noteKnownJobs(db, ['new-report', job.name]);
    const began = (await historyOf('new-report'))?.begunAt;
    expect(began).toBeInstanceOf(Date);
    await noteKnownJobs(db, ['new-report', job.name]);
    expect(await historyOf('new-report')).toMatchObject({ begunAt: began, lastAttempt: undefined });
    expect((await historyOf(job.name))?.begunAt).toBeUndefined();
  });

  it('does not run by hand when the queue has got it a moment before', async () => {
    const { pool } = database;
    const enqueuing = Object.create(pool, {
      connect: {
        async value() {
          await pool.query(`insert into sync.batch (job, selection, is_queued) values ($1, '{}', true)`, [
            job.name,
          ]);
          return await pool.connect();
        },
      },
    });
    expect(await runWith(done, enqueuing)).toBeUndefined();
    await pool.query('delete from sync.batch where is_queued');
  });

  it('misses something where it fits nobody, and counts the month in its own zone', async () => {
    const { config } = settingsFor();
    const work = kindWork({
      ...{ config, streams: [], logger: silent, env: {} },
      ...{ pool: database.pool, db: database.db },
    });
    const { signal } = new AbortController();
    const nobody = await work({ ...job, clients: ['no-such'] }, dueAt, signal);
    expect(nobody.missing).toBe('none of its accounts and clients was there on 2026-10-31');
    // In Auckland it is the first of November, in UTC still October.
    const eve = new Date('2026-10-31T12:00:00Z');
    const abroad = await work({ ...job, clients: ['no-such'], timeZone: 'Pacific/Auckland' }, eve, signal);
    expect(abroad.missing).toContain('2026-10-31');
    expect((await work({ ...job, clients: ['no-such'] }, eve, signal)).missing).toContain('2026-09-30');
  });

  it('writes and mails the reports of the period before, once', async () => {
    const smtp = await startSmtpServer();
    try {
      await mkdir(join(folder, 'jobs'));
      const text = JSON.stringify({ ...job, mail: true, language: 'es' });
      await writeFile(join(folder, 'jobs', 'report.mjs'), `export default ${text};`);
      await writeFile(join(folder, 'airank.config.yaml'), 'report: { to: [agency@example.com] }');
      const env = {
        DATABASE_URL: database.url,
        AIRANK_JOBS_DIR: 'jobs',
        ...nobody,
        AIRANK_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        AIRANK_MAIL_FROM: 'reports@example.com',
      };
      const first = await airank(['jobs', 'run', job.name], { env, cwd: folder });
      expect(first).toMatchObject({ exitCode: 0, stdout: 'Job monthly-report: every report is there\n' });
      const [period = ''] = await readdir(join(folder, '.airank', 'reports'));
      expect(period).toMatch(/^\d{4}-\d{2}$/);
      expect(await readdir(join(folder, '.airank', 'reports', period))).toHaveLength(2);
      expect(smtp.mails).toHaveLength(2);
      await airank(['jobs', 'run', job.name], { env, cwd: folder });
      expect(smtp.mails).toHaveLength(2);
      const listed = await airank(['jobs'], { env, cwd: folder });
      expect(listed.stdout).toMatch(/monthly-report +0 7 2 \* \* .* reports, by month +all +all/);
      const synced = await airank(['sync', '--job', job.name], { env, cwd: folder });
      expect(synced.exitCode).toBe(2);
      expect((await airank(['status'], { env, cwd: folder })).stdout).toContain('monthly-report');
    } finally {
      await smtp.close();
    }
  });
});
