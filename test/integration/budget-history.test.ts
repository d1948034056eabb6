// Who spent the requests of many days, as airank budget --history tells it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budgetHistoryLines } from '../../src/cli/commands/budget-command.ts';
import { createDatabase } from '../../src/db/database.ts';
import { type BudgetHistory, readBudgetHistory } from '../../src/store/budget/budget-report.ts';
import { airank } from '../support/fake-terminal.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let days: readonly string[];
let history: BudgetHistory;

beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ day: string }>(
    `select (now() at time zone 'UTC')::date - n as day from generate_series(0, 9) as n`,
  );
  days = rows.map(({ day }) => day);
  await database.pool.query(`
    insert into sync.budget (account, day, used)
    select 'default', (now() at time zone 'UTC')::date - n, used from (values (0, 100), (1, 300), (9, 50)) as v (n, used);
    insert into sync.budget_hour (account, day, hour, stream, purpose, requests)
    select 'default', (now() at time zone 'UTC')::date - n, date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - n * interval '1 day' + h * interval '1 hour', stream, purpose, requests
    from (values (0, 1, 'airank', 'job', 60), (0, 1, 'citas', 'job', 30), (0, 2, 'doctor', 'people', 10),
      (0, 3, 'others', 'stranger', 7), (1, 1, 'citas', 'job', 200), (1, 2, 'citas', 'job', 100), (9, 1, 'airank', 'job', 50)
    ) as v (n, h, stream, purpose, requests);
    insert into sync.batch (id, job, status) overriding system value values (1, 'daily', 'complete'), (2, 'watch', 'complete'), (3, 'daily', 'running');
    insert into sync.run (account, id, batch_id, run_date, status, summary, started_at) overriding system value values
      ('default', 1, 1, current_date, 'complete', '{"requests": 40}', now()),
      ('default', 2, 2, current_date, 'complete', '{"requests": 20}', now()),
      ('default', 3, 3, current_date, 'running', null, now() - interval '1 day'),
      ('south', 4, 1, current_date, 'complete', '{"requests": 999}', now());
    insert into sync.slice (stream, account, run_date, status, run_id, requests) values
      ('citas', 'default', current_date, 'complete', 3, 170), ('airank', 'default', current_date, 'complete', 3, 30)`);
  const settings = { dayRenewsAtMinutes: 0, learnDayRenewal: false };
  history = await readBudgetHistory(createDatabase(database.pool), 'default', settings, 7);
});
afterAll(() => database?.drop());

describe('the history of a budget', () => {
  test('counts the days that are asked for, by who asked', () => {
    const [today, yesterday] = days;
    expect(history.since).toBe(days[6]);
    expect(history.days).toEqual([
      { day: today, used: 100, jobs: 90, people: 10, strangers: 7 },
      { day: yesterday, used: 300, jobs: 300, people: 0, strangers: 0 },
    ]);
  });

  test('counts streams by day, the most expensive first, without what others took', () => {
    expect(
      history.streams.map(({ stream, requests, most_in_a_day: most }) => [stream, requests, most]),
    ).toEqual([
      ['citas', 330, 300],
      ['airank', 60, 60],
      ['doctor', 10, 10],
    ]);
    expect(history.streams[0]?.by_day).toEqual({ [days[0] ?? '']: 30, [days[1] ?? '']: 300 });
  });

  test('counts jobs by what their runs made, one that did not end by its slices, and no other account', () => {
    expect(history.jobs.map(({ job, runs, requests }) => [job, runs, requests])).toEqual([
      ['daily', 2, 240],
      ['watch', 1, 20],
    ]);
    expect(history.jobs[0]?.by_day).toEqual({ [days[0] ?? '']: 40, [days[1] ?? '']: 200 });
  });

  test('says who spends most, and what no run tells', () => {
    const lines = budgetHistoryLines({ account: 'default', per_day: 5_000, ...history }, 80);
    expect(lines.join(' ')).toContain(
      `Account default: 400 requests since ${days[6]}, on 2 days. Most by daily (60 %), for citas (83 %), on ${days[1]} (300 of 5,000).`,
    );
    expect(lines.find((line) => line.includes('(no run)'))).toMatch(/140 +35 %$/);
    expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  });
});

test('the command prints it, as JSON too, and refuses days that are none', async () => {
  const env = {
    DATABASE_URL: database.url,
    AIRANK_BASE_URL: 'http://127.0.0.1:9',
    AIRANK_API_KEY: 'test-key-123456',
  };
  const run = (args: string) => airank(args.split(' '), { cwd: '/nowhere', env });
  const wrong = await run('budget --history --days 0');
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('Expected --days to be an integer from 1 to 3650, got "0"');
  const said = JSON.parse((await run('budget --history --days 30 --json')).stdout);
  expect(said.accounts).toHaveLength(1);
  expect((await run('budget --history')).stdout).toMatch(/^Account default: 450 requests since /);
});
