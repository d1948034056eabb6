// Poolers between the warehouse and its Postgres: why one that hands sessions round is refused, and where.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool } from '../../src/db/pool.ts';
import { findPooling } from '../../src/db/server-facts.ts';
import { tryLock } from '../../src/db/session-lock.ts';
import type { PostgresProxy } from '../support/database-proxy.ts';
import { airank } from '../support/fake-terminal.ts';
import { type SessionChoice, startPoolingProxy } from '../support/pooling-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
const proxies = new Map<SessionChoice, PostgresProxy>();

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'airank-pooling-'));
  for (const choice of ['own', 'newest', 'oldest'] as const) {
    proxies.set(choice, await startPoolingProxy(database.url, choice));
  }
});

afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (choice: SessionChoice) => proxies.get(choice)?.url ?? '';
const poolOf = (url: string) =>
  createPool({ connectionString: url, max: 2, applicationName: 'airank-pooling' });

describe('a pooler', () => {
  test.each([
    ['none', false],
    ['own', false],
    ['newest', true],
    ['oldest', true],
  ] as const)(
    'that gives a transaction the session "%s" is one that hands them round: %s',
    async (choice, does) => {
      const pool = poolOf(choice === 'none' ? database.url : urlOf(choice));
      expect((await findPooling(pool, 3)) !== undefined).toBe(does);
      await pool.end();
    },
  );

  test.each([
    ['own', false],
    ['newest', true],
  ] as const)('with the session "%s": two processes hold one lock: %s', async (choice, both) => {
    const [one, other] = [poolOf(urlOf(choice)), poolOf(urlOf(choice))];
    // A login of the stand-in makes a session; that of a real one takes what is there.
    await Promise.all([one.query('select 1'), other.query('select 1')]);
    const key = { kind: 'schedule', id: 1 } as const;
    const first = await tryLock(one, key);
    const second = await tryLock(other, key);
    expect([first !== undefined, second !== undefined]).toEqual([true, both]);
    await first?.release();
    await second?.release();
    await Promise.all([one.end(), other.end()]);
  });
});

describe('a command', () => {
  const run = (args: string, choice: SessionChoice) =>
    airank(args.split(' '), {
      cwd: folder,
      // One that is not refused would work on.
      signal: AbortSignal.timeout(20_000),
      env: {
        DATABASE_URL: urlOf(choice),
        AIRANK_BASE_URL: 'http://127.0.0.1:9',
        AIRANK_API_KEY: 'test-key-123456',
      },
    });

  test.each([
    'sync',
    'schedule',
    'jobs run daily-snapshot',
    'forget --client 7 --yes',
    'alerts check',
    'backup b.gz',
  ])('%s is refused at a pooler in transaction mode, with the reason and the fix', async (args) => {
    const said = await run(args, 'newest');
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Expected DATABASE_URL to give each connection a session of its own, got a pooler in transaction or statement ' +
        'mode: two connections had the same session. Runs and schedulers are held apart by locks of sessions, which ' +
        'such a pooler does not hold. Connect to Postgres directly, or set pool_mode = session in the pooler',
    );
  });

  // A name that one process prepared is taken for the next one that gets the session.
  test.each(['status', 'plan', 'views --json', 'budget', 'jobs', 'jobs workers', 'alerts', 'export clients'])(
    '%s reads through a pooler in transaction mode, and prepares nothing in its sessions',
    async (args) => {
      const said = await run(args, 'oldest');
      expect(said.stderr).not.toMatch(/prepared statement/);
      expect(said.exitCode).toBe(args === 'status' ? 1 : 0);
      const pool = poolOf(urlOf('oldest'));
      expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([]);
      await pool.end();
    },
  );

  test('that makes its sessions read only asks for AIRANK_READER_URL at such a pooler', async () => {
    const said = await run('dashboard --output pages.html', 'newest');
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'What reads makes its sessions read only, and such a pooler hands them to others. Set AIRANK_READER_URL',
    );
    const pool = poolOf(urlOf('newest'));
    expect((await pool.query('show default_transaction_read_only')).rows).toEqual([
      { default_transaction_read_only: 'off' },
    ]);
    await pool.end();
  });

  test.each([
    ['own', 'fine', /^each connection has a session of its own$/],
    ['newest', 'fault', /^Expected DATABASE_URL .* pooler in transaction or statement mode/],
  ] as const)('doctor, where each connection has the session "%s", says: %s', async (choice, level, text) => {
    const said = await run('doctor --offline --json', choice);
    const { checks } = JSON.parse(said.stdout) as { checks: { level: string; text: string }[] };
    expect(checks.filter((one) => text.test(one.text)).map((one) => one.level)).toEqual([level]);
  });
});
