import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isJsonArray,
  maxElementBytes,
  maxLineBytes,
  type RawLine,
  splitElements,
} from '../../../src/writes/logs/split-lines.ts';
import { inBlocks } from './log-world.ts';

async function elementsOf(content: string, blockBytes: number, fromByte = 0): Promise<RawLine[]> {
  const all: RawLine[] = [];
  const bytes = Buffer.from(content).subarray(fromByte);
  for await (const found of splitElements(inBlocks(bytes, blockBytes), fromByte, 'a.json'))
    all.push(...found);
  return all;
}

describe('elements of a JSON array', () => {
  const content =
    '\ufeff[{"a":"}],\\"{ñ"},\n  {"b":[1,{"c":2}]}, 17 ,"text, ]",{\n"d": {}\n}]\n[{"e":1}] {"half":';
  const texts = ['{"a":"}],\\"{ñ"}', '{"b":[1,{"c":2}]}', '17', '"text, ]"', '{\n"d": {}\n}', '{"e":1}'];

  test.each([1, 2, 3, 7, 1000])('know their place in blocks of %d bytes', async (blockBytes) => {
    const elements = await elementsOf(content, blockBytes);
    expect(elements.map(({ text }) => text)).toEqual([...texts, '{"half":']);
    expect(elements.map(({ ended }) => ended)).toEqual([...texts.map(() => true), false]);
    const bytes = Buffer.from(content);
    for (const [place, { text, fromByte, toByte }] of elements.entries()) {
      expect(fromByte).toBe(elements[place - 1]?.toByte ?? 0);
      expect(bytes.toString('utf8', fromByte, toByte).endsWith(text)).toBe(true);
    }
  });

  test('are those that were written, whatever is in them and wherever a block ends', async () => {
    const between = fc.constantFrom(',', ' ,\n', ',\r\n\t', '][', ']\n[', ' ');
    const objects = fc.array(fc.tuple(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), between));
    await fc.assert(
      fc.asyncProperty(
        objects,
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async (given, blockBytes, isPretty) => {
          const written = given.map(([object]) => JSON.stringify(object, null, isPretty ? 2 : 0));
          const content = `[${written.map((text, place) => `${text}${given[place]?.[1]}`).join('')}]`;
          expect((await elementsOf(content, blockBytes)).map(({ text }) => text)).toEqual(written);
        },
      ),
    );
  });

  test('can be read from the end of each of them on', async () => {
    const all = await elementsOf(content, 1000);
    for (const [place, { toByte }] of all.entries()) {
      expect(await elementsOf(content, 5, toByte)).toEqual(all.slice(place + 1));
    }
  });

  test.each([100, 9_000, 3_000_000])(
    'that are too long are shown by their beginning, in blocks of %d bytes',
    async (blockBytes) => {
      const long = `{"a":"${'x'.repeat(maxLineBytes)}"}`;
      const elements = await elementsOf(`[{"a":1},${long},{"b":2}]`, blockBytes);
      expect(elements.map(({ tooLong }) => tooLong)).toEqual([false, true, false]);
      expect(elements[1]?.text).toHaveLength(200);
    },
  );

  const huge = 'x'.repeat(maxElementBytes);
  test.each([
    [9_000, `[{"a":1},{"b":"${huge}},{"c":"3"}]`],
    [3_000_000, `[{"a":1},{"b":"${huge}},{"c":"3"}]`],
    [9_000, `[{"a":1},{"b":"${huge}"},{"c":"3"}]`],
    [3_000_000, `[{"a":1},{"b":"${huge}"},{"c":"3"}]`],
  ])(
    'end with one that has no end, or a far one, which is told, in blocks of %d bytes',
    async (blockBytes, content) => {
      const found: RawLine[] = [];
      const read = async () => {
        for await (const some of splitElements(inBlocks(content, blockBytes), 0, 'a.json'))
          found.push(...some);
      };
      await expect(read()).rejects.toThrow(
        /at most 1048576 bytes in a.json, got one without an end at byte 8\./,
      );
      expect(found.map(({ text }) => text)).toEqual(['{"a":1}']);
    },
  );

  test.each([
    ['[{"a":1}]', true],
    ['\ufeff \n[\n  {', true],
    ['[]', true],
    ['[03/Apr/2026:10:00:00 +0200] "GET /"', false],
    ['{"a":[{}]}', false],
  ])('%j is one: %s', (head, is) => {
    expect(isJsonArray(Buffer.from(head))).toBe(is);
  });
});
