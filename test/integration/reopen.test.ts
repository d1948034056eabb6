// airank budget --reopen: a closed key grants again, and what a wrong refusal told of the day is forgotten.
import { beforeEach, expect, it } from 'vitest';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { nobody } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();

beforeEach(() =>
  database.pool.query(
    'truncate sync.budget, sync.budget_hour, sync.budget_minute, sync.budget_account, sync.budget_other_users',
  ),
);
const run = (...args: string[]) =>
  airank(['budget', ...args], { cwd: folder, env: { DATABASE_URL: database.url, ...nobody } });

function ledger() {
  const limits = new Map([['default', { perDay: 100, reservePercent: 0 }]]);
  return createLedger(database.db, {
    limits,
    dayRenewsAtMinutes: 0,
    learnDayRenewal: true,
    sendWithinMs: 10_000,
  });
}

const take = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      ledger().take({ account: 'default', stream: 'airank', purpose: 'job', perMinute: 1_000 }),
    ),
  );

it.each(['day', 'pause', 'minute'] as const)('grants again after a refusal (%s)', async (scope) => {
  await ledger().block('default', scope, 7_200_000);
  expect(await take(1)).toMatchObject([{ granted: false }]);
  const said = await run('--reopen', 'default');
  expect(said).toMatchObject({ exitCode: 0, stderr: '' });
  expect(said.stdout).toMatch(
    /^Opened the key of account default, which was closed until \d+ [A-Z][a-z]+ \d\d:\d\d \(UTC\)\.\nWhat waits goes on with: airank sync\n$/,
  );
  expect(await take(1)).toMatchObject([{ granted: true }]);
});

it('says that there is nothing to open, before the first refusal and after the last', async () => {
  const said = await run('--reopen', 'default');
  expect(said).toMatchObject({
    exitCode: 0,
    stdout: 'The key of account default is not closed: there is nothing to open.\n',
  });
  await take(1);
  expect(JSON.parse((await run('--reopen', 'default', '--json')).stdout)).toEqual({
    account: 'default',
    opened: false,
    closed_until: null,
    forgotten_renewal: null,
  });
});

it('refuses an account that is not there, with the nearest name', async () => {
  const said = await run('--reopen', 'defualt');
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toContain(
    'Expected --reopen to be one of default, got "defualt". Did you mean default?',
  );
  expect((await run('--reopen', 'zzzzzzzz')).stderr).not.toContain('Did you mean');
});

it('forgets the renewal that the same refusal told, and counts the day as before', async () => {
  await take(20);
  await database.pool.query(
    `insert into sync.budget_hour values ('default', (now() at time zone 'UTC')::date, date_trunc('hour', now()), '', 'other_users', 7)`,
  );
  const before = await state();
  await ledger().block('default', 'day', 7_200_000);
  expect(await database.lines('select renews from sync.budget_account')).not.toEqual(['-']);
  const said = JSON.parse((await run('--reopen', 'default', '--json')).stdout);
  const renewal = expect.stringMatching(/^\d\d:\d\d$/);
  expect(said).toMatchObject({ account: 'default', opened: true, forgotten_renewal: renewal });
  expect(Math.abs(Date.parse(said.closed_until) - Date.now() - 7_200_000)).toBeLessThan(60_000);
  expect(await state()).toEqual(before);
  expect(await take(1)).toMatchObject([{ granted: true, remainingToday: 79 }]);
});

it('keeps a renewal that a later refusal told again', async () => {
  await take(20);
  await ledger().block('default', 'day', 7_200_000);
  await database.pool.query(
    `update sync.budget_account set renews_learned_at = renews_learned_at - interval '1 day'`,
  );
  const said = await run('--reopen', 'default');
  expect(said.stdout).toContain('Opened the key');
  expect(said.stdout).not.toContain('renews');
  expect(await database.lines('select renews from sync.budget_account')).not.toEqual(['-']);
});

/** Requests by day, hour and purpose, and what is known of the key; days without any left out. */
const state = async () => [
  await database.rows('select day, used from sync.budget where used > 0 order by day'),
  await database.rows('select day, hour, purpose, requests from sync.budget_hour order by 1, 2, 3'),
  await database.rows('select renews, renews_learned_at, day_closed_until from sync.budget_account'),
];
