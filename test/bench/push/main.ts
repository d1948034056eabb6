// test/bench/push/main.ts [gigabytes share-of-bots]: a log that is made while it is read, pushed through standard input into
// the sandbox with its hour shortened. Prints figures, and fails when lines are lost or come twice.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool } from '../../../src/db/pool.ts';
import { migrate } from '../../../src/install/migrate.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { catalog } from '../../../src/streams/catalog.ts';
import { buildIfOlder } from '../../support/built-program.ts';
import { noteNumberedLines } from '../../support/numbered-lines.ts';
import { startAirank } from '../../writes/airank-child.ts';
import { withoutWriteLimits } from '../../writes/slow-book.ts';
import { withBenchDatabase } from '../bench-database.ts';
import { cpuSecondsOf } from '../cpu-seconds.ts';
import { createEndlessLog } from './endless-log.ts';

const [gigabytes = 10, botShare = 0.1] = process.argv.slice(2).map(Number);
const totalBytes = gigabytes * 1e9;
const write = (line: string) => process.stdout.write(`${line}\n`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');

interface Look {
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

function lookAt(pid: number): Look | undefined {
  try {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return peak === undefined ? undefined : { cpuSeconds: cpuSecondsOf(pid), peakMb: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}

await buildIfOlder();
await withBenchDatabase(async (databaseUrl) => {
  const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'bench' });
  await migrate(
    pool,
    catalog.map(({ name }) => name),
  );
  await withoutWriteLimits(pool);
  const limits = {
    perMinute: 1_000_000,
    perDay: 1_000_000,
    uploadsPerHour: 1_000_000,
    uploadWindowMs: 1_000,
  };
  const { received: note, repeated } = noteNumberedLines();
  const sandbox = await startSandbox({ ...limits, clients: 1, faults: { received: note } });
  const folder = await mkdtemp(join(tmpdir(), 'airank-bench-push-'));
  try {
    const log = createEndlessLog(botShare, Date.now());
    const beganMs = Date.now();
    const push = startAirank({ databaseUrl, apiUrl: sandbox.url, folder }, ['push', 'logs', '-', '--json']);
    const pid = push.child.pid ?? 0;
    let last = lookAt(pid);
    let early: Look | undefined;
    let bytes = 0;
    let blocks = 0;
    const timer = setInterval(() => {
      last = lookAt(pid) ?? last;
      if (bytes < totalBytes / 10) early = last;
    }, 200);
    const { stdin } = push.child;
    stdin.on('error', () => undefined);
    while (bytes < totalBytes && push.child.exitCode === null) {
      const block = log.next();
      bytes += block.length;
      blocks += 1;
      if (!stdin.write(block)) await Promise.race([once(stdin, 'drain'), push.ended]);
    }
    stdin.end();
    const { code, stderr } = await push.ended;
    clearInterval(timer);
    const seconds = (Date.now() - beganMs) / 1000;
    const { received } = sandbox.stats();
    const { rows } = await pool.query<{ lines: number; uploads: number }>(
      `select sum(amount)::int as lines, count(*)::int as uploads from sync.write where status = 'accepted'`,
    );
    const [booked] = rows;
    const sent = blocks * log.bots;
    write(
      `${(bytes / 1e9).toFixed(1)} GB of log, ${count(blocks * log.lines)} lines, ${count(sent)} of bots: exit ${code}`,
    );
    write(
      `${count(seconds)} s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s; ${count(received.uploads)} uploads; CPU of the push ${last?.cpuSeconds.toFixed(0)} s`,
    );
    write(
      `peak memory ${last?.peakMb.toFixed(0)} MB, ${early?.peakMb.toFixed(0)} MB in the first tenth of the log`,
    );
    write(
      `lines: ${count(sent)} to send, ${count(booked?.lines ?? 0)} accepted, ${count(received.lines)} received, ${count(repeated.length)} twice`,
    );
    const isRight = code === 0 && received.lines === sent && booked?.lines === sent && repeated.length === 0;
    if (!isRight) {
      write(`WRONG ${stderr.slice(-1_000)}`);
      process.exitCode = 1;
    }
  } finally {
    await sandbox.close();
    await pool.end();
    await rm(folder, { recursive: true, force: true });
  }
});
