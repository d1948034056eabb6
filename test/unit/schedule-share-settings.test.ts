import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { createSharedSettings } from '../../src/jobs/schedule/share-settings.ts';
import { good, load } from '../support/config-fixtures.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

let clock: VirtualClock;
const end = new AbortController();
beforeEach(() => {
  clock = createVirtualClock(0);
});
afterEach(() => clock.restore());

function create() {
  let config: Config = load(good);
  const stored: Config[] = [];
  const settings = createSharedSettings({
    clock,
    config: () => config,
    store: async (one) => void stored.push(one),
  });
  return {
    settings,
    stored,
    change: () => {
      config = load(good);
    },
  };
}

test('settings that change are told within five seconds, until they are shared', async () => {
  let rings = 0;
  const { settings, change } = create();
  await settings.share();
  void settings.watch(() => {
    rings += 1;
  }, end.signal);
  await clock.runUntil(20_000);
  expect(rings).toBe(0);
  change();
  await clock.runUntil(25_000);
  expect(rings).toBe(1);
  await settings.share();
  await clock.runUntil(60_000);
  expect(rings).toBe(1);
});

test('settings are stored once, and again when another scheduler may have stored its own', async () => {
  const { settings, stored } = create();
  await settings.share();
  await settings.share();
  expect(stored).toHaveLength(1);
  settings.forget();
  await settings.share();
  expect(stored).toHaveLength(2);
});
