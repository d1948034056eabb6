// Settings that change while a process runs, and those that workers share with the scheduler.
import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSettings } from '../../src/cli/context.ts';
import { type LiveSettings, liveSettings } from '../../src/cli/settings.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Config } from '../../src/config/config.ts';
import {
  createSharedSettings,
  differences,
  digestOf,
  sharedValues,
} from '../../src/jobs/schedule/share-settings.ts';
import { load } from '../support/config-fixtures.ts';
import { eachFolder } from '../support/temp-folder.ts';

const folder = eachFolder();
let live: LiveSettings;
let said: string;

function configure(names: readonly string[], more = '') {
  const accounts = names.map((name) => `  - { name: ${name}, api_key_file: ${name}.key }\n`).join('');
  return writeFile(folder('airank.config.yaml'), `accounts:\n${accounts}${more}`);
}
const setKey = (name: string, key: string) => writeFile(folder(`${name}.key`), `${key}\n`, { mode: 0o600 });
const later = () => vi.setSystemTime(Date.now() + 6_000);
const keys = () => live.current().config.accounts.map(({ name, apiKey }) => `${name} ${apiKey.reveal()}`);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await setKey('north', 'first-key-of-north');
  await configure(['north']);
  said = '';
  const stderr = new PassThrough();
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const stream = stderr as unknown as NodeJS.WriteStream;
  const env = { AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_LOG_FORMAT: 'json' };
  const { signal } = new AbortController();
  const terminal: Terminal = { env, cwd: folder(), stdout: stream, stderr: stream, signal };
  live = liveSettings(terminal, readSettings(terminal, { needAccounts: true }));
});
afterEach(async () => {
  vi.useRealTimers();
});

test('keys that are rotated and accounts that are added are read again without a restart', async () => {
  expect(keys()).toEqual(['north first-key-of-north']);
  await setKey('north', 'second-key-of-north');
  await setKey('south', 'only-key-of-south');
  await configure(['north', 'south']);
  // Not for every request: what was read stays fresh for some seconds.
  expect(keys()).toEqual(['north first-key-of-north']);
  later();
  expect(keys()).toEqual(['north second-key-of-north', 'south only-key-of-south']);
  expect(said).toContain('settings.changed');
  live.first.logger.warn({ event: 'x', text: 'with first-key-of-north and only-key-of-south' });
  expect(said).not.toMatch(/first-key|second-key|only-key/);
});

test('the same files are the same settings, so that nothing is compared again', () => {
  const before = live.current();
  later();
  expect(live.current()).toBe(before);
  expect(said).toBe('');
});

test('files that are not valid any more change nothing, and are told once', async () => {
  await configure(['north'], 'per_minutes: 60\n');
  later();
  expect(keys()).toEqual(['north first-key-of-north']);
  later();
  live.current();
  expect(said.match(/settings.invalid/g)).toHaveLength(1);
  expect(said).toContain('per_minutes');
  await configure(['north'], 'per_minute: 30\n');
  later();
  expect(live.current().config.accounts[0]?.perMinute).toBe(30);
});

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

  test('say what is missing on which side', () => {
    const one = sharedValues(configOf(), 'salt');
    const both = { ...one, 'account south': '{}' };
    expect(differences(both, one)).toEqual(['account south (missing here)']);
    expect(differences(one, both)).toEqual(['account south']);
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
