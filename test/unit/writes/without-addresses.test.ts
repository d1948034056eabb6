import { expect, test } from 'vitest';
import { withoutAddresses } from '../../../src/writes/send.ts';

test.each([
  [
    '{"linea":"192.0.2.7 - - [03/Apr/2026:10:00:00 +0000]"}',
    '{"linea":"[address] - - [03/Apr/2026:10:00:00 +0000]"}',
  ],
  ['from 2001:db8:1:2::3, line 4', 'from [address], line 4'],
  ['[2001:db8::1]:443 and 192.0.2.7:80', '[[address]]:443 and [address]:80'],
  ['::ffff:192.0.2.77', '[address]'],
  ['::1 at 10:00:00', '[address] at 10:00:00'],
])('an address in an answer is taken out: %s', (text, expected) => {
  expect(withoutAddresses(text)).toBe(expected);
});

test.each(['2026-04-03T10:00:00Z', 'version 1.2.3', '{"a":{"b":[1,2]}}', 'std::vector', '999.1.1.1'])(
  'what is none stays: %s',
  (text) => {
    expect(withoutAddresses(text)).toBe(text);
  },
);
