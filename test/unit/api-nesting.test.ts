import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nestsDeeper } from '../../src/api/classify.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it('knows whether any value nests deeper than so many levels', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 8 }), (value, most) => {
      expect(nestsDeeper(value, most)).toBe(depthOf(value) > most);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '{"__proto__":[', ']}'],
])('stops at the level that is too many, also in %s a million deep', (_what, open, close) => {
  const levels = open.length > 6 ? 2 : 1;
  const nested = (count: number) => JSON.parse(`${open.repeat(count)}1${close.repeat(count)}`) as unknown;
  expect(nestsDeeper(nested(100), 100 * levels)).toBe(false);
  expect(nestsDeeper(nested(100), 100 * levels - 1)).toBe(true);
  expect(nestsDeeper(nested(1_000_000), 1_000)).toBe(true);
});
