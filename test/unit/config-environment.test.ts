import { describe, expect, test } from 'vitest';
import { secretsOf } from '../../src/config/secrets-of.ts';
import { cases } from '../support/cases.ts';
import { cwd, faultsOf, good, load } from '../support/config-fixtures.ts';

describe('configuration from the environment', () => {
  test('has a default for all but key and address', () => {
    const config = load(good);
    expect(config).toMatchObject({ databaseUrl: undefined, dataDir: `${cwd}/.airank`, timeZone: 'UTC' });
    expect(config.accounts).toHaveLength(1);
    expect(config.accounts[0]).toMatchObject({
      name: 'default',
      perMinute: 60,
      perDay: 5000,
      reservePercent: 5,
    });
    expect(config.accounts[0]?.apiKey.reveal()).toBe(good.AIRANK_API_KEY);
    expect(config.accounts[0]?.baseUrl.href).toBe('https://api.example.com/');
  });

  test('reads every setting', () => {
    const config = load({
      ...good,
      DATABASE_URL: 'postgresql://u:p%40ss@db:5433/w',
      AIRANK_DATA_DIR: 'data',
      AIRANK_TIMEZONE: 'Europe/Madrid',
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: '7',
      AIRANK_RESERVE_PERCENT: '12.5',
      AIRANK_DAY_RENEWS_AT: '23:59',
    });
    expect(config).toMatchObject({
      dataDir: `${cwd}/data`,
      timeZone: 'Europe/Madrid',
      dayRenewsAtMinutes: 1439,
      // A time that is set is not learned over.
      learnDayRenewal: false,
      accounts: [{ perMinute: 1_000_000, perDay: 7, reservePercent: 12.5 }],
    });
    expect(config.databaseUrl?.reveal()).toBe('postgresql://u:p%40ss@db:5433/w');
    expect(secretsOf(config)).toEqual(expect.arrayContaining([good.AIRANK_API_KEY, 'p@ss']));
  });

  test.each(
    cases(`
  AIRANK_PER_MINUTE => 0 => Expected AIRANK_PER_MINUTE to be an integer >= 1, got "0"
  AIRANK_PER_DAY => 99999999999999999999 => Expected AIRANK_PER_DAY to be an integer <= 2147483647, got "99999999999999999999"
  AIRANK_RESERVE_PERCENT => 100 => Expected AIRANK_RESERVE_PERCENT to be a number >= 0 and below 100, got "100"
  AIRANK_LANGUAGE => EN => Expected AIRANK_LANGUAGE to be one of en, es, got "EN"
  AIRANK_TIMEZONE => Europe/Madird => Expected AIRANK_TIMEZONE to be an IANA time zone such as Europe/Madrid, got "Europe/Madird". Did you mean Europe/Madrid?
  AIRANK_DAY_RENEWS_AT => 24:00 => Expected AIRANK_DAY_RENEWS_AT to be a time of day from 00:00 to 23:59, or auto, got "24:00"
`),
  )('refuses %s=%s in one sentence', (name, text, message) => {
    expect(faultsOf({ ...good, [name]: text })).toEqual([message]);
  });

  test('reports all faults at once', () => {
    const faults = faultsOf({ AIRANK_PER_MINUTE: '0', AIRANK_TIMEZONE: 'Mars', DATABASE_URL: 'mysql://x' });
    expect(faults).toHaveLength(4);
    expect(faults.join('\n')).toMatch(/Nothing is set up here/);
  });

  test('names the nearest known variable, but leaves AIRANK_TEST_ alone', () => {
    expect(faultsOf({ ...good, AIRANK_KEY: 'sk-very-secret', AIRANK_TEST_X: '1', OTHER: 'x' })).toEqual([
      'AIRANK_KEY is not a setting. Did you mean AIRANK_API_KEY?',
    ]);
    expect(faultsOf({ ...good, AIRANK_ZZZ: '5' })).toEqual([
      'AIRANK_ZZZ is not a setting. Remove it; .env.example lists all settings.',
    ]);
  });

  test('reads .env, but the real environment wins, and an empty one hides it', () => {
    const files = { '.env': '\uFEFFAIRANK_PER_MINUTE=7\r\nAIRANK_PER_DAY="8"\r\nAIRANK_HTTP_PORT=9\n' };
    const before = { ...process.env };
    const config = load({ ...good, AIRANK_PER_DAY: '80', AIRANK_HTTP_PORT: '' }, files);
    expect(config.accounts[0]).toMatchObject({ perMinute: 7, perDay: 80 });
    expect(config.httpPort).toBe(9464);
    expect(process.env).toEqual(before);
  });

  test('says that a faulty variable stands in .env', () => {
    expect(faultsOf(good, { '.env': 'AIRANK_PER_DAY=x\nAIRANK_PER_HOUR=3' })).toEqual([
      'AIRANK_PER_HOUR in .env is not a setting. Did you mean AIRANK_PER_DAY?',
      'Expected AIRANK_PER_DAY in .env to be an integer >= 1, got "x"',
    ]);
  });

  test('lets the command line win, and names it', () => {
    const overrides = { AIRANK_LOG_LEVEL: 'trace' } as const;
    expect(load({ ...good, AIRANK_LOG_LEVEL: 'warn' }, {}, { overrides }).logLevel).toBe('trace');
    expect(faultsOf(good, {}, { overrides: { AIRANK_PER_DAY: '0' } })).toEqual([
      'Expected AIRANK_PER_DAY on the command line to be an integer >= 1, got "0"',
    ]);
  });

  test('without need of accounts, accepts a missing key and address, but refuses malformed ones', () => {
    expect(load({}, {}, { needAccounts: false }).accounts).toEqual([]);
    expect(load({ AIRANK_API_KEY_FILE: 'none' }, {}, { needAccounts: false }).accounts).toEqual([]);
    expect(
      faultsOf({ AIRANK_BASE_URL: 'ftp://x', AIRANK_API_KEY: 'a b' }, {}, { needAccounts: false }),
    ).toHaveLength(2);
  });
});
