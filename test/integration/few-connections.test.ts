import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createPool } from '../../src/db/pool.ts';
import { airank } from '../support/fake-terminal.ts';
import { startPoolingProxy } from '../support/pooling-proxy.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import type { TestDatabase } from '../support/test-database.ts';

const folder = oneFolder();

let database: TestDatabase;
let url: string;
const role = `few_${process.pid}`;

beforeAll(async () => {
  database = await createSandboxWarehouse({
    from: '2026-03-02',
    days: 1,
    streams: ['clientes', 'visibility', 'respuestas', 'airank'],
  });
  const own = new URL(database.url);
  await database.pool.query(
    `create role ${role} login password 'few' connection limit 3; grant ${own.username} to ${role}`,
  );
  [own.username, own.password] = [role, 'few'];
  url = own.href;
});

afterAll(async () => {
  // First the database: a session that has not ended yet may have objects of the role's in it.
  await database.drop();
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  await admin.query(`drop role ${role}`);
  await admin.end();
});

const run = (args: string, address: string) =>
  airank(args.split(' '), {
    cwd: folder,
    env: {
      DATABASE_URL: address,
      AIRANK_DATA_DIR: folder,
      AIRANK_BASE_URL: 'http://127.0.0.1:9',
      AIRANK_API_KEY: 'test-key-123456',
    },
  });

/** Charts that are left out are said on stderr, and are exit code 1. */
async function expectDashboard(address: string): Promise<void> {
  const [client] = await database.lines('select client_id from bi.clients where not is_account limit 1');
  const said = await run(`dashboard --output few.html --client ${client}`, address);
  expect(said.stderr).not.toContain('could not be read');
  expect(said).toMatchObject({ exitCode: 0 });
}

test('a dashboard is whole with the three connections of a role', () => expectDashboard(url));

/** Works through a pooler with so many sessions. */
async function through(sessions: number, work: (address: string) => Promise<void>): Promise<void> {
  const pooler = await startPoolingProxy(database.url, 'own', sessions);
  await work(pooler.url).finally(() => pooler.close());
}

test('a dashboard is whole with the two sessions of a pooler', () => through(2, expectDashboard), 60_000);

test('a pool has as many connections as a pooler has sessions', async () => {
  await through(2, async (address) => {
    const pool = createPool({ connectionString: address, max: 6, applicationName: 'airank-test' });
    try {
      const taken = [await pool.connect(), await pool.connect()];
      const first = pool.query('select');
      // One is refused while the other is still being made.
      await setTimeout(300);
      const second = pool.query('select');
      await expect.poll(() => pool.options.max, { timeout: 10_000 }).toBe(2);
      for (const client of taken) client.release();
      await Promise.all([first, second]);
    } finally {
      await pool.end();
    }
  });
}, 60_000);

test('doctor says that no connection is free, and what helps', async () => {
  const others = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }));
  for (const one of others) await one.connect();
  // It waits a quarter of a minute for one.
  const nowMs = performance.now.bind(performance);
  let aheadMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    aheadMs += 5_000;
    return nowMs() + aheadMs;
  });
  try {
    const { stdout } = await run('doctor --offline', url);
    expect(stdout).not.toContain('airank doctor');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /No connection was free .* Lower AIRANK_DATABASE_CONNECTIONS.*: a command needs two/,
    );
  } finally {
    vi.restoreAllMocks();
    for (const one of others) await one.end();
  }
});
