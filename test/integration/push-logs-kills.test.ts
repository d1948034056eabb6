// Pushes that are killed at moments drawn from a seed, while their logs grow and rotate: what came is what the books say.
// Longer: test/writes/main.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { liveThroughKills } from '../writes/kill-history.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test('a push that dies at any step sends no line twice and loses none', async () => {
  const { url: databaseUrl, pool } = database;
  const lived = await liveThroughKills({ databaseUrl, pool, seed: 8, kills: 4, form: 'combined' });
  expect(lived.wrong).toEqual([]);
  expect(lived.linesReceived).toBe(lived.linesAccepted + lived.unknownLinesArrived);
});
