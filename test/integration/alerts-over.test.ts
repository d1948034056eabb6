// How alerts that last end without figures, and which ones a weekly summary holds.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDigestFigures, readUndelivered } from '../../src/alerts/store/deliveries.ts';
import { countOpenAlerts, mute } from '../../src/alerts/store/list-alerts.ts';
import { publishRecords } from '../support/publish-records.ts';
import { day, defaultAlerts, ranks, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;

beforeEach(async () => {
  world = await watchClient();
  expect(await world.check()).toEqual({ raised: 0, broken: [] });
}, 60_000);

afterEach(() => world.database.drop());

describe('what lasts is over', () => {
  const states = () => world.read(`select rule, state, ended_date::text from bi.alerts order by rule`);
  beforeEach(async () => {
    await world.publish(1, { ranks: ranks(1, { 1: 50 }), bot: 'bloqueado' });
    expect(await world.check()).toMatchObject({ raised: 2 });
    expect(await countOpenAlerts(world.db)).toBe(2);
  });

  it('when its rule is switched off, and is the same alert when it is switched on', async () => {
    const off = { ...defaultAlerts.rules, crawler_refused: { on: false, threshold: undefined } };
    await world.check({ ...defaultAlerts, rules: off });
    expect(await states()).toEqual([
      ['crawler_refused', 'over', day(1)],
      ['rank_fell', 'open', null],
    ]);
    expect(await world.check()).toMatchObject({ raised: 0 });
    expect(await countOpenAlerts(world.db)).toBe(2);
  });

  it('when its client left, and begins anew when it comes back', async () => {
    const clients = (after: number, ...ids: string[]) =>
      publishRecords(world.db, {
        stream: 'clientes',
        runDate: day(after),
        records: ids.map((id) => ({ id, nombre: `Cliente ${id}` })),
      });
    for (const after of [2, 3, 4]) await clients(after, '8');
    await world.check();
    expect(await countOpenAlerts(world.db)).toBe(0);
    expect(await states()).toEqual([
      ['crawler_refused', 'over', day(2)],
      ['rank_fell', 'over', day(2)],
    ]);
    await world.publish(5, { ranks: ranks(5, { 1: 50, 5: 50 }), bot: 'bloqueado' });
    expect(await world.check()).toMatchObject({ raised: 0 });
  });
});

it('a client that rises in 7 days and falls in 28 has one open alert, by the larger move, which says both', async () => {
  const found = () => world.read(`select rule, state, title from bi.alerts order by alert_id`);
  const down = (state: string) => [
    'rank_fell',
    state,
    'AI Rank fell from 60 to 52 in 28 days, at least the configured 5 points (method v2); up 6 in the last 7 days',
  ];
  await world.publish(1, { ranks: ranks(1, { '-6': 46, 1: 52 }) });
  expect(await world.check()).toMatchObject({ raised: 1 });
  expect(await found()).toEqual([down('open')]);
  await world.publish(2, { ranks: ranks(2, { '-6': 46, '-5': 40, 1: 52, 2: 56 }) });
  expect(await world.check()).toMatchObject({ raised: 1 });
  expect(await found()).toEqual([
    down('over'),
    [
      'rank_rose',
      'open',
      'AI Rank rose from 40 to 56 in 7 days, at least the configured 5 points (method v2); still 4 below 28 days before',
    ],
  ]);
  expect(await world.check()).toMatchObject({ raised: 0 });
});

it('a weekly summary holds the seven days before its date, by the clock of the time zone', async () => {
  await world.publish(1, { bot: 'bloqueado' });
  await world.check();
  const countAt = async (raisedAt: string, timeZone: string) => {
    await world.database.pool.query('update sync.alert set raised_at = $1', [raisedAt]);
    const { alerts } = await readDigestFigures(
      world.db,
      { account: 'default', date: '2026-04-06' },
      timeZone,
    );
    return alerts.length;
  };
  expect(await countAt('2026-04-05T23:59:59Z', 'UTC')).toBe(1);
  expect(await countAt('2026-04-06T00:00:00Z', 'UTC')).toBe(0);
  expect(await countAt('2026-03-30T00:00:00Z', 'UTC')).toBe(1);
  expect(await countAt('2026-03-29T23:59:59Z', 'UTC')).toBe(0);
  expect(await countAt('2026-03-29T22:00:00Z', 'Europe/Madrid')).toBe(1);
  expect(await countAt('2026-04-05T22:00:00Z', 'Europe/Madrid')).toBe(0);
});

it('a channel that was down is not told what was seen, muted or back meanwhile', async () => {
  await world.publish(1, { ranks: ranks(1, { 1: 50 }), bot: 'bloqueado', verdict: 'falsa' });
  await world.check({ ...defaultAlerts, to: ['hook'] });
  const untold = async () => (await readUndelivered(world.db, 'hook', day(9))).map(({ rule }) => rule).sort();
  expect(await untold()).toEqual(['claim_false', 'crawler_refused', 'rank_fell']);
  const mark = (set: string, rule: string) =>
    world.database.pool.query(`update sync.alert set ${set} where rule = '${rule}'`);
  await mark('acknowledged_at = now()', 'claim_false');
  expect(await untold()).toEqual(['crawler_refused', 'rank_fell']);
  const muted = { account: 'default', rule: 'crawler_refused', clientId: '7' };
  await mute(world.db, { ...muted, until: day(9) });
  expect(await untold()).toEqual(['crawler_refused', 'rank_fell']);
  await mute(world.db, { ...muted, until: day(10) });
  expect(await untold()).toEqual(['rank_fell']);
  await mark(`ended_on = '${day(2)}', is_recovered = true`, 'rank_fell');
  expect(await untold()).toEqual([]);
});
