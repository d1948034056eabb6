// Accounts, their keys, and the address of the database.

import { tmpdir } from 'node:os';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { secretsInDatabaseUrl } from '../../src/config/secrets-of.ts';
import { cases } from '../support/cases.ts';
import { faultsOf, fileFaults, good, load } from '../support/config-fixtures.ts';

const address = 'https://api.example.com';
const at = 'airank.config.yaml: accounts';

/** An accounts list, one inline mapping each. */
function accounts(...entries: string[]): string {
  return `base_url: ${address}\naccounts:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`;
}

describe('accounts in the file', () => {
  test.each(
    cases(`
    api_key: sk-live-424242, api_key_env: A_KEY => .api_key to be absent, got a literal key. A key does not belong in a file that is shared and committed: use api_key_env (the name of a variable) or api_key_file (the path of a file).
    api_key_env: sk-live-424242 => .api_key_env to be the name of a variable (A-Z, 0-9 and _), got a text of 14 characters. Give the name of the variable that holds the key, not the key.
  `),
  )('refuse a key that is written down, unseen: %s', (text, fault) => {
    expect(fileFaults(accounts(`name: a, ${text}`), { A_KEY: 'k-12345' })).toEqual([
      `Expected ${at}[0]${fault}`,
    ]);
  });

  test('report each fault of each account at once', () => {
    const faults = fileFaults(
      accounts(
        'name: A, api_key_env: A_KEY, per_minute: 0',
        'name: b, bas_url: x',
        'name: b, api_key_env: B_KEY, api_key_file: x',
        'name: c, api_key_env: C_KEY, base_url: "http://c.example.com"',
        'name: d, api_key_file: none',
      ),
      { C_KEY: 'c c' },
    );
    expect(faults).toEqual([
      `Expected ${at}[2].name to be a name that no other account has, got "b", the name of accounts[1]`,
      `Expected ${at}[0].name to be 1 to 63 characters of a-z, 0-9, _ and -, beginning with a letter or digit, got "A"`,
      `Expected ${at}[0].per_minute to be an integer >= 1, got 0`,
      `Expected A_KEY to be set to the API key, because ${at}[0].api_key_env names it, got nothing. Set it in the environment or in /work/dir/.env, which does not exist.`,
      `${at}[1].bas_url is not a known name. Did you mean base_url?`,
      `Expected ${at}[1] to be an account with one of api_key_env and api_key_file, got neither`,
      `Expected ${at}[2] to be an account with one of api_key_env and api_key_file, got both`,
      `Expected ${at}[3].base_url to be an https address (http is for localhost, 127.0.0.0/8 and [::1] only), got http://c.example.com. A key sent over http can be read on the way.`,
      'Expected C_KEY to be an API key on one line without spaces, got one with a space at position 2. Copy the key again.',
      `Expected ${at}[4].api_key_file to be a file that holds the API key, got a path without a file`,
    ]);
  });

  test('need an address from somewhere', () => {
    expect(fileFaults('accounts: [{name: a, api_key_env: A_KEY}]', { A_KEY: 'k-12345' })).toEqual([
      `Expected ${at}[0].base_url to be the address of the API, got nothing. Set it here, at the top of the file for all accounts, or as AIRANK_BASE_URL.`,
    ]);
  });

  test('may name a variable that begins with AIRANK_, also AIRANK_API_KEY itself', () => {
    const text = accounts('name: a, api_key_env: AIRANK_API_KEY', 'name: b, api_key_env: AIRANK_KEY_B');
    const env = { AIRANK_API_KEY: 'k-11111', AIRANK_KEY_B: 'k-22222' };
    const config = load(env, { 'airank.config.yaml': text });
    expect(config.accounts.map((account) => account.apiKey.reveal())).toEqual(['k-11111', 'k-22222']);
  });

  test('refuse variables of a single account that no account uses', () => {
    const own = accounts(`name: a, api_key_env: A_KEY, base_url: "${address}"`);
    expect(fileFaults(own, { ...good, A_KEY: 'k-12345' })).toEqual([
      'Expected AIRANK_API_KEY to be unset, because no account of airank.config.yaml uses it, got a value. Remove it, or give it to an account: api_key_env: AIRANK_API_KEY.',
      'Expected AIRANK_BASE_URL to be unset, because no account of airank.config.yaml uses it, got a value. Remove it, or leave base_url out of the accounts that should use it.',
    ]);
    expect(fileFaults(own, { AIRANK_API_KEY_FILE: 'x', A_KEY: 'k-12345' })).toHaveLength(1);
  });

  test('refuse one key for two accounts of the same address', () => {
    const env = { A_KEY: 'k-12345', B_KEY: 'k-12345' };
    const twice = accounts('name: a, api_key_env: A_KEY', 'name: b, api_key_env: B_KEY');
    expect(fileFaults(twice, env)).toEqual([
      `Expected ${at}[1] to be an account with a key that no other account has, got the key of accounts[0]. Limits are counted per key; one account serves all clients of its key.`,
    ]);
    const other = 'name: b, api_key_env: B_KEY, base_url: "https://b.example.com"';
    expect(fileFaults(accounts('name: a, api_key_env: A_KEY', other), env)).toEqual([]);
  });

  test('are left out without a key when none is needed', () => {
    const text = accounts('name: a, api_key_env: A_KEY', 'name: b, api_key_env: B_KEY');
    const config = load({ B_KEY: 'k-12345' }, { 'airank.config.yaml': text }, { needAccounts: false });
    expect(config.accounts.map((account) => account.name)).toEqual(['b']);
  });
});

