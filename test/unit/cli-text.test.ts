import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeText, trendLine } from '../../src/cli/commands/demo-command.ts';
import { resultCsv, resultText } from '../../src/cli/commands/psql-command.ts';
import { fold, textWidth } from '../../src/cli/print/text.ts';

test('wrapped lines fit the width, and hold every word in order', () => {
  const word = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'ñ', '😀') });
  fc.assert(
    fc.property(fc.array(word), fc.integer({ min: 30, max: 80 }), (words, width) => {
      const lines = fold(`  ! ${words.join(' ')}`, width);
      expect(lines.every((line) => textWidth(line) <= width)).toBe(true);
      expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(['!', ...words]);
    }),
  );
});

test('a word longer than the width stays whole', () => {
  expect(fold('at https://api.example.com/a/very/long/address now', 20, 0)).toEqual([
    'at',
    'https://api.example.com/a/very/long/address',
    'now',
  ]);
});

test('a trend line goes from the lowest to the highest value and leaves gaps', () => {
  expect(trendLine([1, 2, null, 8])).toBe('▁▂ █');
  expect(trendLine([5, 5])).toBe('▅▅');
  expect(trendLine([null])).toBe(' ');
});

test('a change has a sign, and none is claimed where there is nothing to compare with', () => {
  expect(changeText(2.34)).toBe('+2.3');
  expect(changeText(-2)).toBe('-2.0');
  expect(changeText(-0.01)).toBe('±0.0');
  expect(changeText(null)).toBe('–');
});

test('CSV quotes what needs it and tells null from an empty text', () => {
  const rows = [['a,b', 'say "hi"', 'two\nlines', null, '']];
  expect(resultCsv({ tag: 'SELECT 1', columns: ['a', 'b', 'c', 'd', 'e'], rows })).toBe(
    'a,b,c,d,e\n"a,b","say ""hi""","two\nlines",,""\n',
  );
});

test('a statement without rows prints its tag', () => {
  expect(resultText({ tag: 'UPDATE 3', columns: [], rows: [] })).toBe('UPDATE 3\n');
});
