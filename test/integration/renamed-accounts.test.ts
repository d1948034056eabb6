// Nobody begins a second history of an account by another name, unless somebody says once that it is another account.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { addDays, parseRunDate, type RunDate, runDateIn } from '../../src/core/run-date.ts';
import type { SyncJob } from '../../src/jobs/define-job.ts';
import { checkData } from '../../src/jobs/schedule/check-data.ts';
import type { Findings } from '../../src/jobs/schedule/incidents.ts';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { findRenamedAccounts } from '../../src/store/renamed-accounts.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';
import { createLeader, startWorker } from '../support/worker-in-process.ts';
import { until } from '../workers/until.ts';

let sandbox: Sandbox;
const database = useDatabase();
const folder = oneFolder();

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const apiKeys = ['north', 'south', 'north-key', 'south-key'];
  sandbox = await startSandbox({ clients: 1, size: 0.25, apiKeys, ...limits });
});
afterAll(() => sandbox?.close());
beforeEach(() =>
  truncatePublished(database.pool, ['sync.newest', 'sync.new_account', 'sync.batch', 'sync.run']),
);

/** History of an account, which ended on that date. */
const publish = (account: string, on: string) =>
  database.pool.query(
    `insert into sync.newest (account, stream, client_id, run_date, completed_at)
     values ($1, 'airank', '', $2::date - 1, now()), ($1, 'products', 'c', $2, now())`,
    [account, on],
  );

const today = parseRunDate('2026-04-30') as RunDate;
const daysAgo = (days: number) => addDays(today, -days);

describe('an account without history is left out', () => {
  type History = Readonly<Record<string, number>>;
  // Names in the configuration; days since history ended; who is left out, by which others; who was called new.
  test.each<[what: string, configured: string, history: History, leftOut: string, meant: string]>([
    ['not where the warehouse is empty', 'north', {}, '', ''],
    ['not where it is the only one with history', 'default', { default: 0 }, '', ''],
    ['where one has history that is not configured', 'north', { default: 0 }, 'north:default', ''],
    ['however long ago that ended', 'north', { default: 400 }, 'north:default', ''],
    ['not where somebody said that it is new', 'north', { default: 0 }, '', 'north'],
    ['where that was said of another one', 'north', { default: 0 }, 'north:default', 'south'],
    ['beside one that has history', 'south north', { south: 0, default: 30 }, 'north:default', ''],
    ['not beside one, where it ended 31 days ago', 'south north', { south: 0, default: 31 }, '', ''],
    ['not where all have history', 'south north', { south: 0, north: 9, default: 0 }, '', ''],
    ['not where the other one is configured too', 'default north', { default: 0 }, '', ''],
    ['each of them', 'b a', { default: 1 }, 'b:default a:default', ''],
    ['for all others, the newest first', 'a', { x: 3, z: 1, y: 1 }, 'a:y,z,x', ''],
    ['for the first five', 'a', { b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }, 'a:b,c,d,e,f', ''],
  ])('%s', async (_, configured, history, leftOut, meant) => {
    for (const [account, days] of Object.entries(history)) await publish(account, daysAgo(days));
    await database.pool.query(`insert into sync.new_account values ($1)`, [meant]);
    const asked = configured.split(' ');
    const config = accountsConfig(sandbox.url, asked);
    const found = await findRenamedAccounts(database.db, config, {
      asked,
      now: new Date(`${today}T12:00:00Z`),
    });
    const others = (text: string) => [...text.matchAll(/name: (\w+)/g)].map(([, name]) => name).join();
    expect(found.map(({ account, text }) => `${account}:${others(text)}`).join(' ')).toBe(leftOut);
  });

  test('and the text says what to write where', async () => {
    await publish('default', daysAgo(2));
    const config = accountsConfig(sandbox.url, ['north']);
    const [found] = await findRenamedAccounts(database.db, config, {
      asked: ['north'],
      now: new Date(today),
    });
    expect(found?.text).toBe(
      'Account north is left out: the warehouse has no history of it, but has one of default (until 2026-04-28), which the ' +
        'configuration no longer names. If it was renamed, write name: default in airank.config.yaml: accounts[0].name; if ' +
        'north is another account, run once: airank sync --new-account north',
    );
  });
});

