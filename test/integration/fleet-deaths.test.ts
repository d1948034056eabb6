// Workers that are killed, cut off and frozen between any two statements: one account is never worked on by two, whoever
// was given up writes nothing more, and no account is left out. Many more of them: npm run fleet.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulate } from '../fleet/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test('every account run is done once, by one worker at a time, whoever dies in between', async () => {
  const { wrong, kills } = await simulate(database.url, { seed: 1, kills: 12 });
  expect(wrong).toEqual([]);
  expect(kills).toBe(12);
});
