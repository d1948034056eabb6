// Cuts a stream of bytes into lines that know their place. One block and one unfinished line are in memory, no more.
import { isAscii } from 'node:buffer';

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
