// Cuts a stream of bytes into lines, or a JSON array into its elements, that know their place. One block and one
// unfinished line or element are in memory, no more.

import { isAscii } from 'node:buffer';
import { DamagedLogError } from './decompress.ts';

/** A longer line is reported and not held. */
export const maxLineBytes = 65_536;

/** As much of a line that is too long is there to be shown. */
const shownBytes = 200;

const lineFeed = 10;

export interface RawLine {
  /** Without its line end. Bytes that are no UTF-8 are U+FFFD. Of a line that is too long only the beginning. */
  readonly text: string;
  /** Place in the decompressed content: the first byte, and the one after its line end. */
  readonly fromByte: number;
  readonly toByte: number;
  /** False for the last line of a file that does not end with a line end: it may still be written to. */
  readonly ended: boolean;
  readonly tooLong: boolean;
}

interface Place {
  /** Of the first byte that is not in a line yet. */
  atByte: number;
  /** The beginning of a line whose end has not come. */
  rest: Buffer;
  /** Bytes of a line that is too long, beside those in `rest`. */
  droppedBytes: number;
}

/** Lines of a block at a time: a promise for each line takes longer than the line. */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  fromByte = 0,
): AsyncGenerator<readonly RawLine[]> {
  const place: Place = { atByte: fromByte, rest: Buffer.alloc(0), droppedBytes: 0 };
  for await (const bytes of source) {
    const lines = linesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), place);
    if (lines.length > 0) yield lines;
  }
  const heldBytes = place.rest.length + place.droppedBytes;
  if (heldBytes > 0) yield [longLine(place, heldBytes, false)];
}

function linesOf(incoming: Buffer, place: Place): RawLine[] {
  const lines: RawLine[] = [];
  let block = incoming;
  if (place.droppedBytes > 0) {
    const end = block.indexOf(lineFeed);
    if (end === -1) {
      place.droppedBytes += block.length;
      return lines;
    }
    lines.push(longLine(place, place.rest.length + place.droppedBytes + end + 1, true));
    block = block.subarray(end + 1);
  } else if (place.rest.length > 0) {
    block = Buffer.concat([place.rest, block]);
  }
  const lastEnd = block.lastIndexOf(lineFeed);
  if (lastEnd !== -1) pushLines(lines, block, lastEnd, place);
  holdRest(place, block.subarray(lastEnd + 1));
  return lines;
}

function pushLines(lines: RawLine[], block: Buffer, lastEnd: number, place: Place): void {
  const ascii = isAscii(block);
  // A character a byte, so that places in the text are places in the file.
  const text = block.toString('latin1', 0, lastEnd);
  const startByte = place.atByte;
  let from = 0;
  while (from <= lastEnd) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? lastEnd : found;
    const tooLong = end - from > maxLineBytes;
    lines.push({
      text: tooLong ? shown(block.subarray(from, end)) : lineText(text, from, end, ascii),
      fromByte: startByte + from,
      toByte: startByte + end + 1,
      ended: true,
      tooLong,
    });
    from = end + 1;
  }
  place.atByte = startByte + lastEnd + 1;
}

function lineText(text: string, from: number, end: number, ascii: boolean): string {
  const to = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  const line = text.slice(from, to);
  if (ascii || !/[\x80-\xff]/.test(line)) return line;
  return withoutMark(Buffer.from(line, 'latin1').toString('utf8'));
}

function holdRest(place: Place, rest: Buffer): void {
  const tooLong = rest.length > maxLineBytes;
  // A copy, so that the block can go.
  place.rest = Buffer.from(tooLong ? rest.subarray(0, shownBytes) : rest);
  place.droppedBytes = tooLong ? rest.length - shownBytes : 0;
}

/** A line out of what is held: one that is too long, or the last of the file. */
function longLine(place: Place, lengthBytes: number, ended: boolean): RawLine {
  const fromByte = place.atByte;
  const tooLong = place.droppedBytes > 0;
  const text = tooLong
    ? shown(place.rest)
    : lineText(place.rest.toString('latin1'), 0, place.rest.length, false);
  place.atByte += lengthBytes;
  place.rest = Buffer.alloc(0);
  place.droppedBytes = 0;
  return { text, fromByte, toByte: place.atByte, ended, tooLong };
}

function shown(bytes: Buffer): string {
  return withoutMark(bytes.subarray(0, shownBytes).toString('utf8'));
}

/** A byte order mark stands at the head of files that went through Windows. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What is longer is no element: a quote or bracket is missing somewhere. */
export const maxElementBytes = 1_048_576;

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
 * Elements of a block at a time. The place of one begins where the one before ends. What closes the array is in none, so that it
 * may be written on.
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
