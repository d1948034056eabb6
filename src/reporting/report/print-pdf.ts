// HTML to PDF by a Chromium that is installed here: a child process with a time limit, that loads nothing.

import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { limitTime } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { isFile } from './produce-report.ts';

const messageShape = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

type Answer = Readonly<Record<string, unknown>>;

/** Two pipes to a Chromium: JSON, each message ended by a NUL. No port is opened. */
interface DevtoolsPipe {
  /** @throws Error when the program refuses, or ends before it answers */
  ask(method: string, given?: Readonly<Record<string, unknown>>, sessionId?: string): Promise<Answer>;
  /** Resolves at the next event of that name. Call it before what causes it. */
  next(event: string): Promise<void>;
  /** What is waited for fails with it. */
  fail(error: Error): void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function openDevtoolsPipe(to: Writable, from: Readable): DevtoolsPipe {
  const answers = new Map<number, Waiting>();
  const events = new Map<string, Waiting>();
  let asked = 0;
  let failure: Error | undefined;
  let rest: Buffer[] = [];

  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of [...answers.values(), ...events.values()]) reject(failure);
    answers.clear();
    events.clear();
  };
  const take = (text: string) => {
    const { id, method, result = {}, error } = messageShape.parse(JSON.parse(text));
    const waiting = id === undefined ? events.get(method ?? '') : answers.get(id);
    if (id === undefined) events.delete(method ?? '');
    else answers.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  };
  from.on('data', (bytes: Buffer) => {
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const text = Buffer.concat([...rest, bytes.subarray(start, end)]).toString();
      rest = [];
      start = end + 1;
      try {
        take(text);
      } catch {
        fail(new Error('it says what cannot be read'));
      }
    }
    rest.push(bytes.subarray(start));
  });
  // A program that has ended: its end is told by fail().
  for (const stream of [to, from]) stream.on('error', () => undefined);

  const wait = <Key>(all: Map<Key, Waiting>, key: Key): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) reject(failure);
      else all.set(key, { resolve, reject });
    });
  return {
    ask(method, params = {}, sessionId) {
      asked += 1;
      const answer = wait(answers, asked);
      to.write(`${JSON.stringify({ id: asked, method, params, sessionId })}\0`);
      return answer;
    },
    async next(event) {
      await wait(events, event);
    },
    fail,
  };
}

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
  'chrome.exe',
  'msedge.exe',
];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The program that prints. @param given AIRANK_CHROMIUM
 * @throws ConfigError where there is none, with what to install
 */
export async function findChromium(given: string | undefined, path: string | undefined): Promise<string> {
  const fix = 'Install Chromium or Chrome (apt install chromium), or set AIRANK_CHROMIUM to its program';
  if (given !== undefined) {
    if (isAbsolute(given) && (await canRun(given))) return given;
    const got = JSON.stringify(given);
    throw new ConfigError([
      `Expected AIRANK_CHROMIUM to be the path of a program that can be run, got ${got}. ${fix}`,
    ]);
  }
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...usualPlaces];
  for (const place of places) if (await canRun(place)) return place;
  throw new ConfigError([
    `Expected a Chromium for --pdf, got none here. ${fix}. The HTML prints well from any browser`,
  ]);
}

async function canRun(program: string): Promise<boolean> {
  // Folders can be entered, which is the same bit.
  if (!(await isFile(program))) return false;
  return await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}

interface PrintOptions {
  readonly signal: AbortSignal;
  /** Default 60000. */
  readonly timeoutMs?: number;
}

/** @throws Error when the program fails, or is not done in time */
export async function printPdf(
  program: string,
  html: string,
  { signal, timeoutMs = 60_000 }: PrintOptions,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-report-'));
  const limit = limitTime(timeoutMs, signal);
  try {
    const page = join(folder, 'report.html');
    await writeFile(page, html, { mode: 0o600 });
    const bytes = await withProgram(program, join(folder, 'profile'), limit.signal, (pipe) =>
      printPage(pipe, pathToFileURL(page).href),
    );
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return bytes;
    throw new Error(`Expected ${program} to print a PDF, got ${bytes.length} bytes of something else`);
  } finally {
    limit.release();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function printPage(pipe: DevtoolsPipe, url: string): Promise<Buffer> {
  const { targetId } = await pipe.ask('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await pipe.ask('Target.attachToTarget', { targetId, flatten: true });
  const inPage = (method: string, given = {}) => pipe.ask(method, given, String(sessionId));
  await inPage('Emulation.setScriptExecutionDisabled', { value: true });
  await inPage('Page.enable');
  // Both at once: the event may come before the answer.
  const [navigated] = await Promise.all([inPage('Page.navigate', { url }), pipe.next('Page.loadEventFired')]);
  if (navigated['errorText'] !== undefined)
    throw new Error(`The page did not open: ${navigated['errorText']}`);
  const { data } = await inPage('Page.printToPDF', { printBackground: true, preferCSSPageSize: true });
  return Buffer.from(String(data), 'base64');
}

const mostSaid = 400;

/** Starts the program, and ends it with its children whatever happens. */
async function withProgram<Result>(
  program: string,
  profile: string,
  stop: AbortSignal,
  work: (pipe: DevtoolsPipe) => Promise<Result>,
): Promise<Result> {
  const options = [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-dev-shm-usage',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    // Chromium's sandbox refuses root. The page is our own, and holds no script and no address.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
  ];
  // A group of its own: Chromium's children end with it.
  const child = spawn(program, options, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const [, , , to, from] = child.stdio;
  const pipe = openDevtoolsPipe(to as Writable, from as Readable);
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('latin1')).slice(-mostSaid);
  });
  const failAs = (how: string) => {
    const text = said.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
    pipe.fail(new Error(`${program} printed no PDF: ${how}${text === '' ? '' : `; ${text}`}`));
  };
  const giveUp = () => failAs('it was not done in time');
  child.on('error', (error) => failAs(error.message));
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      failAs(`it ended by ${signal ?? `exit code ${code}`}`);
      resolve();
    });
    child.on('error', () => resolve());
  });
  stop.addEventListener('abort', giveUp, { once: true });
  try {
    if (stop.aborted) giveUp();
    return await work(pipe);
  } finally {
    stop.removeEventListener('abort', giveUp);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await ended;
  }
}
