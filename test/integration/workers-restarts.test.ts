// Postgres restarts, crashes and drops its connections under a scheduler and under workers, in the middle of a batch: they
// wait, go on with the interrupted accounts, and blame none. Longer, by seeds: test/workers/main.ts --only restarts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestartablePostgres, startRestartablePostgres } from '../support/restartable-postgres.ts';
import { runBatch } from '../support/sync-in-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { type Copies, createCopies } from '../torture/copies.ts';
import { readContents } from '../workers/contents.ts';
import { type History, liveThrough, world } from '../workers/history.ts';
import { startKeyedServer } from '../workers/keyed-server.ts';
import { type Outage, outages } from '../workers/restarts.ts';

const keys = ['key-1', 'key-2'];
const streams = ['prompts', 'sources', 'respuestas', 'citas'];
let postgres: RestartablePostgres;
let copies: Copies;
let expected: Pick<History, 'contents' | 'requests'>;

beforeAll(async () => {
  postgres = await startRestartablePostgres();
  copies = await createCopies(postgres.url);
  const calm = await createTestDatabase();
  const server = await startKeyedServer(keys, world);
  await runBatch({ pool: calm.pool, url: server.url, keys, streams });
  expected = { contents: await readContents(calm.pool), requests: server.asked.length };
  await server.close();
  await calm.drop();
});
afterAll(async () => {
  await copies?.dropAll();
  await postgres?.close();
});

const cases: readonly ['schedule' | 'worker', readonly Outage[]][] = [
  ['schedule', ['fast', 'killed']],
  ['worker', ['immediate', 'cut']],
];

test.each(cases)(
  '%s outlives a Postgres that goes away (%j), and brings every slice',
  async (command, list) => {
    const copy = await copies.clone(copies.empty);
    const databaseUrl = copy.url;
    await copy.rest();
    const history = await liveThrough(outages(postgres, command, list), {
      seed: 1,
      databaseUrl,
      keys,
      streams,
      expected,
    });
    expect(history.wrong).toEqual([]);
  },
);
