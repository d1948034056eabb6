import { tmpdir } from 'node:os';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { secretsInDatabaseUrl } from '../../src/config/secrets-of.ts';
import { faultsOf, load } from '../support/config-fixtures.ts';

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