const base = { AIRANK_BASE_URL: 'https://api.example.com' };

function keyOf(env: NodeJS.ProcessEnv, files = {}): string | undefined {
  return load({ ...base, ...env }, files).accounts[0]?.apiKey.reveal();
}

describe('API key', () => {
  const keys = [
    'hunter 2',
    'tab\there',
    'new\nline',
    'del\x7f',
    'nbsp\xa0x',
    'emoji😀',
    'Ж1234',
    'Bearer abc',
  ];
  test.each(keys)('refuses %j, which a header cannot carry, without repeating it', (key) => {
    const faults = faultsOf({ ...base, AIRANK_API_KEY: key });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^Expected AIRANK_API_KEY to be an API key on one line without spaces, got/);
    expect(faults[0]).not.toContain(key);
  });

  test.each([
    ['k-123456', 'k-123456'],
    ['\uFEFFk-123456\n', 'k-123456'],
  ])('reads the key file %j', (content, key) => {
    expect(keyOf({ AIRANK_API_KEY_FILE: 'keys/one' }, { 'keys/one': content })).toBe(key);
    expect(keyOf({ AIRANK_API_KEY_FILE: '/run/key' }, { '/run/key': content })).toBe(key);
  });

  test.each([
    ['\n', 'an empty file'],
    ['one-key-1\ntwo-key-2\n', 'a file with 2 lines'],
    [' k-123456\n', 'one with a space at position 1'],
  ])('refuses the key file %j', (content, got) => {
    const faults = faultsOf({ ...base, AIRANK_API_KEY_FILE: 'key' }, { key: content });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(got);
    expect(faults[0]).not.toMatch(/123456|one-key|two-key/);
  });

  test('refuses a key file that is not there, and one that is a folder', () => {
    expect(faultsOf({ ...base, AIRANK_API_KEY_FILE: 'none' })).toEqual([
      'Expected AIRANK_API_KEY_FILE to be a file that holds the API key, got a path without a file',
    ]);
    expect(() => loadConfig({ env: { ...base, AIRANK_API_KEY_FILE: '.' }, cwd: tmpdir() })).toThrow(
      'Expected AIRANK_API_KEY_FILE to be a file that holds the API key, got a folder',
    );
  });

  test('refuses a key and a key file together', () => {
    const env = { ...base, AIRANK_API_KEY: 'k-123456', AIRANK_API_KEY_FILE: 'key' };
    expect(faultsOf(env, { key: 'k-123456' })).toEqual([
      'Expected one of AIRANK_API_KEY and AIRANK_API_KEY_FILE to be set, got both. Remove one of them.',
    ]);
  });

  test('does not stand in a message even when it was put into another setting too', () => {
    const key = 'sk-live-4242424242';
    const env = { ...base, AIRANK_API_KEY: key, AIRANK_PER_MINUTE: key, AIRANK_LOG_LEVEL: `x${key}` };
    const faults = faultsOf(env);
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('4242');
    expect(faults[0]).toContain('AIRANK_PER_MINUTE to be an integer >= 1');
  });
});

