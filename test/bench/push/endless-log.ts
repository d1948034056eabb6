// A log of any length without a file: one block of lines over and over, each time with other numbers in it.
import { type LineKind, numberedLine } from '../../writes/numbered-log.ts';

const linesInBlock = 20_000;
const digits = 9;

interface EndlessLog {
  /** Lines of bots a block: what is to be sent. */
  readonly bots: number;
  readonly lines: number;
  /** The next block; good until the next call. */
  next(): Buffer;
}

/** @param botShare how many lines are of bots, 0 to 1; the rest are people's */
export function createEndlessLog(botShare: number, nowMs: number): EndlessLog {
  const texts: string[] = [];
  let bots = 0;
  for (let line = 0; line < linesInBlock; line += 1) {
    const isBot = Math.floor((line + 1) * botShare) > Math.floor(line * botShare);
    const kind: LineKind = isBot ? 'bot' : 'person';
    if (isBot) bots += 1;
    texts.push(`${numberedLine(line, kind, nowMs).replace(/id=\d+/, `id=${'0'.repeat(digits)}`)}\n`);
  }
  // Two in turn: one may be on its way still.
  const blocks = [Buffer.from(texts.join('')), Buffer.from(texts.join(''))];
  const places: number[] = [];
  let atByte = 0;
  for (const text of texts) {
    places.push(atByte + text.indexOf('id=') + 3);
    atByte += text.length;
  }
  let number = 0;
  let turn = 0;
  return {
    bots,
    lines: linesInBlock,
    next() {
      turn += 1;
      const block = blocks[turn % 2] ?? Buffer.alloc(0);
      for (const place of places) {
        number += 1;
        let left = number;
        for (let at = place + digits - 1; at >= place; at -= 1) {
          block[at] = 48 + (left % 10);
          left = Math.floor(left / 10);
        }
      }
      return block;
    },
  };
}
