// One look for alerts: whose figures are judged and summed up, where it ends early, and many alerts at once, which are
// told in portions, each noted as soon as a channel took it.
import { beforeEach, expect, it } from 'vitest';
import { type AlertsDeps, dueMessages, runAlerts } from '../../src/alerts/run-alerts.ts';
import { weekdays } from '../../src/config/alert-rules.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import type { Message } from '../../src/mail/channels.ts';
import { deliver } from '../../src/mail/deliver.ts';
import { load, silent } from '../support/config-fixtures.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { publishRecords } from '../support/publish-records.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
let sent: Message[];
let logged: Record<string, unknown>[];

beforeEach(async () => {
  [sent, logged] = [[], []];
});

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
    db: database.db,
    pool: database.pool,
    clock: systemClock,
    logger: silent,
    scrub: (text) => text,
  };
}

const untold = (count: number, channel: string, title = 'It fell') =>
  database.rows(
    `with a as (
      insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      select 'agency', '', 'rank_fell', n::text, '2026-01-01', 'warning', $2, true, false
      from generate_series(1, $1::integer) as n returning account, id
    ) insert into sync.delivery (account, kind, about, channel) select account, 'alert', id::text, $3 from a`,
    ...[count, title, channel],
  );

it.each([
  [
    'the accounts of the configuration only',
    { AIRANK_API_KEY: 'a-key', AIRANK_BASE_URL: 'http://127.0.0.1:1' },
  ],
  ['every account with data where the configuration has none', {}],
])('judges and sums up %s', async (_, env) => {
  for (const account of ['agency', 'former']) {
    const records = [{ id: '7', nombre: 'Siete' }];
    await publishRecords(database.db, { stream: 'clientes', account, runDate: '2026-04-03', records });
  }
  await database.rows(
    `insert into sync.alert_watch (account, rule, client_id, watched_since, mapping)
     select account, rule, '7', '2020-01-01', 'x' from unnest('{agency,former}'::text[]) as account, unnest('{rank_fell,page_lost}'::text[]) as rule`,
  );
  await runAlerts(depsOf(env), { check: true });
  const off = `select account from sync.alert_watch where rule = 'rank_fell'`;
  expect(await database.lines(off)).toEqual('AIRANK_API_KEY' in env ? ['former'] : []);
  const summed = `select account from sync.delivery where kind = 'digest' order by 1`;
  expect(await database.lines(summed)).toEqual('AIRANK_API_KEY' in env ? ['agency'] : ['agency', 'former']);
});

it.each(['a stop', 'the loss of its lock'])(
  'begins no message after %s, and notes the one under way',
  async (what) => {
    await untold(150, 'AIRANK_WEBHOOK_URL');
    const stop = new AbortController();
    const ends = `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;
    const hook = await startLoopbackServer(async (_, response) => {
      if (what === 'a stop') stop.abort();
      else await database.rows(ends);
      response.end();
    });
    try {
      const deps = { ...depsOf({ AIRANK_WEBHOOK_URL: hook.url }), signal: stop.signal };
      expect(await runAlerts(deps, { check: false })).toMatchObject({ sent: 1, failed: [] });
      expect(await database.lines('select count(told_at) from sync.delivery')).toEqual(['100']);
      expect(hook.requests).toHaveLength(1);
    } finally {
      await hook.close();
    }
  },
);

const logger = createLogger({
  level: 'info',
  format: 'json',
  secrets: [],
  write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>),
});

const tellHook = (answer: (message: Message) => string | undefined = () => undefined) => {
  const send = (message: Message) => {
    sent.push(message);
    return Promise.resolve(answer(message));
  };
  const config = { timeZone: 'UTC', language: 'en' } as const;
  const deps = { db: database.db, clock: systemClock, logger, config };
  return deliver([{ name: 'hook', kind: 'webhook', send }], {
    logger,
    due: (channel) => dueMessages(deps, ['agency'], channel),
  });
};

const idsOf = ({ json }: Message) => (json['alerts'] as { id: number }[]).map(({ id }) => id);

it('a message holds at most 100 alerts, fewer where their texts are long, and every alert is in one', async () => {
  await untold(230, 'hook');
  expect(await tellHook()).toEqual({ sent: 3, failed: [] });
  expect(sent.map(({ lines }) => lines.length)).toEqual([100, 100, 30]);
  expect(new Set(sent.flatMap(idsOf)).size).toBe(230);
  expect(await tellHook()).toEqual({ sent: 0, failed: [] });
  await database.rows('delete from sync.alert');
  await untold(5, 'hook', 'x'.repeat(40_000));
  await tellHook();
  expect(sent.slice(3).map((message) => idsOf(message).length)).toEqual([2, 2, 1]);
});

it('what was taken is not told again when the next portion is refused, and the refused one holds up no other', async () => {
  await untold(250, 'hook');
  const refuse = (message: Message) => (idsOf(message).includes(101) ? 'it answered 413' : undefined);
  const failed = [{ channel: 'hook', error: 'it answered 413' }];
  expect(await tellHook(refuse)).toEqual({ sent: 1, failed });
  await database.rows(`update sync.delivery set attempted_at = now() - interval '2 hours'`);
  expect(await tellHook(refuse)).toEqual({ sent: 1, failed });
  expect(sent.map((message) => [idsOf(message)[0], idsOf(message).length].join())).toEqual([
    '1,100',
    '101,100',
    '201,50',
    '101,100',
  ]);
});

it('after a week what was not taken is given up, once, with the last reason', async () => {
  await untold(2, 'hook');
  await tellHook(() => 'it answered 413');
  await database.rows(`update sync.alert set raised_at = now() - interval '8 days'`);
  await tellHook();
  await tellHook();
  expect(sent).toHaveLength(1);
  expect(logged.filter(({ event }) => event === 'alerts.given_up')).toMatchObject([
    { channel: 'hook', alerts: 2, error: 'Given up after 7 days: it answered 413' },
  ]);
});
