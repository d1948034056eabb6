import { expect, it } from 'vitest';
import { oneLine } from '../../src/core/text.ts';

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
