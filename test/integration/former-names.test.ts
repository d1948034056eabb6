// A configuration that still says the name of before begins no second history, and brings nobody back who was forgotten.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { enqueueBatch } from '../../src/queue/enqueue.ts';
import { renameAccount } from '../../src/retention/accounts/rename-account.ts';
import { forgetClient } from '../../src/retention/forget/forget-client.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;
let sandbox: Sandbox;
let gone = '';

const runDate = parseRunDate('2026-03-02') as RunDate;
const today = new Date().toISOString().slice(0, 10);
const refusal = new RegExp(
  `Account default was renamed to north on ${today}: give it the name north in accounts of airank.config.yaml ` +
    String.raw`\(or take the name back: airank rename account north default\)`,
);

const sync = async () =>
  await syncOnce({
    ...{ pool: database.pool, url: sandbox.url, runDate, streams: ['clientes', 'products'] },
    ...{ everyClient: true, again: true, env: { AIRANK_API_KEY: sandbox.keys[0] ?? '' } },
  });
const clients = async (account: string): Promise<string[]> =>
  (
    await database.pool.query<{ id: string }>(
      `select client_id as id from bi.clients where account = $1 and client_id <> '' order by 1`,
      [account],
    )
  ).rows.map(({ id }) => id);
const cli = async (args: string) =>
  await airank(args.split(' '), {
    cwd: '/nowhere',
    piped: 'Which shop sells oak tables?\n',
    env: { DATABASE_URL: database.url, AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'sandbox-key' },
  });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  sandbox = await startSandbox({ clients: 2, date: runDate, perMinute: 1_000_000, perDay: 1_000_000 });
  await sync();
  gone = (await clients('default'))[0] ?? '';
  await renameAccount(database.pool, db, { from: 'default', to: 'north' });
  const input = { account: 'north', clientId: gone, names: [], isText: false, sleep: async () => undefined };
  await forgetClient(database.pool, db, input);
});

afterAll(async () => {
  await sandbox?.close();
  await database?.drop();
});

describe('the name that an account had', () => {
  it.each([
    'sync',
    'schedule',
    'jobs worker',
    'jobs run rank-watch',
    'plan',
    'ask x',
    'push questions -',
    'measure --empresa x',
  ])('ends airank %s with 2 before a request', async (command) => {
    const before = sandbox.stats().requests;
    const said = await cli(command);
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(refusal);
    expect(sandbox.stats().requests).toBe(before);
    expect(await clients('default')).toEqual([]);
  });

  it('is told by status and doctor', async () => {
    const said = await cli('status --json');
    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.stdout).problems).toContainEqual(expect.stringMatching(refusal));
    const { checks } = JSON.parse((await cli('doctor --offline --json')).stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({ level: 'fault', text: `Account default was renamed to north on ${today}` }),
    );
  });

  it('is not given to the queue', async () => {
    const batch = { job: 'daily', kind: 'sync', selection: {}, accounts: ['default'] } as const;
    const given = enqueueBatch(db, { ...batch, dueAt: undefined, priority: 'normal', spreadMs: 0 });
    await expect(given).rejects.toThrow(refusal);
  });

  it('is no other account’s, until it is released, and then the forgotten client stays out there too', async () => {
    expect((await cli('rename account default south')).stderr).toMatch('renamed to north');
    expect((await cli('rename account --release nort')).stderr).toMatch('Such names: default.');
    const released = await cli('rename account --release default');
    expect(released).toMatchObject({ exitCode: 0 });
    expect((await sync()).exit_code).toBe(0);
    const listed = await clients('default');
    expect(listed).toHaveLength(1);
    expect(listed).not.toContain(gone);
    expect(await clients('north')).toEqual(listed);
  });

  it('can be taken back, and the client stays out', async () => {
    await database.pool.query(`delete from sync.former_name`);
    await renameAccount(database.pool, db, { from: 'default', to: 'south' });
    await renameAccount(database.pool, db, { from: 'north', to: 'west' });
    await expect(renameAccount(database.pool, db, { from: 'west', to: 'default' })).rejects.toThrow(
      'Account default was renamed to south',
    );
    await renameAccount(database.pool, db, { from: 'west', to: 'east' });
    const { rows } = await database.pool.query('select name, renamed_to from sync.former_name order by name');
    expect(rows).toEqual([
      { name: 'default', renamed_to: 'south' },
      { name: 'north', renamed_to: 'east' },
      { name: 'west', renamed_to: 'east' },
    ]);
    await renameAccount(database.pool, db, { from: 'east', to: 'north' });
    await cli('rename account --release default');
    await renameAccount(database.pool, db, { from: 'north', to: 'default' });
    expect((await sync()).exit_code).toBe(0);
    expect(await clients('default')).not.toContain(gone);
  });
});
