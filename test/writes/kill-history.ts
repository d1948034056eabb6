// A folder of logs that grow and rotate, pushed by processes that are killed at moments drawn from a seed, over and over;
// then what came is compared with what is in the books.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type NumberedLines, noteNumberedLines } from '../support/numbered-lines.ts';
import { randomOf } from '../torture/random.ts';
import { type ChildEnvironment, runAirank, type Said, startAirank, textOf } from './airank-child.ts';
import { type Judged, judgePush, type Received, readBook, wrongVisits } from './judge-push.ts';
import { type KillOptions, killAtMoment, type Moments, noteMoment } from './kill-at-moment.ts';
import { createLogFolder, type LogFolder } from './log-folder.ts';
import type { NumberedForm } from './numbered-log.ts';
import { slowBook } from './slow-book.ts';
import { startSlowLine } from './slow-line.ts';

interface LogKillOptions extends KillOptions {
  readonly form: NumberedForm;
  /** In each second, so that some are refused. Default: no limit. */
  readonly uploadsPerSecond?: number;
}

interface KillHistory extends Judged {
  /** Processes that were killed, by what stood in the book then. */
  readonly moments: Readonly<Record<string, number>>;
  /** Number of requests that the service got. */
  readonly requests: number;
  readonly tookMs: number;
}

const sites = ['a', 'b', 'c'];
const lineBytesPerMs = 2_000;

export async function liveThroughKills(options: LogKillOptions): Promise<KillHistory> {
  const beganMs = Date.now();
  const random = randomOf(options.seed);
  const folder = await mkdtemp(join(tmpdir(), 'airank-kills-'));
  const limits = {
    perMinute: 1_000_000,
    perDay: 1_000_000,
    uploadsPerHour: options.uploadsPerSecond ?? 1_000_000,
    uploadWindowMs: 1_000,
  };
  const numbered = noteNumberedLines();
  const faults = { delayMs: [0, 25], received: numbered.received, ...options.faults } as const;
  const sandbox = await startSandbox({ ...limits, clients: 1, seed: options.seed, faults });
  const line = await startSlowLine(sandbox.port, lineBytesPerMs);
  const environment = { databaseUrl: options.databaseUrl, apiUrl: line.url, folder };
  const logs = createLogFolder(folder, sites, beganMs, random, options.form);
  const moments: Moments = {};
  const wrong: string[] = [];
  try {
    await slowBook(options.pool, ['write', 'write_source'], 10);
    for (const site of sites) await logs.grow(site, 40);
    for (let killed = 0; killed < options.kills; ) {
      const push = startAirank(environment, pushArgs(logs));
      const said = await killAtMoment(
        push,
        { requests: () => sandbox.stats().requests, mostRequests: 3 },
        random,
      );
      if (said === undefined) {
        killed += 1;
        const moment = await noteMoment(options.pool, moments);
        options.onKill?.(`${killed} killed, ${moment}`);
      } else if (!isFine(said)) {
        wrong.push(`a push ended with ${said.code}: ${textOf(said).slice(-2_000)}`);
        break;
      }
      await live(logs, random);
    }
    wrong.push(...(await finish(environment, logs, options)));
    const judged = await judgePush(options.pool, receivedBy(sandbox, numbered), logs.logs);
    if (judged.refused.length > 0) wrong.push(`${judged.refused.length} uploads are refused`);
    wrong.push(...(await resend(environment, numbered, logs, options, judged)));
    const { requests } = sandbox.stats();
    const tookMs = Date.now() - beganMs;
    return { ...judged, wrong: [...wrong, ...judged.wrong], moments, requests, tookMs };
  } finally {
    await line.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function receivedBy(sandbox: Sandbox, { has, repeated }: NumberedLines): Received {
  const { received } = sandbox.stats();
  return { lines: received.lines + received.dropped, has, repeated };
}

function pushArgs(logs: LogFolder, ...flags: readonly string[]): readonly string[] {
  return ['push', 'logs', ...flags, ...logs.paths()];
}

/** 1: an upload is unknown. Whoever comes right after a death may find its lock still held. */
function isFine(said: Said): boolean {
  return said.code === 0 || (said.code === 1 && /Outcome unknown|Another process/.test(textOf(said)));
}

async function live(logs: LogFolder, random: () => number): Promise<void> {
  for (const site of sites) {
    if (random() < 0.1) await logs.rotate(site, random() < 0.5 ? 'rename' : 'copytruncate');
    if (random() < 0.1) await logs.compress(site);
    if (random() < 0.7) {
      const lines = random() < 0.03 ? 14_000 : 1 + Math.floor(random() * 200);
      await logs.grow(site, lines, random() < 0.3);
    }
  }
}

/** Pushes until nothing waits any more. What is unknown then has to be named. @returns what was wrong with that */
async function finish(
  environment: ChildEnvironment,
  logs: LogFolder,
  { pool }: KillOptions,
): Promise<readonly string[]> {
  for (const site of sites) await logs.grow(site, 1);
  let last: Said = { code: null, stdout: '', stderr: '' };
  for (let tries = 1; tries <= 10; tries += 1) {
    last = await runAirank(environment, pushArgs(logs, '--json'));
    const ranges = await readBook(pool);
    const open = ranges.filter(({ status }) => status === 'planned' || status === 'sending');
    const unknown = ranges.filter(({ status }) => status === 'unknown');
    if (open.length > 0 || (last.code !== 0 && unknown.length === 0)) continue;
    const wrong = unknown
      .filter(({ id }) => !new RegExp(`\\b${id}\\b`).test(last.stdout))
      .map(({ id }) => `range ${id} is unknown, and the push does not say so`);
    if ((last.code === 1) !== unknown.length > 0) wrong.push(`${unknown.length} unknown, exit ${last.code}`);
    return wrong;
  }
  return [`the push does not end well: exit ${last.code}, ${textOf(last).slice(-2_000)}`];
}

/** Sends the unknown ones again, as somebody may decide: then nothing is missing, and twice came what had arrived. */
async function resend(
  environment: ChildEnvironment,
  numbered: NumberedLines,
  logs: LogFolder,
  { pool, faults }: KillOptions,
  before: Judged,
): Promise<readonly string[]> {
  let unknown = before.unknown.length;
  for (let tries = 1; tries <= 10 && unknown > 0; tries += 1) {
    await runAirank(environment, pushArgs(logs, '--unknown', 'resend'));
    unknown = (await readBook(pool)).filter(({ status }) => status === 'unknown').length;
  }
  const wrong = unknown === 0 ? [] : [`${unknown} uploads are unknown after they were sent again`];
  const bots = logs.logs.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'bot'));
  const missing = bots.filter(({ number }) => !numbered.has(number));
  if (missing.length > 0) wrong.push(`${missing.length} lines never came, such as ${missing[0]?.number}`);
  const visits = logs.logs.flatMap((log) =>
    log.lines.filter(({ kind }) => kind === 'bot').map(({ number }) => log.visitOf(number)),
  );
  wrong.push(...(await wrongVisits(pool, visits)));
  const repeated = numbered.repeated.length;
  const hadArrived = before.unknownLinesArrived;
  if (faults === undefined ? repeated !== hadArrived : repeated < hadArrived) {
    wrong.push(`sent again, ${repeated} lines came twice, expected ${hadArrived}`);
  }
  return wrong;
}
