// HTML to PDF by a Chromium that is installed here: a child process with a time limit, that loads nothing.
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../core/errors.ts';
import { limitTime } from '../core/time-limit.ts';

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
  return await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export interface PrintOptions {
  readonly signal: AbortSignal;
  /** Default 60000. */
  readonly timeoutMs?: number;
}

/** @throws Error when the program fails, or does not end in time */
export async function printPdf(
  program: string,
  html: string,
  { signal, timeoutMs = 60_000 }: PrintOptions,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-report-'));
  try {
    const [page, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')];
    await writeFile(page, html, { mode: 0o600 });
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
      `--user-data-dir=${join(folder, 'profile')}`,
      '--no-pdf-header-footer',
      `--print-to-pdf=${pdf}`,
      pathToFileURL(page).href,
    ];
    const limit = limitTime(timeoutMs, signal);
    const said = await run(program, options, limit.signal).finally(limit.release);
    signal.throwIfAborted();
    const bytes = await readFile(pdf).catch(() => undefined);
    if (bytes?.subarray(0, 5).toString('latin1') === '%PDF-') return bytes;
    throw new Error(`Expected ${program} to write a PDF, got none: ${said}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const mostSaid = 400;

/** The end of what it said, and how it ended. */
async function run(program: string, options: readonly string[], stop: AbortSignal): Promise<string> {
  // A group of its own: Chromium's children end with it.
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('latin1')).slice(-mostSaid);
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  stop.addEventListener('abort', kill, { once: true });
  try {
    const ended = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
      if (stop.aborted) kill();
    });
    const how = stop.aborted ? 'it did not end in time' : ended;
    return `${how}; ${said.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()}`;
  } finally {
    stop.removeEventListener('abort', kill);
    kill();
  }
}
