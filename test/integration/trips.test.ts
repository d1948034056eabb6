// A database far away: how often each command waits for it.
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { nobody, unlimited } from '../support/config-fixtures.ts';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { createEmptyTestDatabase, createTestDatabase, useDatabase } from '../support/test-database.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({
    from: '2026-03-02',
    days: 1,
    streams: ['clientes', 'visibility', 'respuestas', 'airank'],
  }),
);
const folder = oneFolder();
let proxy: CountingProxy;

beforeAll(async () => {
  proxy = await startCountingProxy(database.url);
});

afterAll(async () => {
  await proxy.close();
});

test.each([
  ['status', 15],
  ['views', 15],
  ['plan', 15],
  ['doctor --offline', 40],
  ['dashboard --output all.html', 60],
])('%s waits for the database less than %i times', async (command, most) => {
  proxy.take();
  const env = { DATABASE_URL: proxy.url, AIRANK_DATA_DIR: folder, ...nobody };
  const said = await airank(command.split(' '), { cwd: folder, env });
  expect(said.stderr).not.toMatch(/could not be read|Error/);
  expect(proxy.take()).toBeLessThan(most);
});

test('a first sync waits less than ten times a request, and one with nothing to do less than 100 times', async () => {
  const empty = await createTestDatabase();
  const counted = await startCountingProxy(empty.url);
  const sandbox = await startSandbox({ clients: 1, size: 0.25, perMinute: 1_000_000, perDay: 1_000_000 });
  const sync = async () => {
    counted.take();
    const api = { AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'sandbox-key', ...unlimited };
    const env = { DATABASE_URL: counted.url, AIRANK_DATA_DIR: folder, ...api };
    const said = await airank(['sync', '--json'], { cwd: folder, env });
    const { accounts } = JSON.parse(said.stdout) as { accounts: { requests: number }[] };
    return { requests: accounts[0]?.requests ?? 0, trips: counted.take() };
  };
  try {
    const first = await sync();
    expect(first.requests).toBeGreaterThan(100);
    expect(first.trips).toBeLessThan(10 * first.requests);
    const again = await sync();
    expect(again.requests).toBe(0);
    expect(again.trips).toBeLessThan(100);
  } finally {
    await sandbox.close();
    await counted.close();
    await empty.drop();
  }
});

test('a first migrate sends less than a hundred statements, and a second one half of that', async () => {
  const database = await createEmptyTestDatabase();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const sentBy = async () => {
    query.mockClear();
    const env = { DATABASE_URL: database.url, AIRANK_DATA_DIR: folder };
    expect(await airank(['migrate'], { cwd: folder, env })).toMatchObject({ exitCode: 0, stderr: '' });
    return query.mock.calls.length;
  };
  try {
    expect(await sentBy()).toBeLessThan(100);
    expect(await sentBy()).toBeLessThan(50);
  } finally {
    query.mockRestore();
    await database.drop();
  }
});
