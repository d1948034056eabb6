import { describe, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { fileFaults, good, load } from '../support/config-fixtures.ts';

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
