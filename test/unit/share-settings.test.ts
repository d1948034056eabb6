import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import {
  createSharedSettings,
  differences,
  digestOf,
  sharedValues,
} from '../../src/jobs/schedule/share-settings.ts';
import { load } from '../support/config-fixtures.ts';

const secret = 'secret-key-of-north-42';

function configOf(env: Record<string, string> = {}): Config {
  return load({ AIRANK_BASE_URL: 'https://api.example', AIRANK_API_KEY: secret, ...env });
}

const named = (env: Record<string, string>) =>
  differences(sharedValues(configOf(), 'salt'), sharedValues(configOf(env), 'salt'));

describe('settings that workers share with the scheduler', () => {
  test('are the same wherever the process runs', () => {
    const place = { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', AIRANK_DATA_DIR: '/elsewhere' };
    const own = { ...place, AIRANK_HTTP_PORT: '9999', AIRANK_LOG_LEVEL: 'debug' };
    expect(named(own)).toEqual([]);
    expect(digestOf(sharedValues(configOf(own), 'salt'))).toBe(digestOf(sharedValues(configOf(), 'salt')));
  });

  test.each([
    [{ AIRANK_API_KEY: 'another-key-of-north-42' }, 'account default'],
    [{ AIRANK_BASE_URL: 'https://other.example' }, 'account default'],
    [{ AIRANK_PER_MINUTE: '30' }, 'account default'],
    [{ AIRANK_TIMEZONE: 'Europe/Madrid' }, 'timeZone'],
    [{ AIRANK_LANGUAGE: 'es' }, 'language'],
    [{ AIRANK_SMTP_URL: 'smtp://u:pw-1234567@127.0.0.1', AIRANK_MAIL_FROM: 'a@b.example' }, 'smtp'],
  ])('differ by %j', (env, name) => {
    expect(named(env)).toEqual([name]);
  });

  test('hold no secret, and hashes that only the salt of the warehouse makes', () => {
    const smtp = { AIRANK_SMTP_URL: 'smtp://u:pw-1234567@127.0.0.1', AIRANK_MAIL_FROM: 'a@b.example' };
    const text = JSON.stringify(sharedValues(configOf(smtp), 'salt'));
    expect(text).not.toContain(secret);
    expect(text).not.toContain('pw-1234567');
    expect(text).not.toContain('[secret]');
    expect(sharedValues(configOf(), 'salt')['account default']).not.toBe(
      sharedValues(configOf(), 'other')['account default'],
    );
  });
});

test('settings are stored once, after a change, and when another scheduler may have stored its own', async () => {
  let config = configOf();
  const stored: Config[] = [];
  const settings = createSharedSettings(
    () => config,
    async (one) => void stored.push(one),
  );
  expect(settings.haveChanged()).toBe(false);
  await settings.share();
  await settings.share();
  expect([stored.length, settings.haveChanged()]).toEqual([1, false]);
  config = configOf();
  expect(settings.haveChanged()).toBe(true);
  await settings.share();
  expect([stored.length, settings.haveChanged()]).toEqual([2, false]);
  settings.forget();
  expect(settings.haveChanged()).toBe(false);
  await settings.share();
  expect(stored).toHaveLength(3);
});
