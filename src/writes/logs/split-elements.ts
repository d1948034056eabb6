// Cuts a JSON array, as it streams by, into its elements, which know their place as lines do: an element's place begins
// where the one before ends. What closes the array is in none, so that it may be written on.
import { DamagedLogError } from './decompress.ts';
import { maxLineBytes, type RawLine } from './split-lines.ts';

/** What is longer is no element: a quote or bracket is missing somewhere. */
export const maxElementBytes = 1_048_576;

/** As much of an element that is too long is there to be shown. */
const shownBytes = 200;

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set(Buffer.from('{['));
const closing: ReadonlySet<number> = new Set(Buffer.from('}]'));
/** With the bytes of a byte order mark, and with brackets: arrays may follow each other. */
const between: ReadonlySet<number> = new Set(Buffer.from('\ufeff[], \t\r\n'));

/** @param head the first bytes of a log */
export function isJsonArray(head: Buffer): boolean {
  return /^\s*\[\s*[{\]]/.test(head.toString('utf8').replace(/^\ufeff/, ''));
}

/** Bytes without what may follow the last element, which is other bytes when the array has grown. */
export function bytesToLastElement(head: Buffer): number {
  let bytes = head.length;
  while (bytes > 0 && between.has(head[bytes - 1] ?? 0)) bytes -= 1;
  return bytes;
}

/** Those that are whole. */
export function elementsIn(head: Buffer): readonly string[] {
  return new Elements(0).take(head).map(({ text }) => text);
}

/**
 * Elements of a block at a time.
 * @throws DamagedLogError after the elements before one that does not end
 */
export async function* splitElements(
  source: AsyncIterable<Uint8Array>,
  fromByte: number,
  name: string,
): AsyncGenerator<readonly RawLine[]> {
  const elements = new Elements(fromByte);
  for await (const bytes of source) {
    const found = elements.take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (found.length > 0) yield found;
    if (elements.isTooLong) {
      throw new DamagedLogError(
        `Expected elements of a JSON array of at most ${maxElementBytes} bytes in ${name}, got one without an end at byte ${elements.fromByte}. What comes before it is sent. Repair the log there, and push it again`,
      );
    }
  }
  const last = elements.end();
  if (last !== undefined) yield [last];
}

class Elements {
  /** End of the last element. */
  fromByte: number;
  /** The newest one does not end; what follows is not looked at. */
  isTooLong = false;
  #blockByte: number;
  #held: Buffer = Buffer.alloc(0);
  #isOpen = false;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(fromByte: number) {
    this.fromByte = fromByte;
    this.#blockByte = fromByte;
  }

  take(block: Buffer): RawLine[] {
    const found: RawLine[] = [];
    let begin = 0;
    for (let at = 0; at < block.length && !this.isTooLong; at += 1) {
      const wasOpen = this.#isOpen;
      const endsBefore = this.#read(block[at] ?? 0);
      if (!wasOpen && this.#isOpen) begin = at;
      if (!wasOpen || this.#isOpen) continue;
      const end = endsBefore ? at : at + 1;
      const element = this.#cut(block.subarray(begin, end), this.#blockByte + end, true);
      if (!this.isTooLong) found.push(element);
    }
    // A copy, so that the block can go.
    if (this.#isOpen) this.#held = Buffer.concat([this.#held, block.subarray(begin)]);
    this.isTooLong ||= this.#held.length > maxElementBytes;
    this.#blockByte += block.length;
    return found;
  }

  /** What is left of one that is not whole. */
  end(): RawLine | undefined {
    return this.#isOpen ? this.#cut(Buffer.alloc(0), this.#blockByte, false) : undefined;
  }

  /** Opens and closes elements. True: the byte is not in the one that it closes. */
  #read(byte: number): boolean {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isText = false;
      return false;
    }
    if (this.#depth === 0 && between.has(byte)) {
      this.#isOpen = false;
      return true;
    }
    this.#isOpen = true;
    if (byte === quote) this.#isText = true;
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte) && this.#depth > 0) {
      this.#depth -= 1;
      this.#isOpen = this.#depth > 0;
    }
    return false;
  }

  #cut(rest: Buffer, toByte: number, ended: boolean): RawLine {
    const bytes = this.#held.length === 0 ? rest : Buffer.concat([this.#held, rest]);
    this.#held = Buffer.alloc(0);
    this.isTooLong ||= bytes.length > maxElementBytes;
    const tooLong = bytes.length > maxLineBytes;
    const text = bytes.toString('utf8', 0, tooLong ? shownBytes : bytes.length);
    const { fromByte } = this;
    if (!this.isTooLong) this.fromByte = toByte;
    return { text, fromByte, toByte, ended, tooLong };
  }
}
