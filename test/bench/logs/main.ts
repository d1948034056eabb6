// test/bench/logs/main.ts [megabytes]: how fast a log is read into chunks and how much memory that takes, by format and
// by compression: CPU seconds of one core. Files are made in a temporary
// folder, and are gone after it.
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { madeFormats, writeLog } from './made-log.ts';

const run = promisify(execFile);
const measured = z.object({
  cpuSeconds: z.number(),
  lines: z.number(),
  sent: z.number(),
  chunks: z.number(),
  peakRss: z.number(),
});

const bytes = Number(process.argv[2] ?? 200) * 1e6;
const folder = await mkdtemp(join(tmpdir(), 'airank-bench-logs-'));

async function row(name: string, path: string, agents = 'bots'): Promise<void> {
  const child = join(import.meta.dirname, 'measure-main.ts');
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, path, agents]);
  const { cpuSeconds, lines, sent, chunks, peakRss } = measured.parse(JSON.parse(stdout));
  const figures = [
    `${(bytes / 1e6 / cpuSeconds).toFixed(0)} MB/s`,
    `${Math.round(lines / cpuSeconds / 1_000)},000 lines/s`,
    `${(peakRss / 1e6).toFixed(0)} MB of memory`,
    `${lines} lines, ${sent} sent in ${chunks} chunks`,
  ];
  process.stdout.write(`${name.padEnd(24)} ${figures.join('   ')}\n`);
}

try {
  const path = join(folder, 'made.log');
  for (const format of madeFormats) {
    await writeLog(path, format, bytes);
    await row(format, path);
    if (format !== 'combined') continue;
    await row('combined, --all-agents', path, 'all');
    await pipeline(createReadStream(path), createGzip({ level: 6 }), createWriteStream(`${path}.gz`));
    process.stdout.write(`gzip: ${((await stat(`${path}.gz`)).size / 1e6).toFixed(0)} MB\n`);
    await row('combined, gzip', `${path}.gz`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
