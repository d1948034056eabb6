import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setInEnvText } from '../../src/cli/commands/init-command.ts';
import { parseBaseUrl } from '../../src/config/addresses.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { faultsOf, good } from '../support/config-fixtures.ts';

function hrefOf(text: string): string | undefined {
  const result = parseBaseUrl(text);
  return result.ok ? result.value.href : undefined;
}

describe('base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/'],
    ['https://api.example.com/api/v1/', 'https://api.example.com/'],
    ['https://api.example.com/eu/west/', 'https://api.example.com/eu/west'],
    ['https://api.example.com/eu/api/v1//', 'https://api.example.com/eu'],
    ['HTTPS://API.example.com:8443', 'https://api.example.com:8443/'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
    ['http://[::1]:9', 'http://[::1]:9/'],
  ])('reads %s as %s', (text, href) => {
    expect(hrefOf(text)).toBe(href);
  });

  test.each([
    ...['http://api.example.com', 'http://127.0.0.1.example.com', 'http://0.0.0.0', 'http://[::2]'],
    ...['localhost:8080', 'api.example.com', 'https://user:pass@api.example.com', 'https://'],
    ...['https://api.example.com?key=1', 'https://api.example.com#x', 'https:api.example.com'],
    ...['https://exa mple.com', 'https://example.com\\x', 'https://example.com:99999'],
  ])('refuses %s', (text) => {
    expect(hrefOf(text)).toBeUndefined();
  });

  test('says why another scheme and plain http are refused', () => {
    expect(faultsOf({ ...good, AIRANK_BASE_URL: 'ftp://api.example.com' })).toEqual([
      'Expected AIRANK_BASE_URL to be an https address such as https://api.example.com, got an address with the scheme ftp',
    ]);
    expect(faultsOf({ ...good, AIRANK_BASE_URL: 'http://api.example.com/x' })).toEqual([
      'Expected AIRANK_BASE_URL to be an https address (http is for localhost, 127.0.0.0/8 and [::1] only), got http://api.example.com. A key sent over http can be read on the way.',
    ]);
  });

  test.each([
    'sk-live-4242424242',
    'https://sk-live-4242424242@api.example.com',
    'https://h/?key=sk-live-4242424242',
  ])('does not repeat a key pasted into %s', (text) => {
    const faults = faultsOf({ ...good, AIRANK_BASE_URL: text });
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toContain('4242');
  });

  test('an accepted address never ends in a slash but for a bare host, and reads as itself again', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const ends = fc.constantFrom('', '/', '/api/v1', '/api/v1/');
    fc.assert(
      fc.property(part, fc.array(part, { maxLength: 4 }), ends, (host, parts, end) => {
        const prefix = parts.map((name) => `/${name}`).join('');
        const href = hrefOf(`https://${host}.example${prefix}${end}`);
        expect(href).toBe(`https://${host}.example${prefix === '' ? '/' : prefix}`);
        expect(hrefOf(href ?? '')).toBe(href);
      }),
    );
  });
});

test('lines of the variables are replaced, all others stay as they are', () => {
  const before = '# mine\nAIRANK_BASE_URL=\nOTHER="a b" # x\n  export AIRANK_API_KEY = old\n';
  expect(setInEnvText(before, { AIRANK_BASE_URL: 'https://x.example', AIRANK_API_KEY: 'a b', NEW: '' })).toBe(
    '# mine\nAIRANK_BASE_URL=https://x.example\nOTHER="a b" # x\nAIRANK_API_KEY=\'a b\'\nNEW=\n',
  );
});

test('of several lines of a variable the one that counts is replaced', () => {
  const text = setInEnvText('KEY=first\nKEY=second\n', { KEY: 'new' });
  expect(parseEnv(text)).toEqual({ KEY: 'new' });
});

test('whatever a key holds, it is read again as it was, or refused', () => {
  const key = fc.string({ minLength: 1, unit: fc.constantFrom(...`aZ9#$\\'"\`= n&%{}-_`) });
  fc.assert(
    fc.property(key, (value) => {
      let text: string;
      try {
        text = setInEnvText('A=1\n', { KEY: value });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect(value).toMatch(/'.*`|`.*'/s);
        return;
      }
      expect(parseEnv(`${text}B=2\n`)).toEqual({ A: '1', KEY: value, B: '2' });
    }),
  );
});
