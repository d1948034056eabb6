import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.drop(), second.drop()]);
});

test('a test database has the schema of the warehouse', async () => {
  const { rows } = await first.pool.query<{ table: string }>(
    `select relname as table from pg_class where oid = to_regclass('snapshot.record')`,
  );
  expect(rows).toEqual([{ table: 'record' }]);
});

test('two test databases do not see each other', async () => {
  await first.pool.query('create table only_here ()');
  const { rows } = await second.pool.query(`select to_regclass('only_here') as found`);
  expect(rows).toEqual([{ found: null }]);
});

test('an empty test database has no schema of the warehouse', async () => {
  const empty = await createEmptyTestDatabase();
  const { rows } = await empty.pool.query(`select to_regnamespace('snapshot') as found`);
  await empty.drop();
  expect(rows).toEqual([{ found: null }]);
});

test('a dropped test database is gone', async () => {
  const third = await createTestDatabase();
  await third.drop();
  const name = new URL(third.url).pathname.slice(1);
  const { rows } = await first.pool.query('select from pg_database where datname = $1', [name]);
  expect(rows).toEqual([]);
});
