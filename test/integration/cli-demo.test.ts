import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoReport, demoLines } from '../../src/cli/commands/demo-command.ts';
import { demoDatabase } from '../../src/cli/context.ts';
import { takeDemoLock } from '../../src/db/demo-lock.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { findPostmaster } from '../../src/db/embedded/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { fastFolder } from '../support/test-server.ts';

let folder: string;
let clusterFolder: string;
/** Kept open between the first demo and the last: each command would start it and stop it again. */
let server: EmbeddedPostgres;
const open = () => openEmbeddedPostgres({ dataDir: folder, database: 'postgres', log: () => undefined });

const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}, signal?: AbortSignal) =>
  airank(args, {
    cwd: folder,
    // Settings of another API and another database, faulty ones at that.
    env: { AIRANK_DATA_DIR: folder, AIRANK_BASE_URL: 'nonsense', DATABASE_URL: 'nonsense', ...more },
    ...(signal === undefined ? {} : { signal }),
  });

beforeAll(async () => {
  folder = await mkdtemp(join(await fastFolder(), 'airank-demo-'));
  // As root another user runs the server and has to get through.
  await chmod(folder, 0o711);
  server = await open();
  clusterFolder = server.dataFolder;
  await server.close();
});

afterAll(async () => {
  await server.close();
  await rm(dirname(clusterFolder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

let report: DemoReport;

test('a demo shows the rank of each client, one line a date and no log, and leaves no server running', async () => {
  const said = await run(['demo', '--days', '2', '--clients', '1', '--json']);
  expect(said.exitCode, said.stderr).toBe(0);
  report = JSON.parse(said.stdout) as DemoReport;
  expect(report.ranks).toHaveLength(1);
  // The account itself is no client.
  expect(report.ranks[0]?.client_key).not.toBe('demo/');
  expect(report.storage.copies).toBeGreaterThan(report.storage.versions);
  expect(said.stderr.match(/^\d{4}-\d{2}-\d{2} {2}[\d,]+ records: /gm)).toHaveLength(2);
  expect(said.stderr).not.toMatch(/[{}]|WARN|ERROR/);
  expect(await findPostmaster(clusterFolder)).toBeUndefined();
  server = await open();
});

test('a demo ends with the path of a small dashboard of what it made, and fits a terminal, in a clone too', async () => {
  const file = join(folder, 'dashboard.html');
  expect(report.dashboard).toBe(file);
  const lines = demoLines(report, 80);
  expect(lines).toContain(`  Open in a browser: ${file}`);
  const inClone = lines.map((line) => line.replace(/^ +airank/, '  npm run -s airank --'));
  // Sentences are folded as they are printed.
  expect(inClone.filter((line) => [...line].length > 80 && !/[a-z]\.$/.test(line))).toEqual([]);
  const html = await readFile(file, 'utf8');
  expect(html.length).toBeLessThan(3_000_000);
  for (const { client_name } of report.ranks) expect(html).toContain(client_name);
  expect(html.match(/"state":"failed"/g)).toBeNull();
});

const psql = async (query: string) => {
  const said = await run(['psql', '--csv', '-c', query, '--demo'], { PATH: '/nonexistent' });
  expect(said.exitCode, said.stderr).toBe(0);
  return said.stdout.trimEnd().split('\n');
};

test('the summary of a demo says what bi.rank_latest says', async () => {
  const [, ...latest] = await psql(
    'select client_name, score::float8, change_7d::float8 from bi.rank_latest',
  );
  const shown = report.ranks.map((one) => [one.client_name, one.score, one.change_7d ?? ''].join(','));
  expect(shown.sort()).toEqual(latest.sort());
  const lines = demoLines(report, 80);
  for (const { client_name, score } of report.ranks) {
    expect(lines.find((line) => line.includes(client_name))).toContain(` ${score?.toFixed(1)} `);
  }
});

test('the last date of a demo is run by the job that comes with the package, and its budget is that of a real key', async () => {
  const jobs = await psql('select distinct job from sync.batch order by 1');
  expect(jobs).toEqual(['job', 'daily-snapshot', 'demo']);
  expect(report.last_requests).toBeGreaterThan(30);
  const { stdout } = await run(['budget', '--demo']);
  expect(stdout).toMatch(/ of 5,000 requests are left for jobs until /);
  expect(stdout).toContain('60 a minute');
});

test('quotients of views have at most ten places, which every decimal of other tools holds', async () => {
  const [, ...places] = await psql(
    `select max(scale(mention_rate)) from bi.mention_rates union all select max(scale(share_rate)) from bi.share_of_voice
     union all select max(scale(share_of_voice_rate)) from bi.share_of_voice`,
  );
  expect(places.map(Number).filter((most) => most > 10)).toEqual([]);
});

test("views and export look at the demo's data, and say so where there is none", async () => {
  const views = await run(['views', '--demo']);
  expect(views).toMatchObject({ exitCode: 0, stderr: '' });
  expect(views.stdout).toMatch(/^ {2}rank_trend +AI Rank day by day$/m);
  const one = await run(['views', 'rank_trend', '--demo']);
  // Fresh by its newest day, although it has no run date.
  expect(one.stdout).toMatch(
    /A row is a client, date and method\. [1-9][\d,]* rows, .* to \d{4}-\d{2}-\d{2}\./,
  );
  expect(one.stdout).toMatch(/^ {2}score +points +\d+ % +AI Rank/m);
  expect(await run(['views', 'rank_trand', '--demo'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('There is no view rank_trand. Try: airank views rank_trend'),
  });
  const exported = await run(['export', 'rank_trend', '--demo']);
  expect(exported.stdout.split('\n').length).toBeGreaterThan(6);
  const elsewhere = await mkdtemp(join(folder, 'no-demo-'));
  const none = await airank(['views', '--demo'], { cwd: elsewhere, env: { PATH: process.env['PATH'] } });
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toMatch(/There is no demo in .* yet\. Run: airank demo/);
  expect(await readdir(elsewhere)).toEqual([]);
});

describe('where nothing is set up', () => {
  const bare = (args: readonly string[], more: { keys?: string; env?: NodeJS.ProcessEnv } = {}) =>
    airank(args, {
      cwd: folder,
      ...more,
      env: { PATH: '/nonexistent', AIRANK_DATA_DIR: folder, ...more.env },
    });
  const shown = /^Nothing is set up yet, so this shows the demo\./;

  test.each([
    [['psql', '-c', 'select count(*) from bi.clients']],
    [['status']],
    [['views']],
    [['push', 'writes']],
  ])('%j at a terminal reads the demo, and says so on stderr', async (args) => {
    const said = await bare(args, { keys: '' });
    expect(said.stderr).toMatch(shown);
    expect(said.exitCode, said.stderr).toBe(0);
    expect(said.stdout).not.toBe('');
  });

  test('a script that lost its settings hands out no invented figures, at a terminal neither what goes elsewhere', async () => {
    const none =
      /^There is no warehouse in .* yet, and nothing is set up\. Run: airank init; --demo uses the demo\n$/;
    const refused = { exitCode: 2, stdout: '', stderr: expect.stringMatching(none) };
    for (const args of [['psql', '-c', 'select 1'], ['views'], ['map', '--json']])
      expect(await bare(args), args[0]).toMatchObject(refused);
    for (const args of [
      ['views', '--json'],
      ['export', 'rank_trend'],
      ['report', 'Clínica Ondas'],
      ['dashboard', '--output', 'figures.html'],
      ['grant-bi', 'reader_of_nothing'],
    ])
      expect(await bare(args, { keys: '' }), args[0]).toMatchObject(refused);
  });

  test.each([
    [{ AIRANK_API_KEY: 'sandbox-key' }],
    [{ AIRANK_API_KEY_FILE: 'key' }],
    [{ AIRANK_CONFIG: 'other.yaml' }],
    [{ AIRANK_READER_URL: 'postgres://nobody@127.0.0.1:9/none' }],
  ])('with %j nothing of the demo is shown', async (env) => {
    await writeFile(join(folder, 'other.yaml'), '');
    const said = await bare(['views'], { keys: '', env });
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(/There is no warehouse in .* yet\. Run: airank sync/);
  });

  test('nothing that reads makes a database or a role', async () => {
    const query =
      "select datname::text as name from pg_database where datname !~ '^template' union all select rolname from pg_roles where rolname like 'reader%' order by 1";
    const names = (await psql(query)).slice(1);
    expect(names).toEqual([demoDatabase, 'postgres']);
  });
});

test('migrate --demo brings the warehouse of a demo of an earlier version up to date', async () => {
  const old = `update sync.code set hash = 'old' where name = 'code/sync/day_renewal.sql'`;
  await run(['psql', '-c', old, '--demo'], { PATH: '/nonexistent' });
  const views = await run(['views', '--demo']);
  expect(views).toMatchObject({ exitCode: 2, stdout: '' });
  expect(views.stderr).toMatch(
    /is older than this version.*day_renewal\.sql\. Run: airank migrate --demo\n$/,
  );
  const migrated = await run(['migrate', '--demo']);
  expect(migrated).toMatchObject({ exitCode: 0, stdout: 'The warehouse is up to date.\n' });
  expect(await run(['views', '--demo'])).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a demo leaves the database of another one that is running alone, and says so', async () => {
  const running = await takeDemoLock(server.url, demoDatabase);
  expect(running).toBeDefined();
  try {
    const said = await run(['demo', '--days', '1', '--clients', '0']);
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/Another demo is running on the Postgres in .*AIRANK_DATA_DIR/);
    expect(await psql('select count(distinct run_date) from sync.slice')).toEqual(['count', '2']);
  } finally {
    await running?.release();
  }
});

test('a stopped demo says so, and leaves no server running', async () => {
  await server.close();
  const said = await run(['demo', '--days', '300'], {}, AbortSignal.timeout(2_000));
  expect(said).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await findPostmaster(clusterFolder)).toBeUndefined();
});
