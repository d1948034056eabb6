import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoReport } from '../../src/cli/print/print-demo.ts';
import { demoDatabase } from '../../src/cli/setup/demo-database.ts';
import { takeDemoLock } from '../../src/warehouse/connection/demo-lock.ts';
import { openEmbeddedPostgres } from '../../src/warehouse/embedded/open-embedded-postgres.ts';
import { findPostmaster } from '../../src/warehouse/embedded/postmaster.ts';
import { airank } from '../support/fake-terminal.ts';

let folder: string;
let clusterFolder: string;

const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}, signal?: AbortSignal) =>
  airank(args, {
    cwd: folder,
    // Settings of another API and another database, faulty ones at that.
    env: { AIRANK_DATA_DIR: folder, AIRANK_BASE_URL: 'nonsense', DATABASE_URL: 'nonsense', ...more },
    ...(signal === undefined ? {} : { signal }),
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-demo-'));
  // As root another user runs the server and has to get through.
  await chmod(folder, 0o711);
  const server = await openEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  clusterFolder = server.dataFolder;
  await server.close();
});

afterAll(async () => {
  await rm(dirname(clusterFolder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

test('a demo shows a figure of each client and date, and leaves no server behind', async () => {
  const said = await run(['demo', '--days', '3', '--clients', '2', '--json']);
  expect(said.exitCode, said.stderr).toBe(0);
  const report = JSON.parse(said.stdout) as DemoReport;
  // The account itself and its clients.
  expect(report.figures).toHaveLength(3 * 3);
  expect(report.figures.every((figure) => typeof figure.value === 'number' && figure.name !== null)).toBe(
    true,
  );
  expect(report.storage.copies).toBeGreaterThan(report.storage.versions);
  expect(said.stderr.match(/^\d{4}-\d{2}-\d{2} {2}[\d,]+ records: /gm)).toHaveLength(3);
  expect(await findPostmaster(clusterFolder)).toBeUndefined();
});

test('airank psql --demo reads what the demo stored', async () => {
  const query = "select count(distinct run_date) from sync.slice where status = 'complete'";
  const said = await run(['psql', '--csv', '-c', query, '--demo'], { PATH: '/nonexistent' });
  expect(said).toMatchObject({ exitCode: 0, stdout: 'count\n3\n' });
});

test("views and export look at the demo's data, and say so where there is none", async () => {
  const views = await run(['views', '--demo']);
  expect(views).toMatchObject({ exitCode: 0, stderr: '' });
  // Fresh by its newest day, although it has no run date.
  expect(views.stdout).toMatch(
    /^bi\.rank_trend +ready +[1-9][\d,]* +\d{4}-\d{2}-\d{2} +client, date and method$/m,
  );
  expect(views.stdout).not.toContain('Nothing is published');
  const exported = await run(['export', 'rank_trend', '--demo']);
  expect(exported.stdout.split('\n').length).toBeGreaterThan(6);
  const elsewhere = await mkdtemp(join(tmpdir(), 'airank-no-demo-'));
  try {
    const none = await airank(['views', '--demo'], { cwd: elsewhere, env: { PATH: process.env['PATH'] } });
    expect(none).toMatchObject({ exitCode: 1, stdout: '' });
    expect(none.stderr).toMatch(/There is no demo in .* yet\. Run: airank demo/);
    expect(await readdir(elsewhere)).toEqual([]);
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
});

test('a demo leaves the database of another one that is running alone, and says so', async () => {
  const server = await openEmbeddedPostgres({ dataDir: folder, database: 'postgres', log: () => undefined });
  const running = await takeDemoLock(server.url, demoDatabase);
  expect(running).toBeDefined();
  try {
    const said = await run(['demo', '--days', '1', '--clients', '0']);
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/Another demo is running on the Postgres in .*AIRANK_DATA_DIR/);
    const kept = await run(
      ['psql', '--csv', '-c', 'select count(distinct run_date) from sync.slice', '--demo'],
      {
        PATH: '/nonexistent',
      },
    );
    expect(kept).toMatchObject({ exitCode: 0, stdout: 'count\n3\n' });
  } finally {
    await running?.release();
    await server.close();
  }
});

test('a stopped demo says so, and leaves no server behind', async () => {
  const said = await run(['demo', '--days', '300'], {}, AbortSignal.timeout(2_000));
  expect(said).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await findPostmaster(clusterFolder)).toBeUndefined();
});
