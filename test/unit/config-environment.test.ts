import { describe, expect, test } from 'vitest';
import { explainFiles } from '../../src/config/explain-settings.ts';
import { secretsOf } from '../../src/config/secrets-of.ts';
import { settings } from '../../src/config/settings.ts';
import { checkJob } from '../../src/jobs/schedule/job-shape.ts';
import { cases } from '../support/cases.ts';
import { cwd, type Files, faultsOf, fileFaults, good, load, readFrom } from '../support/config-fixtures.ts';

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

const dotenv = `AIRANK_BASE_URL=${good.AIRANK_BASE_URL}\nAIRANK_API_KEY=${good.AIRANK_API_KEY}\n`;
const elsewhere = { AIRANK_DATA_DIR: '/srv/rank/data' };

describe('settings that are missing', () => {
  test('name the file that was looked for', () => {
    expect(faultsOf({})).toEqual([
      'Nothing is set up here. Expected the address of the API (AIRANK_BASE_URL) and a key (AIRANK_API_KEY) in the environment or in /work/dir/.env, which does not exist. Run: airank init',
    ]);
    expect(faultsOf({ AIRANK_API_KEY: good.AIRANK_API_KEY })).toEqual([
      'Expected AIRANK_BASE_URL to be the address of the API, got nothing. Set it, like https://api.example.com, in the environment or in /work/dir/.env, which does not exist.',
    ]);
    expect(faultsOf({ AIRANK_BASE_URL: good.AIRANK_BASE_URL })).toEqual([
      'Expected AIRANK_API_KEY or AIRANK_API_KEY_FILE to be set, got neither. Set it in the environment or in /work/dir/.env, which does not exist.',
    ]);
  });

  test('name both places where there are two', () => {
    expect(faultsOf({ ...elsewhere, AIRANK_BASE_URL: good.AIRANK_BASE_URL })).toEqual([
      expect.stringMatching(
        /in the environment or in \.env \(neither \/work\/dir\/\.env nor \/srv\/rank\/\.env exists\)\.$/,
      ),
    ]);
  });
});

describe('beside the data folder', () => {
  test('are .env and the configuration found, where the working folder has none', () => {
    const files = { '/srv/rank/.env': dotenv, '/srv/rank/airank.config.yaml': 'timezone: Europe/Madrid' };
    const config = load(elsewhere, files);
    expect(config.accounts).toHaveLength(1);
    expect(config.timeZone).toBe('Europe/Madrid');
  });

  test('a path in .env is relative to it, and a fault names the whole path', () => {
    const files: Files = {
      '/srv/rank/.env': `AIRANK_BASE_URL=${good.AIRANK_BASE_URL}\nAIRANK_API_KEY_FILE=key\nAIRANK_JOBS_DIR=jobs`,
      '/srv/rank/key': good.AIRANK_API_KEY,
    };
    const config = load(elsewhere, files);
    expect(config.accounts[0]?.apiKey.reveal()).toBe(good.AIRANK_API_KEY);
    expect(config.jobsDir).toBe('/srv/rank/jobs');
    expect(faultsOf(elsewhere, { '/srv/rank/.env': `${dotenv}AIRANK_PER_DAY=0` })).toEqual([
      'Expected AIRANK_PER_DAY in /srv/rank/.env to be an integer >= 1, got "0"',
    ]);
  });
});

test('what was read is told in one sentence', () => {
  const told = (env: NodeJS.ProcessEnv, files: Files) =>
    explainFiles({ env, cwd, readFile: readFrom(files) });
  expect(told({}, { '.env': dotenv })).toBe('read: /work/dir/.env; no airank.config.yaml in /work/dir');
  expect(told(elsewhere, {})).toBe('no .env, no airank.config.yaml in /work/dir or /srv/rank');
  expect(told({ AIRANK_CONFIG: 'other.yaml' }, { '.env': dotenv })).toBe('read: /work/dir/.env');
});

const nul = '\0';
const place = 'Expected airank.config.yaml: ';
const noNul = 'to be a text without NUL characters, got';

// Regression: each of these came as far as Postgres, and failed a slice with "invalid byte sequence" there.
describe('a NUL in the file is a fault that names its place', () => {
  test.each<[string, object, number]>([
    ['questions[1]', { questions: ['a', `b${nul}c`] }, 2],
    ['streams.products.keys[1][1]', { streams: { products: { keys: ['id', ['sku', nul]] } } }, 1],
  ])('%s', (name, data, position) => {
    const faults = fileFaults(JSON.stringify(data));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${place}${name} ${noNul} "`);
    expect(faults[0]).toContain(`\\u0000`);
    expect(faults[0]).toContain(`". Remove the NUL at position ${position}.`);
  });

  test('in every setting that may hold a text, written as a variable too', () => {
    for (const [name, { env, default: fallback }] of Object.entries(settings)) {
      const faults = faultsOf(good, { '.env': `${env}='${fallback ?? '/x'}${nul}'` });
      // A value in the environment wins over .env.
      if (Object.hasOwn(good, env)) continue;
      expect(faults.join('\n'), name).toContain(`Expected ${env} in .env to be `);
      expect(faults.join('\n'), name).not.toContain(nul);
    }
  });

  test('in the names of a job, which are asked for in Postgres', () => {
    expect(checkJob('a.js', { name: 'a', description: 'x', clients: ['7', `8${nul}`] }).faults).toEqual([
      `a.js: Expected clients.1 ${noNul} "8\\u0000"`,
    ]);
  });
});

test('half a surrogate pair is a fault, because Postgres would hold another text', () => {
  expect(fileFaults('questions: ["\\ud83d"]')).toEqual([
    `${place}questions[0] to be a text of whole characters, got "\\ud83d". Remove the half of a surrogate pair at position 1.`,
  ]);
  expect(fileFaults('questions: ["😀"]')).toEqual([]);
});

describe('public ids', () => {
  test.each(['.', '..'])('%j is a fault before any request', (id) => {
    expect(fileFaults(JSON.stringify({ public_ids: ['a', id] }))).toEqual([
      `${place}public_ids[1] to be an id that can be the last part of a path, got "${id}". Remove it.`,
    ]);
  });

  test.each(['...', 'a/b', '%2e%2e', '.a'])('%j is one', (id) => {
    expect(fileFaults(JSON.stringify({ public_ids: [id] }))).toEqual([]);
  });
});

test.each(['postgres://u:p%00@h/w', 'postgres://h/w?application_name=a%00'])(
  'a database address with a NUL is refused without being shown: %s',
  (address) => {
    expect(faultsOf({ ...good, DATABASE_URL: address })).toEqual([
      'Expected DATABASE_URL to be a postgres:// or postgresql:// address, got an address with a NUL (%00) in it. Remove it.',
    ]);
  },
);