describe('database address', () => {
  const fault = (text: string) => faultsOf({ ...base, AIRANK_API_KEY: 'k-123456', DATABASE_URL: text });

  test.each([
    'postgresql://u:p@h:5432/w?sslmode=require',
    'postgres:///w?host=/var/run/postgresql',
    'postgres://%2Ftmp/w',
  ])('accepts %s', (text) => {
    expect(fault(text)).toEqual([]);
  });

  test.each([
    ...['mysql://u:hunter2@h/w', 'u:hunter2@h/w', 'postgres://u:hunter2#x@h/w', '  '],
    ...['postgres://u:hunter2%zz@h/w', 'postgres://u:hunter2@one,two/w', 'postgres://u:hunter2@h/my db'],
  ])('refuses %s without repeating it', (text) => {
    const faults = fault(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^Expected DATABASE_URL to be a postgres:.* or postgresql:.* address, got /);
    expect(faults[0]).not.toContain('hunter2');
  });

  test.each([
    'postgres://u:p@/w?host=%2Frun%2Fpostgresql&port=6543',
    'postgres://u:p@localhost/w?port=6543&host=/run/postgresql',
  ])('reads %s, whose host is the folder of a socket', (text) => {
    const { databaseUrl } = load({ ...base, AIRANK_API_KEY: 'k-123456', DATABASE_URL: text });
    const client = new pg.Client(databaseUrl?.reveal());
    const port = text.includes('6543') ? 6543 : 5432;
    expect(client).toMatchObject({ host: '/run/postgresql', user: 'u', database: 'w', port });
  });

  test.each([
    ['sslmode=verify-full&sslmode=disable', 'sslmode twice. Leave one of them out.'],
    ['ssl=true&sslmode=disable', 'ssl and sslmode. Leave ssl out'],
    ['channel_binding=always', 'channel_binding=always. Use one of disable, prefer, require'],
    ['require_auth=scram-sha-256', 'the parameter require_auth, which is not supported. Leave it out'],
    ['hostaddr=10.0.0.1', 'the parameter hostaddr, which is not supported'],
    ['x%40hunter2=1', 'an address that does not parse'],
  ])('refuses ?%s by the name of what is not kept', (query, text) => {
    expect(fault(`postgres://u:p@h/w?${query}`).join()).toContain(`got ${text}`);
    expect(fault(`postgres://u:p@h/w?${query}`).join()).not.toContain('hunter2');
  });

  test('gives the logger its password, plain, unless it is also a public name', () => {
    expect(secretsInDatabaseUrl(new Secret('postgres://u:p%40ss1@h/w'))).toContain('p@ss1');
    expect(secretsInDatabaseUrl(new Secret('postgres://u@h/w?password=hunter2'))).toContain('hunter2');
    expect(secretsInDatabaseUrl(new Secret('postgres://postgres:postgres@h/w'))).toEqual([]);
    expect(secretsInDatabaseUrl(new Secret('postgres://airank:airank@h/w'))).toEqual([]);
  });
});
