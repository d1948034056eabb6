import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/config/addresses.ts';
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
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://0.0.0.0',
    'http://[::2]',
    'localhost:8080',
    'api.example.com',
    'https://user:pass@api.example.com',
    'https://api.example.com?key=1',
    'https://api.example.com#x',
    'https://',
    'https:api.example.com',
    'https://exa mple.com',
    'https://example.com\\x',
    'https://example.com:99999',
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
    fc.assert(
      fc.property(
        part,
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom('', '/', '/api/v1', '/api/v1/'),
        (host, parts, end) => {
          const prefix = parts.map((name) => `/${name}`).join('');
          const href = hrefOf(`https://${host}.example${prefix}${end}`);
          expect(href).toBe(`https://${host}.example${prefix === '' ? '/' : prefix}`);
          expect(hrefOf(href ?? '')).toBe(href);
        },
      ),
    );
  });
});