test('sync walks the others and ends with 2, every time until the name is right or said to be new', async () => {
  const only = ['sync', '--streams', 'airank'];
  const keys = { NORTH: 'north-key', SOUTH: 'south-key' };
  const env = { DATABASE_URL: database.url, AIRANK_BASE_URL: sandbox.url, ...keys };
  const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}, piped = '') =>
    airank(args, { cwd: folder, env: { ...env, ...more }, piped });
  const name = async (north: string) => {
    const accounts = [
      { name: north, api_key_env: 'NORTH' },
      { name: 'south', api_key_env: 'SOUTH' },
    ];
    await writeFile(join(folder, 'airank.config.yaml'), JSON.stringify({ accounts }));
  };
  const walked = () => database.lines('select distinct account from sync.newest order by 1');
  const isToldOf = ({ exitCode, stderr }: Said, account: string, other: string) => {
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Account ${account} is left out`);
    expect(stderr).toContain(`write name: ${other} in`);
  };
  expect(await run(only, { AIRANK_API_KEY: 'north-key' })).toMatchObject({ exitCode: 0 });

  await name('north');
  const before = sandbox.stats().requests;
  for (const command of [
    only,
    ['jobs', 'run', 'rank-watch'],
    ['push', 'questions', '-', '--account', 'north'],
  ]) {
    const said = await run(command, {}, 'Which shop sells oak tables?\n');
    isToldOf(said, 'north', 'default');
    expect(said.stdout).toBe('');
  }
  expect([sandbox.stats().requests, await walked()]).toEqual([before, ['default']]);

  await name('default');
  expect(await run(only)).toMatchObject({ exitCode: 0, stderr: '' });

  await name('north');
  for (const again of [[], ['--again']]) {
    const said = await run([...only, '--json', ...again]);
    isToldOf(said, 'north', 'default');
    expect(JSON.parse(said.stdout)).toMatchObject({
      exit_code: 2,
      status: 'complete',
      left_out: ['north'],
      accounts: [{ account: 'south' }],
    });
  }
  expect((await run([...only, '--new-account', 'nroth'])).stderr).toContain(
    'Expected --new-account to be one of north, south, got "nroth". Did you mean north?',
  );
  expect(await walked()).toEqual(['default', 'south']);

  // Said, and not walked yet: it is said for good.
  expect(await run([...only, '--new-account', 'north', '--accounts', 'south'])).toMatchObject({
    exitCode: 0,
  });
  expect(await run(only)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await walked()).toEqual(['default', 'north', 'south']);
});

test('a scheduler gives the others to the queue and tells it, and a worker walks none that was given before', async () => {
  const now = runDateIn('UTC', new Date());
  await publish('default', now);
  await publish('south', now);
  const job: SyncJob = { name: 'snap', description: 'x', streams: ['airank'] };
  const config = accountsConfig(sandbox.url, ['north', 'south']);
  const leader = createLeader(database, config);
  const given = () => database.lines('select key from airank_jobs.jobs order by key');
  const told = async (): Promise<Findings['incidents']> => {
    const deps = { db: database.db, clock: systemClock, jobs: [job], metrics: createMetrics(() => 2) };
    const findings = await checkData(deps, { config, streams: [] });
    expect(findings.filter(({ checked }) => checked('name:north'))).toHaveLength(1);
    return findings.flatMap(({ incidents }) => incidents);
  };

  expect(await leader.enqueue(job, new Date('2026-01-05T03:00:00Z'))).toBe('done');
  expect(await given()).toEqual([expect.stringMatching(/^\d+:1:south$/)]);
  expect(await told()).toMatchObject([
    {
      cause: 'name:north',
      kind: 'account_left_out',
      account: 'north',
      message: expect.stringContaining('name: default'),
    },
  ]);
  await expect(leader.enqueue({ ...job, name: 'one', accounts: ['north'] })).rejects.toThrow(
    'north is left out',
  );

  // Given while the configuration still named the other one.
  await createLeader(database, accountsConfig(sandbox.url, ['default', 'north', 'south'])).enqueue({
    ...job,
    name: 'two',
    accounts: ['north'],
  });
  await leader.share();
  const worker = startWorker(database, () => config);
  await until(
    async () => (await given()).length === 0,
    30_000,
    () => 'jobs are left',
  );
  await worker.stop();
  expect(
    await database.lines(`select account, status, summary ->> 'ended' from sync.run order by 1`),
  ).toEqual([expect.stringMatching(/^north failed .*name: default/), 'south complete -']);

  await database.pool.query(`insert into sync.new_account values ('north')`);
  expect(await told()).toEqual([]);
});
