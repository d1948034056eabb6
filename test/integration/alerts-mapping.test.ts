// Rules and the fields that they read: not mapped, mapped later, mapped elsewhere.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { day, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;

beforeEach(async () => {
  world = await watchClient({ bot: 'bloqueado' });
}, 60_000);

afterEach(() => world.database.drop());

const refused = () =>
  world.read(`select state from bi.alerts where rule = 'crawler_refused' order by alert_id`);
const map = (path: string | null) => refreshMapping(world.db, { 'crawl.status': path });
const raised = async () => (await world.check()).raised;

it('a rule whose field is there and not mapped begins anew once it is, in silence', async () => {
  await refreshViews(world.db);
  await map(null);
  expect(await raised()).toBe(0);
  const began = () =>
    world.read(`select distinct watched_since from sync.alert_watch where rule = 'crawler_refused'`);
  expect(await began()).toEqual([[day(0)]]);
  await world.publish(1, { bot: 'bloqueado' });
  await map('estado');
  expect(await raised()).toBe(0);
  expect(await began()).toEqual([[day(1)]]);
  expect(await refused()).toEqual([]);
});

it('what lasts does not end while its field is not mapped, and is not told again when it is', async () => {
  await world.publish(1, { bot: 'ok' });
  await raised();
  await world.publish(2, { bot: 'bloqueado' });
  expect(await raised()).toBe(1);
  await map(null);
  await world.publish(3, { bot: 'bloqueado' });
  expect(await raised()).toBe(0);
  expect(await refused()).toEqual([['open']]);
  await map('estado');
  await world.publish(4, { bot: 'bloqueado' });
  expect(await raised()).toBe(0);
  expect(await refused()).toEqual([['open']]);
});

it('a field that is found elsewhere begins its rule anew: what it says then is no news, and no recovery', async () => {
  await world.publish(1, { bot: 'ok' });
  await raised();
  await world.publish(2, { bot: 'bloqueado' });
  expect(await raised()).toBe(1);
  await map('dominio');
  await world.publish(3, { bot: 'bloqueado' });
  expect(await raised()).toBe(0);
  expect(await refused()).toEqual([['over']]);
  await map('estado');
  await world.publish(4, { bot: 'bloqueado' });
  expect(await raised()).toBe(0);
  expect(await refused()).toEqual([['over']]);
});
