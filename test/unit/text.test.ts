import { expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/config/addresses.ts';
import { oneLine, plural } from '../../src/core/text.ts';
import { gapText } from '../../src/store/slices/walk-history.ts';

it.each([
  ['a\r\n\tb ', 'a b'],
  ['It\u202e fell\u2028x', 'It fell x'],
  ['a\ud800b', 'a b'],
  ['👩\u200d🔧', '👩\u200d🔧'],
])('%j is one line', (text, line) => {
  expect(oneLine(text)).toBe(line);
});

it('counts characters, not their halves', () => {
  expect(oneLine('👩👩👩', 2)).toBe('👩👩');
});

it('says one of a thing as one, and thousands with commas', () => {
  expect(parseBaseUrl('x')).toMatchObject({
    hints: { got: expect.stringContaining('a text of 1 character ') },
  });
  const gap = gapText('chain', { count: 1, last: 2, ends: 0, atEnd: false });
  expect(gap).toContain('got 1 page up to number 2');
  expect(plural(1_234, 'try', 'tries')).toBe('1,234 tries');
});
