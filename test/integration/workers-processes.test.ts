// A scheduler and workers as processes: one worker is killed, the other loses the connection of its lock; Postgres restarts,
// crashes and drops its connections. Everything is published once, as if nothing had happened, and nobody is blamed. Longer,
// by seeds: test/workers/main.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestartablePostgres, startRestartablePostgres } from '../support/restartable-postgres.ts';
import { runBatch } from '../support/sync-in-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { type Copies, createCopies } from '../torture/copies.ts';
import { readContents } from '../workers/contents.ts';
import { inShort } from '../workers/disturbances.ts';
import { type Disturbance, type History, liveThrough, world } from '../workers/history.ts';
import { startKeyedServer } from '../workers/keyed-server.ts';
import { outages } from '../workers/restarts.ts';

const keys = ['key-1', 'key-2', 'key-3'];
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
  expect(expected.contents.size).toBe(keys.length * streams.length);
  await server.close();
  await calm.drop();
});
afterAll(async () => {
  await copies?.dropAll();
  await postgres?.close();
});

test.each<[string, () => Disturbance, number]>([
  ['workers die', () => inShort, 1],
  ['all lose their Postgres', () => outages(postgres, 'worker', ['fast', 'killed', 'cut']), 0],
  ['a scheduler that works alone loses its Postgres', () => outages(postgres, 'schedule', ['killed']), 0],
])('where %s every slice is published once', async (_, disturbance, leastTakenOver) => {
  const { url: databaseUrl, rest } = await copies.clone(copies.empty);
  await rest();
  const options = { seed: 1, databaseUrl, keys, streams, expected };
  const { wrong, takenOver } = await liveThrough(disturbance(), options);
  expect(wrong).toEqual([]);
  expect(takenOver).toBeGreaterThanOrEqual(leastTakenOver);
});
