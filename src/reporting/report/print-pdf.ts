// Prints HTML as PDF with an installed Chromium, a child process with a time limit that loads nothing.

import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { limitTime } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { isFile } from './produce-report.ts';

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
 * Finds the program that prints.
 * @param given AIRANK_CHROMIUM
 * @throws ConfigError if there is none, with what to install
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
    `No Chromium was found for --pdf. ${fix}. The HTML also prints well from any browser`,
  ]);
}

async function canRun(program: string): Promise<boolean> {
  // Folders have the same bit, as they can be entered.
  if (!(await isFile(program))) return false;
  return await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}

interface PrintOptions {
  readonly signal: AbortSignal;
  /** Default: 60000. */
  readonly timeoutMs?: number;
}

// Not set by a flag: --blink-settings=scriptEnabled=false also stops the page that prints (Chromium 156).
const preferences = { profile: { default_content_setting_values: { javascript: 2 } } };

/** @throws Error when the program fails, or takes too long */
export async function printPdf(
  program: string,
  html: string,
  { signal, timeoutMs = 60_000 }: PrintOptions,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-report-'));
  const limit = limitTime(timeoutMs, signal);
  try {
    const page = join(folder, 'report.html');
    const printed = join(folder, 'report.pdf');
    const profile = join(folder, 'profile');
    await writeFile(page, html, { mode: 0o600 });
    await mkdir(join(profile, 'Default'), { recursive: true });
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    const options = [
      '--headless',
      '--disable-gpu',
      '--no-first-run',
      '--disable-extensions',
      '--disable-background-networking',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND',
      // Chromium's sandbox refuses root. The page is ours, and has no script and no address.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      '--no-pdf-header-footer',
      `--print-to-pdf=${printed}`,
      pathToFileURL(page).href,
    ];
    const { how, output } = await runProgram(program, options, limit.signal);
    // Chromium exits with 0 even if it could not print.
    const bytes = await readFile(printed).catch(() => undefined);
    if (how !== 'it ended by exit code 0' || bytes === undefined) {
      const ending = limit.signal.aborted ? 'it was not done in time' : how;
      throw new Error(`${program} printed no PDF: ${ending}${output === '' ? '' : `; ${output}`}`);
    }
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return bytes;
    throw new Error(`Expected ${program} to print a PDF, got ${bytes.length} bytes of something else`);
  } finally {
    limit.release();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const longestOutput = 400;

/** Runs the program, and always ends it with its children. Returns how it ended, and the end of its error output. */
async function runProgram(
  program: string,
  options: readonly string[],
  stop: AbortSignal,
): Promise<{ how: string; output: string }> {
  // Runs in a process group of its own, so that Chromium's children end with it.
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => {
    output = (output + bytes.toString('latin1')).slice(-longestOutput);
  });
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    const how = await new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', end);
      child.on('close', (code, by) => resolve(`it ended by ${by ?? `exit code ${code}`}`));
    });
    return { how, output: output.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() };
  } finally {
    stop.removeEventListener('abort', end);
  }
}
