// npm run bench:logs [-- megabytes]: how fast a log is read into chunks and how much memory that takes, by format and
// by compression, on one core. Files are made in a temporary folder, and are gone after it.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { chunkLog, formatOf } from '../../../src/writes/logs/chunk-log.ts';
import { createFindBot } from '../../../src/writes/logs/find-bot.ts';
import { openLog } from '../../../src/writes/logs/open-log.ts';
import { type MadeFormat, madeFormats, writeLog } from './made-log.ts';

const megabytes = Number(process.argv[2] ?? 200);
const folder = await mkdtemp(join(tmpdir(), 'airank-bench-logs-'));

interface Measured {
  readonly seconds: number;
  readonly lines: number;
  readonly sent: number;
  readonly chunks: number;
  readonly peakRssMegabytes: number;
}

async function measure(path: string, allAgents = false): Promise<Measured> {
  const log = await openLog(path);
  const format = formatOf(log);
  if (format === null) throw new Error(`no format: ${path}`);
  let [lines, sent, chunks, peakRss] = [0, 0, 0, 0];
  const options = { form: 'text', allAgents, anonymizeIp: allAgents, lastLine: 'take' } as const;
  const more = { findBot: createFindBot(), nowMs: Date.parse('2026-04-10'), onReject: () => {} };
  const watch = setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  }, 50);
  const startedMs = performance.now();
  for await (const chunk of chunkLog(log, format, { fromByte: 0 }, { ...options, ...more })) {
    lines += chunk.counts.read;
    sent += chunk.lines;
    chunks += chunk.lines === 0 ? 0 : 1;
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  clearInterval(watch);
  await log.close();
  return { seconds, lines, sent, chunks, peakRssMegabytes: peakRss / 1e6 };
}

async function row(name: string, path: string, bytes: number, allAgents = false): Promise<void> {
  const { seconds, lines, sent, chunks, peakRssMegabytes } = await measure(path, allAgents);
  const figures = [
    `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
    `${Math.round(lines / seconds / 1_000)},000 lines/s`,
    `${lines} lines, ${sent} sent in ${chunks} chunks`,
    `${peakRssMegabytes.toFixed(0)} MB of memory`,
  ];
  process.stdout.write(`${name.padEnd(28)} ${figures.join('   ')}\n`);
}

async function measureFormat(format: MadeFormat): Promise<void> {
  const path = join(folder, 'made.log');
  await writeLog(path, format, megabytes * 1e6);
  const { size } = await stat(path);
  await row(format, path, size);
  if (format === 'combined') {
    await row('combined, --all-agents', path, size, true);
    await pipeline(createReadStream(path), createGzip({ level: 6 }), createWriteStream(`${path}.gz`));
    await row('combined, gzip', `${path}.gz`, size);
  }
}

try {
  for (const format of madeFormats) await measureFormat(format);
} finally {
  await rm(folder, { recursive: true, force: true });
}
