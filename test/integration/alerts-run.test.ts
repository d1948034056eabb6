// One look for alerts: whose figures are judged and summed up, and where it ends early.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AlertsDeps, runAlerts } from '../../src/alerts/run-alerts.ts';
import { weekdays } from '../../src/config/alert-rules.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createDatabase } from '../../src/db/database.ts';
import { load, silent } from '../support/config-fixtures.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  const db = createDatabase(database.pool);
  for (const account of ['agency', 'former']) {
    await publishRecords(db, {
      stream: 'clientes',
      account,
      runDate: '2026-04-03',
      records: [{ id: '7', nombre: 'Siete' }],
    });
    await database.pool.query(
      `insert into sync.alert_watch (account, rule, client_id, watched_since, mapping)
       select $1, rule, '7', '2020-01-01', 'x' from unnest(array['rank_fell', 'page_lost']) as rule`,
      [account],
    );
  }
});
afterEach(() => database.drop());

/** One rule is off, and today is the day of the weekly summary. */
function depsOf(env: NodeJS.ProcessEnv): AlertsDeps {
  const config = load(env, {}, { needAccounts: false });
  const rules = { ...config.alerts.rules, rank_fell: { on: false, threshold: 5 } };
  const digest = weekdays[new Date().getUTCDay()] ?? 'never';
  return {
    config: {
      ...config,
      timeZone: 'UTC',
      accounts: config.accounts.map((account) => ({ ...account, name: 'agency' })),
      alerts: { ...config.alerts, to: ['AIRANK_WEBHOOK_URL'], digest, rules },
    },
    db: createDatabase(database.pool),
    pool: database.pool,
    clock: systemClock,
    logger: silent,
    scrub: (text) => text,
  };
}

const accountsIn = async (table: string) => {
  const text = `select distinct account from ${table} order by 1`;
  return (await database.pool.query<{ account: string }>(text)).rows.map(({ account }) => account);
};

it('judges and sums up the accounts of the configuration only', async () => {
  await runAlerts(depsOf({ AIRANK_API_KEY: 'a-key', AIRANK_BASE_URL: 'http://127.0.0.1:1' }), {
    check: true,
  });
  expect(await accountsIn(`sync.alert_watch where rule = 'rank_fell'`)).toEqual(['former']);
  expect(await accountsIn(`sync.delivery where kind = 'digest'`)).toEqual(['agency']);
});

it('judges every account with data where the configuration has none', async () => {
  await runAlerts(depsOf({}), { check: true });
  expect(await accountsIn(`sync.alert_watch where rule = 'rank_fell'`)).toEqual([]);
  expect(await accountsIn(`sync.delivery where kind = 'digest'`)).toEqual(['agency', 'former']);
});

it.each(['a stop', 'the loss of its lock'])('begins no message after %s', async (what) => {
  await database.pool.query(
    `with a as (
      insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      select 'agency', '', 'page_lost', n::text, '2026-01-01', 'warning', 'Lost', false, false
      from generate_series(1, 150) as n returning account, id
    ) insert into sync.delivery (account, kind, about, channel) select account, 'alert', id::text, 'AIRANK_WEBHOOK_URL' from a`,
  );
  const stop = new AbortController();
  const ends = `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;
  const hook = await startLoopbackServer(async (_, response) => {
    if (what === 'a stop') stop.abort();
    else await database.pool.query(ends);
    response.end();
  });
  try {
    const deps = { ...depsOf({ AIRANK_WEBHOOK_URL: hook.url }), signal: stop.signal };
    expect(await runAlerts(deps, { check: false })).toMatchObject({ sent: 1, failed: [] });
    const told = 'select count(*)::integer as n from sync.delivery where told_at is not null';
    expect((await database.pool.query<{ n: number }>(told)).rows).toEqual([{ n: 100 }]);
    expect(hook.requests).toHaveLength(1);
  } finally {
    await hook.close();
  }
});
