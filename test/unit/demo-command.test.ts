import { expect, test } from 'vitest';
import { changeText, trendLine } from '../../src/cli/commands/demo-command.ts';

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
