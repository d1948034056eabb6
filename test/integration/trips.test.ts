// A database far away: how often each command that reads waits for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let proxy: CountingProxy;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-trips-'));
  database = await createSandboxWarehouse({
    from: '2026-03-02',
    days: 1,
    streams: ['clientes', 'visibility', 'respuestas', 'airank'],
  });
  proxy = await startCountingProxy(database.url);
});

afterAll(async () => {
  await proxy.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['status', 15],
  ['views', 15],
  ['plan', 15],
  ['doctor --offline', 40],
  ['dashboard --output all.html', 60],
])('%s waits for the database less than %i times', async (command, most) => {
  proxy.take();
  const said = await airank(command.split(' '), {
    cwd: folder,
    env: {
      DATABASE_URL: proxy.url,
      AIRANK_DATA_DIR: folder,
      AIRANK_BASE_URL: 'http://127.0.0.1:9',
      AIRANK_API_KEY: 'test-key-123456',
    },
  });
  expect(said.stderr).not.toMatch(/could not be read|Error/);
  expect(proxy.take().trips).toBeLessThan(most);
});
