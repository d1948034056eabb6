// Sends damaged lines of one format through everything, and finds each of them again.
import { isLogEvent, readLogLines } from '../../../src/sandbox/writes.ts';
import { chunkLines } from '../../../src/writes/logs/chunk-lines.ts';
import { combinedReader } from '../../../src/writes/logs/combined.ts';
import { findFormat } from '../../../src/writes/logs/find-format.ts';
import type { ChunkForm, LogChunk } from '../../../src/writes/logs/log-chunk.ts';
import { splitLines } from '../../../src/writes/logs/split-lines.ts';
import { randomOf } from '../../torture/random.ts';
import { damaged } from './fuzz-lines.ts';
import type { LogSample } from './log-samples.ts';
import { chunkOptions } from './log-world.ts';

export interface Fuzzed {
  readonly read: number;
  readonly sent: number;
  readonly unreadable: number;
  readonly others: number;
  /** What is wrong; there is to be nothing. */
  readonly faults: readonly string[];
}

export async function fuzzFormat(
  sample: LogSample,
  lines: number,
  form: ChunkForm,
  seed = 1,
): Promise<Fuzzed> {
  const random = randomOf(seed);
  const format = findFormat(sample.lines, { pattern: sample.pattern });
  const requests = sample.lines.filter((line) => line.includes('/page/'));
  const head = sample.lines.filter((line) => !requests.includes(line));
  const faults: string[] = [];
  let rejected = 0;
  const total = { read: 0, sent: 0, unreadable: 0, others: 0 };
  const options = chunkOptions({ form, allAgents: true, onReject: () => (rejected += 1) });
  const batches = splitLines(damagedLog(head, requests, lines, random));
  for await (const chunk of chunkLines(batches, format.reader(), options)) {
    const { read, sent, unreadable, tooOld, notBots, nothing } = chunk.counts;
    total.read += read;
    total.sent += sent;
    total.unreadable += unreadable;
    total.others += tooOld + notBots + nothing;
    if (read !== sent + unreadable + tooOld + notBots + nothing) faults.push('counts that do not add up');
    faults.push(...faultsOf(chunk));
  }
  if (total.read !== lines + head.length) faults.push(`${lines + head.length} lines, ${total.read} read`);
  if (rejected !== total.unreadable) faults.push(`${total.unreadable} unreadable, ${rejected} given out`);
  return { ...total, faults };
}

async function* damagedLog(
  head: readonly string[],
  lines: readonly string[],
  count: number,
  random: () => number,
) {
  for (const line of head) yield Buffer.from(`${line}\n`);
  for (let index = 0; index < count; index += 1)
    yield Buffer.concat([damaged(lines, random), Buffer.from('\n')]);
}

/** The server takes every line, and reads in it what was read here. */
function faultsOf(chunk: LogChunk): string[] {
  const text = chunk.body.toString();
  if (!Buffer.from(text).equals(chunk.body)) return ['a body that is no UTF-8'];
  if (chunk.lines === 0) return [];
  if (chunk.form === 'json') {
    const events: unknown[] = JSON.parse(text).eventos;
    return events.length === chunk.lines && events.every(isLogEvent) ? [] : ['events that the server drops'];
  }
  const taken = readLogLines(text);
  const accepted = (taken?.lines.length ?? 0) - (taken?.dropped ?? 0);
  const reader = combinedReader('combined');
  const lines = text.split('\n').slice(0, -1);
  const again = lines.filter((line) => reader.read(line).kind !== 'event');
  const faults = again.map((line) => `cannot be read again: ${line}`);
  if (lines.length !== chunk.lines) faults.push(`${chunk.lines} lines sent, ${lines.length} in the body`);
  if (accepted !== chunk.lines) faults.push(`the server takes ${accepted} of ${chunk.lines}`);
  return faults;
}
