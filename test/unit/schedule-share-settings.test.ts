import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { createSharedSettings } from '../../src/jobs/schedule/share-settings.ts';
import { good, load } from '../support/config-fixtures.ts';

test('settings are stored once, after a change, and when another scheduler may have stored its own', async () => {
  let config = load(good);
  const stored: Config[] = [];
  const settings = createSharedSettings(
    () => config,
    async (one) => void stored.push(one),
  );
  expect(settings.haveChanged()).toBe(false);
  await settings.share();
  await settings.share();
  expect([stored.length, settings.haveChanged()]).toEqual([1, false]);
  config = load(good);
  expect(settings.haveChanged()).toBe(true);
  await settings.share();
  expect([stored.length, settings.haveChanged()]).toEqual([2, false]);
  settings.forget();
  expect(settings.haveChanged()).toBe(false);
  await settings.share();
  expect(stored).toHaveLength(3);
});
