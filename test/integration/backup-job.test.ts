// Jobs of kind backup, and what status knows of the last backup, whoever made it.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addDays, runDateIn } from '../../src/core/run-date.ts';
import { tryLock } from '../../src/db/session-lock.ts';
import { turnOf } from '../../src/queue/enqueue.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({
    from: addDays(runDateIn('UTC', new Date()), -1),
    days: 2,
  }),
);
const cwd = oneFolder();

beforeAll(async () => {
  await mkdir(join(cwd, 'jobs'));
  await mkdir(join(cwd, 'backups'));
  await writeJob(join(cwd, 'backups'), 2);
});

const run = (...args: string[]) => {
  const account = { AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_API_KEY: 'k-1234567890' };
  const env = { ...account, DATABASE_URL: database.url, AIRANK_JOBS_DIR: 'jobs', AIRANK_DATA_DIR: cwd };
  return airank(args, { cwd, env });
};

const status = async () => ({
  text: (await run('status')).stdout.replace(/\s+/g, ' '),
  json: JSON.parse((await run('status', '--json')).stdout).last_backup,
});

async function writeJob(folder: string, keep: number): Promise<void> {
  const job = { name: 'nightly-backup', description: 'All.', schedule: '0 5 * * *', kind: 'backup', folder };
  const text = `export default ${JSON.stringify({ ...job, keep })};\n`;
  await writeFile(join(cwd, 'jobs', 'nightly-backup.mjs'), text);
}

test('a backup by hand is known to status, with its age, and answers no job', async () => {
  const before = await status();
  expect(before.json).toBeNull();
  expect(before.text).toContain('No backup yet: airank backup FILE');
  const file = join(cwd, 'by-hand.gz');
  expect(await run('backup', 'by-hand.gz')).toMatchObject({ exitCode: 0, stderr: '' });
  const { text, json } = await status();
  expect(json).toEqual({ file, bytes: (await stat(file)).size, made_at: expect.any(String) });
  expect(text).toContain(`Backup less than a day ago, ${file}`);
  await database.pool.query(
    `update sync.batch set summary = jsonb_set(summary, '{result,backup,made_at}', to_jsonb(now() - interval '50 hours'))
      where summary -> 'result' ? 'backup'`,
  );
  expect((await status()).text).toContain(`Backup 2 days ago, ${file}`);
});

test('a job writes a file of the day, keeps the newest of its own, and is known to status', async () => {
  const folder = join(cwd, 'backups');
  for (const name of ['airank-2026-01-01.gz', 'airank-2026-01-02.gz', 'other-2026-01-01.gz'])
    await writeFile(join(folder, name), 'older');
  const today = `airank-${runDateIn('UTC', new Date())}.gz`;
  const said = await run('jobs', 'run', 'nightly-backup');
  expect(said).toMatchObject({ exitCode: 0, stdout: 'Job nightly-backup: the backup is written\n' });
  expect((await readdir(folder)).sort()).toEqual(['airank-2026-01-02.gz', today, 'other-2026-01-01.gz']);
  expect((await run('backup', 'verify', join(folder, today))).exitCode).toBe(0);
  expect((await status()).json).toMatchObject({ file: join(folder, today) });
  // Another one of the same day takes its place.
  expect((await run('jobs', 'run', 'nightly-backup')).exitCode).toBe(0);
  expect((await readdir(folder)).length).toBe(3);
  expect((await run('jobs')).stdout).toContain('nightly-backup');
});

test('a job by hand does not begin beside another of its kind, and says who has the turn', async () => {
  const turn = await tryLock(database.pool, turnOf('backup', ''));
  const said = await run('jobs', 'run', 'nightly-backup');
  await turn?.release();
  expect(said.exitCode).toBe(1);
  expect(said.stderr).toMatch(
    /Another job of kind backup is running: pid \d+ \(role .*, since .* UTC\)\. Run this one/,
  );
});

test('a job whose folder is not there fails, says so, and makes none', async () => {
  await rm(join(cwd, 'backups'), { recursive: true });
  const said = await run('jobs', 'run', 'nightly-backup');
  expect(said.exitCode).toBe(2);
  expect(said.stderr).toContain('Expected the folder of job nightly-backup to exist');
  expect(await readdir(cwd)).not.toContain('backups');
});
