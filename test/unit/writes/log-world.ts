// Lines of logs, written for these tests, and what the tests ask of them.
import type { Bot } from '../../../src/writes/logs/bots.ts';
import { type ChunkOptions, chunkLines } from '../../../src/writes/logs/chunk-lines.ts';
import { combinedReader } from '../../../src/writes/logs/combined.ts';
import type { LogChunk, RejectedLine } from '../../../src/writes/logs/log-chunk.ts';
import type { LogEvent, LogReader } from '../../../src/writes/logs/log-event.ts';
import { splitLines } from '../../../src/writes/logs/split-lines.ts';

export const nowMs = Date.parse('2026-04-10T00:00:00Z');

export const robot = 'Mozilla/5.0 (compatible; TestBot/1.0; +https://bots.example)';
export const person = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const testBot: Bot = { name: 'TestBot', operator: 'Example', purpose: 'search' };

export function findTestBot(userAgent: string | null): Bot | null {
  return userAgent?.includes('TestBot') ? testBot : null;
}

/** A line of a bot in combined format; `number` is in its path. */
export function combinedLine(number: number, userAgent = robot, day = '03/Apr/2026'): string {
  return `192.0.2.7 - - [${day}:10:00:00 +0200] "GET /page/${number}?q=a HTTP/1.1" 200 5120 "-" "${userAgent}"`;
}

export async function* inBlocks(text: string | Buffer, blockBytes = 64): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes);
}

export function chunkOptions(options: Partial<ChunkOptions> = {}): ChunkOptions {
  return {
    form: 'text',
    findBot: findTestBot,
    allAgents: false,
    anonymizeIp: false,
    nowMs,
    lastLine: 'take',
    onReject: () => {},
    ...options,
  };
}

export interface Chunked {
  readonly chunks: readonly LogChunk[];
  readonly rejected: readonly RejectedLine[];
}

export async function chunked(
  text: string | Buffer,
  options: Partial<ChunkOptions> = {},
  reader: LogReader = combinedReader('combined'),
): Promise<Chunked> {
  const rejected: RejectedLine[] = [];
  const all = chunkOptions({ onReject: (line) => rejected.push(line), ...options });
  const chunks: LogChunk[] = [];
  for await (const chunk of chunkLines(splitLines(inBlocks(text)), reader, all)) chunks.push(chunk);
  return { chunks, rejected };
}

/** The event of a line that must be readable. */
export function eventOf(reader: LogReader, line: string): LogEvent {
  const reading = reader.read(line);
  if (reading.kind !== 'event') throw new Error(`${JSON.stringify(reading)}: ${line}`);
  return reading.event;
}
