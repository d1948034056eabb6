import { describe, expect, test } from 'vitest';
import { maxLineBytes, type RawLine, splitLines } from '../../../src/writes/logs/split-lines.ts';
import { inBlocks } from './log-world.ts';

async function linesOf(content: string | Buffer, blockBytes: number): Promise<RawLine[]> {
  const all: RawLine[] = [];
  for await (const lines of splitLines(inBlocks(content, blockBytes))) all.push(...lines);
  return all;
}

describe('lines', () => {
  const content = 'first\r\n\nespaña 🦊\r\nlast';
  const expected = [
    { text: 'first', fromByte: 0, toByte: 7, ended: true },
    { text: '', fromByte: 7, toByte: 8, ended: true },
    { text: 'españa 🦊', fromByte: 8, toByte: 22, ended: true },
    { text: 'last', fromByte: 22, toByte: 26, ended: false },
  ].map((line) => ({ ...line, tooLong: false }));

  test.each([1, 2, 3, 7, 26, 1000])('know their place in blocks of %d bytes', async (blockBytes) => {
    expect(await linesOf(content, blockBytes)).toEqual(expected);
  });

  test('survive bytes that are no UTF-8, and a byte order mark', async () => {
    const bytes = Buffer.concat([Buffer.from('\ufeffa'), Buffer.from([0xff, 0x62, 10])]);
    expect(await linesOf(bytes, 100)).toMatchObject([{ text: 'a\ufffdb', fromByte: 0, toByte: 7 }]);
  });

  test.each([100, 9_000, 1_000_000])(
    'that are too long are reported and not held: blocks of %d bytes',
    async (blockBytes) => {
      const [fits, tooLong] = ['f'.repeat(maxLineBytes), 't'.repeat(maxLineBytes + 1)];
      const lines = await linesOf(`${fits}\n${tooLong}\nnext\n${tooLong}`, blockBytes);
      expect(lines.map((line) => [line.tooLong, line.ended, line.toByte - line.fromByte])).toEqual([
        [false, true, maxLineBytes + 1],
        [true, true, maxLineBytes + 2],
        [false, true, 5],
        [true, false, maxLineBytes + 1],
      ]);
      expect(lines[1]?.text).toBe('t'.repeat(200));
      expect(lines[2]?.text).toBe('next');
    },
  );
});
