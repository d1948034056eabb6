// From a log to its chunks: finds the format at its head, goes to a byte, reads up to another.

import { type ChunkOptions, chunkLines, refuseWithoutAgents } from './chunk-lines.ts';
import { findFormat, type WantedFormat } from './find-format.ts';
import type { LogChunk } from './log-chunk.ts';
import type { FoundFormat } from './log-event.ts';
import { headBytes, type OpenLog } from './open-log.ts';
import { elementsIn, isJsonArray, type RawLine, splitElements, splitLines } from './split-lines.ts';

const sampleLines = 200;

export interface ChunkRange {
  readonly fromByte: number;
  /** Reading ends before the line that begins here or later. Without it, at the end of the log. */
  readonly toByte?: number | undefined;
}

/** Null of a log without a whole line. */
export function formatOf(log: OpenLog, wanted: WantedFormat = {}): FoundFormat | null {
  if (wanted.pattern === undefined && isJsonArray(log.head)) {
    const elements = elementsIn(log.head).slice(0, sampleLines);
    return elements.length === 0 ? null : { ...findFormat(elements, wanted), inArray: true };
  }
  const lines = log.head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  // The last one is cut where the head is, '' where it ends with a line end, and maybe half of a line in a pipe and where a file grows.
  const isCut = log.head.length >= headBytes || lines.at(-1) === '' || log.sizeBytes === null;
  if (mayGrow(log) || (lines.length > 1 && isCut)) lines.pop();
  if (lines.every((line) => line.trim() === '')) return null;
  return findFormat(lines.slice(0, sampleLines), wanted);
}

/** Whether its last line may be half of one: that of a plain file. */
export function mayGrow({ sizeBytes, compression }: Pick<OpenLog, 'sizeBytes' | 'compression'>): boolean {
  return sizeBytes !== null && compression === 'none';
}

/** @throws ConfigError at once where the log has no user agents and only bots are to be sent */
export async function* chunkLog(
  log: OpenLog,
  format: FoundFormat,
  range: ChunkRange,
  options: ChunkOptions,
): AsyncGenerator<LogChunk> {
  refuseWithoutAgents(format, options.allAgents);
  const reader = format.reader();
  const beginByte = format.needsHead ? 0 : range.fromByte;
  const blocks = log.blocks(beginByte);
  const batches = format.inArray ? splitElements(blocks, beginByte, log.name) : splitLines(blocks, beginByte);
  let hasHead = false;
  const wanted = linesIn(batches, range, ({ text }) => {
    // Of what was sent before, only headers say something about what follows.
    if (!hasHead || text.startsWith('#')) {
      reader.read(text);
      hasHead ||= text.trim() !== '';
    }
  });
  yield* chunkLines(wanted, reader, options, range.fromByte);
}

async function* linesIn(
  batches: AsyncIterable<readonly RawLine[]>,
  { fromByte, toByte = Number.POSITIVE_INFINITY }: ChunkRange,
  onEarlier: (line: RawLine) => void,
): AsyncGenerator<readonly RawLine[]> {
  for await (const lines of batches) {
    const first = lines[0]?.fromByte ?? 0;
    const last = lines.at(-1)?.fromByte ?? 0;
    if (first >= fromByte && last < toByte) {
      yield lines;
      continue;
    }
    for (const line of lines) if (line.fromByte < fromByte) onEarlier(line);
    yield lines.filter((line) => line.fromByte >= fromByte && line.fromByte < toByte);
    if (last >= toByte) return;
  }
}
