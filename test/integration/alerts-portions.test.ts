// Many alerts at once: told in portions, each of which is noted as soon as a channel took it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dueMessages } from '../../src/alerts/run-alerts.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createDatabase } from '../../src/db/database.ts';
import type { Channel, Message } from '../../src/mail/channels.ts';
import { deliver } from '../../src/mail/deliver.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let sent: Message[];
let logged: Record<string, unknown>[];

beforeEach(async () => {
  database = await createTestDatabase();
  sent = [];
  logged = [];
});
afterEach(() => database.drop());

const logger = createLogger({
  level: 'info',
  format: 'json',
  secrets: [],
  write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>),
});

const untold = (count: number, title = 'It fell') =>
  database.pool.query(
    `with a as (
      insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      select 'agency', '', 'rank_fell', n::text, '2026-01-01', 'warning', $2, true, false
      from generate_series(1, $1::integer) as n returning account, id
    ) insert into sync.delivery (account, kind, about, channel) select account, 'alert', id::text, 'hook' from a`,
    [count, title],
  );

const tellHook = (
  answer: (message: Message) => string | undefined = () => undefined,
  maySend = () => true,
) => {
  const hook: Channel = {
    name: 'hook',
    kind: 'webhook',
    send: (message) => {
      sent.push(message);
      return Promise.resolve(answer(message));
    },
  };
  const db = createDatabase(database.pool);
  const deps = { db, clock: systemClock, logger, config: { timeZone: 'UTC', language: 'en' } } as const;
  return deliver([hook], {
    logger,
    due: (channel) => dueMessages(deps, ['agency'], channel),
    maySend: () => Promise.resolve(maySend()),
  });
};

const idsOf = ({ json }: Message) => (json['alerts'] as { id: number }[]).map(({ id }) => id);

it('a message holds at most 100 alerts, and every alert is in one', async () => {
  await untold(230);
  expect(await tellHook()).toEqual({ sent: 3, failed: [] });
  expect(sent.map(({ lines }) => lines.length)).toEqual([100, 100, 30]);
  expect(new Set(sent.flatMap(idsOf)).size).toBe(230);
  expect(await tellHook()).toEqual({ sent: 0, failed: [] });
});

it('a message holds fewer alerts where their texts are long', async () => {
  await untold(5, 'x'.repeat(40_000));
  await tellHook();
  expect(sent.map((message) => idsOf(message).length)).toEqual([2, 2, 1]);
});

it('what was taken is not told again when the next portion is refused, and the refused one holds up no other', async () => {
  await untold(250);
  const refuse = (message: Message) => (idsOf(message).includes(101) ? 'it answered 413' : undefined);
  expect(await tellHook(refuse)).toEqual({
    sent: 1,
    failed: [{ channel: 'hook', error: 'it answered 413' }],
  });
  await database.pool.query(`update sync.delivery set attempted_at = now() - interval '2 hours'`);
  expect(await tellHook(refuse)).toMatchObject({ sent: 1, failed: [{ channel: 'hook' }] });
  expect(sent.map((message) => [idsOf(message)[0], idsOf(message).length])).toEqual([
    [1, 100],
    [101, 100],
    [201, 50],
    [101, 100],
  ]);
});

it('after a week what was not taken is given up, once, with the last reason', async () => {
  await untold(2);
  await tellHook(() => 'it answered 413');
  await database.pool.query(`update sync.alert set raised_at = now() - interval '8 days'`);
  await tellHook();
  await tellHook();
  expect(sent).toHaveLength(1);
  expect(logged.filter(({ event }) => event === 'alerts.given_up')).toMatchObject([
    { channel: 'hook', alerts: 2, error: 'Given up after 7 days: it answered 413' },
  ]);
});

it('begins no message once it may not send, and the one under way is noted', async () => {
  await untold(250);
  expect(await tellHook(undefined, () => sent.length < 2)).toEqual({ sent: 2, failed: [] });
  expect(await tellHook()).toEqual({ sent: 1, failed: [] });
  expect(new Set(sent.flatMap(idsOf)).size).toBe(250);
});
