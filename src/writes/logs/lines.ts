// Cuts a stream of bytes into lines that know their place. Holds one block and one unfinished line in memory.

/** Longer lines are skipped. */
const maxLineBytes = 65_536;

/** Bytes before a place whose hash proves that it is the same log. */
export const tailBytes = 4_096;

const [lineFeed, nul] = [10, 0];

export interface Line {
  /** The line without its end; '' if skipped. Invalid UTF-8 becomes U+FFFD. */
  readonly text: string;
  /** Offset in the decompressed content: first byte, and the one after the end. */
  readonly fromByte: number;
  readonly toByte: number;
  /** `hole`: a run of NUL, which copytruncate leaves under a writer that does not append. */
  readonly skipped?: 'too long' | 'hole';
}

export interface LineBatch {
  readonly lines: readonly Line[];
  /** Returns the bytes before a place in, or at the end of, one of these lines. Valid until the next batch. */
  tailAt(byte: number): Buffer;
}

/**
 * Yields the lines of one block at a time, without an unfinished last line.
 * @param before the bytes before `fromByte`, as many as a tail has
 */
export async function* splitLines(
  blocks: AsyncIterable<Buffer>,
  fromByte: number,
  before: Buffer,
): AsyncGenerator<LineBatch> {
  const splitter = new Splitter(fromByte);
  let [blockByte, tail] = [fromByte, before];
  for await (const block of blocks) {
    const begin = { byte: blockByte, tail };
    const tailAt = (byte: number) => lastBytes(begin.tail, block.subarray(0, byte - begin.byte));
    const lines = splitter.take(block);
    if (lines.length > 0) yield { lines, tailAt };
    tail = lastBytes(tail, block);
    blockByte += block.length;
  }
}

export function lastBytes(before: Buffer, block: Buffer): Buffer {
  if (block.length >= tailBytes) return Buffer.from(block.subarray(block.length - tailBytes));
  return Buffer.concat([before.subarray(Math.max(0, before.length + block.length - tailBytes)), block]);
}

class Splitter {
  /** First byte of the unfinished line or hole. */
  #fromByte: number;
  #toByte: number;
  /** Bytes of the unfinished line; empty if it is too long or a hole. */
  #held = Buffer.alloc(0);
  #skips: Line['skipped'];

  constructor(fromByte: number) {
    this.#fromByte = fromByte;
    this.#toByte = fromByte;
  }

  take(block: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    let hole = block.indexOf(nul);
    while (from < block.length) {
      if (this.#skips === 'hole' || (hole === from && this.#fromByte === this.#toByte)) {
        let end = from;
        while (end < block.length && block[end] === nul) end += 1;
        this.#skips = 'hole';
        this.#toByte += end - from;
        if (end < block.length) lines.push(this.#end(''));
        from = end;
        hole = block.indexOf(nul, from);
        continue;
      }
      const feed = block.indexOf(lineFeed, from);
      const isCut = hole !== -1 && (feed === -1 || hole < feed);
      const end = isCut ? hole : feed;
      if (end === -1) {
        this.#hold(block.subarray(from));
        break;
      }
      lines.push(this.#line(block, from, end, isCut ? 0 : 1));
      from = isCut ? end : end + 1;
    }
    return lines;
  }

  #line(block: Buffer, from: number, end: number, endBytes: number): Line {
    this.#toByte += end + endBytes - from;
    const isLong = this.#skips !== undefined || this.#held.length + end - from > maxLineBytes;
    if (isLong) {
      this.#skips = 'too long';
      return this.#end('');
    }
    const isHeld = this.#held.length > 0;
    const text = isHeld
      ? Buffer.concat([this.#held, block.subarray(from, end)]).toString()
      : block.toString('utf8', from, end);
    return this.#end(withoutEnds(text, this.#fromByte));
  }

  #end(text: string): Line {
    const place = { text, fromByte: this.#fromByte, toByte: this.#toByte };
    const line = this.#skips === undefined ? place : { ...place, skipped: this.#skips };
    this.#fromByte = this.#toByte;
    this.#skips = undefined;
    this.#held = Buffer.alloc(0);
    return line;
  }

  #hold(rest: Buffer): void {
    this.#toByte += rest.length;
    if (this.#skips !== undefined) return;
    if (this.#held.length + rest.length <= maxLineBytes) this.#held = Buffer.concat([this.#held, rest]);
    else {
      this.#skips = 'too long';
      this.#held = Buffer.alloc(0);
    }
  }
}

/** Removes line ends, and the byte order mark that Windows programs write. */
function withoutEnds(text: string, fromByte: number): string {
  const begin = fromByte === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const isWindows = text.charCodeAt(text.length - 1) === 13;
  return text.slice(begin, isWindows ? -1 : undefined);
}
