import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anonymizeIp } from '../../../src/writes/logs/chunk-lines.ts';

describe('an address', () => {
  test.each([
    ['192.0.2.77', '192.0.2.0'],
    ['255.255.255.255', '255.255.255.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::1', '2001:db8::'],
    ['2001:DB8:0:1::', '2001:db8::'],
    ['2001:0:1::5', '2001:0:1::'],
    ['::1', '::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::ffff:192.0.2.77', '::ffff:192.0.2.0'],
    ['::ffff:c000:24d', '::ffff:192.0.2.0'],
    ['64:ff9b::192.0.2.77', '64:ff9b::'],
  ])('%s becomes %s', (ip, expected) => {
    expect(anonymizeIp(ip)).toBe(expected);
  });

  test.each([null, '', '-', 'visitor.example.com', '192.0.2', '192.0.2.256', '1:2:3'])('%j is none', (ip) => {
    expect(anonymizeIp(ip)).toBeNull();
  });

  test('of any kind becomes one of its own kind that is the same a second time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
        const cut = anonymizeIp(ip) ?? '';
        expect(isIP(cut)).toBe(isIP(ip));
        expect(anonymizeIp(cut)).toBe(cut);
      }),
      { numRuns: 500 },
    );
  });
});
