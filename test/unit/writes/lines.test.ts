// Cutting a stream into lines, wherever its blocks end.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, splitLines } from '../../../src/writes/logs/lines.ts';

async function* blocksOf(content: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const cut of [...cuts, content.length].filter((one) => one <= content.length).sort((a, b) => a - b)) {
    if (cut > from) yield Buffer.from(content.subarray(from, cut));
    from = cut;
  }
}

async function split(content: string | Buffer, cuts: readonly number[] = []): Promise<readonly Line[]> {
  const bytes = Buffer.from(content);
  const lines: Line[] = [];
  for await (const batch of splitLines(blocksOf(bytes, cuts), 0, Buffer.alloc(0))) {
    for (const line of batch.lines) {
      const tail = bytes.subarray(Math.max(0, line.toByte - 4_096), line.toByte);
      expect(batch.tailAt(line.toByte).equals(tail)).toBe(true);
    }
    lines.push(...batch.lines);
  }
  return lines;
}

const shapeOf = ({ text, skipped }: Line) => skipped ?? text;

describe('lines', () => {
  it('know their place, have no end, and wait for it', async () => {
    expect(await split('\ufeffuno\r\n\nñandú\nhalf')).toEqual([
      { text: 'uno', fromByte: 0, toByte: 8 },
      { text: '', fromByte: 8, toByte: 9 },
      { text: 'ñandú', fromByte: 9, toByte: 17 },
    ]);
  });

  it('of more than 64 KiB are skipped, the first one and later ones', async () => {
    const [fits, long] = ['a'.repeat(65_536), 'b'.repeat(65_537)];
    const lines = await split(`${long}\none\n${fits}\n${long}\n${long}`, [70_000, 200_000]);
    expect(lines.map(shapeOf)).toEqual(['too long', 'one', fits, 'too long']);
    expect(lines.at(-1)?.toByte).toBe(65_538 + 4 + 65_537 + 65_538);
  });

  it('go on after a run of NUL, however long, and in the middle of a line', async () => {
    const hole = '\0'.repeat(70_000);
    const lines = await split(`${hole}one\ntwo${hole}three\n${hole}`, [100, 66_000, 70_001]);
    expect(lines.map(shapeOf)).toEqual(['hole', 'one', 'two', 'hole', 'three']);
  });

  it('are the same wherever blocks end, and cover every byte once', async () => {
    const piece = fc.constantFrom('a', 'ñ', '\n', '\r\n', '\0', '\0\0', 'line\n', 'x'.repeat(65_530));
    const ends = fc.array(fc.nat({ max: 200_000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), ends, async (pieces, cuts) => {
        const content = Buffer.from(pieces.join(''));
        const whole = await split(content);
        expect(await split(content, cuts)).toEqual(whole);
        const begins = [0, ...whole.map(({ toByte }) => toByte)].slice(0, whole.length);
        expect(whole.map(({ fromByte }) => fromByte)).toEqual(begins);
      }),
      { numRuns: 60 },
    );
  });
});
