// A scheduler and two workers as processes: one is killed, the other loses the connection of its lock. Everything is
// published once, as if nothing had happened. Longer, by seeds: test/workers/main.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBatch } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { readContents } from '../workers/contents.ts';
import { inShort } from '../workers/disturbances.ts';
import { liveThrough, world } from '../workers/history.ts';
import { startKeyedServer } from '../workers/keyed-server.ts';

const keys = ['key-1', 'key-2', 'key-3', 'key-4'];
const streams = ['prompts', 'sources', 'respuestas', 'citas'];
let calm: TestDatabase;
let disturbed: TestDatabase;

beforeAll(async () => {
  calm = await createTestDatabase();
  disturbed = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all([calm?.drop(), disturbed?.drop()]);
});

test('what workers publish does not depend on which of them die', async () => {
  const server = await startKeyedServer(keys, world);
  await runBatch({ pool: calm.pool, url: server.url, keys, streams });
  const expected = { contents: await readContents(calm.pool), requests: server.asked.length };
  await server.close();
  expect(expected.contents.size).toBe(keys.length * streams.length);
  const databaseUrl = disturbed.url;
  const history = await liveThrough(inShort, { seed: 1, databaseUrl, keys, streams, expected });
  expect(history.wrong).toEqual([]);
  expect(history.takenOver).toBeGreaterThan(0);
});
