// Which points of each client the tiles of the portfolio show over a long period.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chartStatement } from '../../src/reporting/reader/statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    create schema mine;
    create table mine.rank_trend (account text, client_id text, date date, method text, method_score numeric);
    create table mine.clients
      (account text, client_id text, client_key text, client_name text, is_account bool, left_on date);
    insert into mine.clients
      select 'a', id, 'a/' || id, id, false, null from unnest('{weekly,monthly,later,none}'::text[]) as id;
    insert into mine.rank_trend
      select 'a', 'weekly', d::date, 'v2', 50 from generate_series('2026-06-01'::timestamp, '2026-11-16', '7 days') as d
      union all
      select 'a', 'monthly', d::date, 'v2', 50 from generate_series('2026-06-05'::timestamp, '2026-11-05', '1 month') as d
      union all
      select 'a', 'later', d::date, 'v2', 50 from generate_series('2026-08-04'::timestamp, '2026-11-22', '1 day') as d`);
});

afterAll(async () => {
  await database.drop();
});

async function pointsFrom(from: string) {
  const { text, values } = chartStatement('portfolio-tiles', {
    account: 'a',
    clientId: '',
    from,
    to: '2026-11-22',
  });
  const { rows } = await database.pool.query<{ client_name: string; date: string }>(
    `select client_name, date::text from (${text.replaceAll('bi.', 'mine.')}) as t where score is not null`,
    values,
  );
  return (name: string) => rows.flatMap((row) => (row.client_name === name ? [row.date] : []));
}

it('shows the first and the last point of each client, and its own last one of each week between', async () => {
  const points = await pointsFrom('2026-06-01');
  expect(points('weekly')).toHaveLength(25);
  expect([points('weekly')[0], points('weekly').at(-1)]).toEqual(['2026-06-01', '2026-11-16']);
  expect(points('monthly')).toEqual([
    '2026-06-05',
    '2026-07-05',
    '2026-08-05',
    '2026-09-05',
    '2026-10-05',
    '2026-11-05',
  ]);
  expect(points('later').slice(0, 2)).toEqual(['2026-08-04', '2026-08-09']);
  expect(points('later').at(-1)).toBe('2026-11-22');
  expect(points('none')).toEqual([]);
});

it('shows every point of 90 days, and one in four weeks past 400', async () => {
  expect((await pointsFrom('2026-08-25'))('later')).toHaveLength(90);
  const years = await pointsFrom('2024-01-01');
  expect(years('later')).toEqual(['2026-08-04', '2026-08-30', '2026-09-27', '2026-10-25', '2026-11-22']);
  expect(years('monthly')[0]).toBe('2026-06-05');
});
