// The questions of `airank init`, and the files that it writes.

import { readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { keyFromFile } from '../../config/accounts.ts';
import { parseBaseUrl } from '../../config/addresses.ts';
import { type FaultHints, faultText } from '../../config/fault.ts';
import { parseApiKey } from '../../config/setting-kinds.ts';
import { ConfigError } from '../../core/errors.ts';
import { writeWhole } from '../../core/files.ts';
import type { Asker } from '../ask.ts';
import type { Terminal } from '../terminal.ts';
import { hasJobFiles, type InitJobs, initJobs } from './jobs-new-command.ts';

/**
 * The files that `airank init` writes. They are texts first, so that conflicts are found before anything is
 * written.
 */
export interface InitFile {
  /** A path from the working folder. */
  readonly name: string;
  readonly text: string;
  /** File mode: a file that may hold a key is readable by its owner alone. */
  readonly mode: number;
  /** Names of what would be overwritten with something else: settings in .env, or the file itself. */
  readonly replaces: readonly string[];
}

export interface InitValues {
  readonly baseUrl: string;
  /** The key itself, or the file that it stays in. */
  readonly key: { readonly text: string } | { readonly file: string };
  readonly isYaml: boolean;
  /** Undefined: the jobs that come along stay as they are. */
  readonly jobs?: InitJobs;
}

/** @param cwd where they go */
export async function initFiles(cwd: string, values: InitValues): Promise<readonly InitFile[]> {
  const { baseUrl, key, isYaml, jobs } = values;
  const ofKey: Record<string, string> =
    'file' in key ? { AIRANK_API_KEY_FILE: key.file } : { AIRANK_API_KEY: key.text };
  const jobsDir = jobs === undefined || jobs.isSet ? undefined : jobs.folder;
  const env = isYaml
    ? ofKey
    : { AIRANK_BASE_URL: baseUrl, ...ofKey, ...(jobsDir !== undefined && { AIRANK_JOBS_DIR: jobsDir }) };
  const yaml = isYaml ? [await plainFile(cwd, 'airank.config.yaml', yamlText(baseUrl, jobsDir))] : [];
  const jobFiles = (jobs?.files ?? []).map(({ name, text }) =>
    plainFile(cwd, join(jobs?.folder ?? '', name), text),
  );
  return [await envFile(cwd, env), ...yaml, ...(await Promise.all(jobFiles))];
}

async function plainFile(cwd: string, name: string, text: string): Promise<InitFile> {
  const before = await textOf(join(cwd, name));
  return { name, text, mode: 0o644, replaces: before === undefined || before === text ? [] : [name] };
}

async function envFile(cwd: string, given: Readonly<Record<string, string>>): Promise<InitFile> {
  const before = await textOf(join(cwd, '.env'));
  const set = parseEnv(before ?? '');
  // A setting left in .env beside the new ones would win over them, or be a fault: empty it.
  const others = ['AIRANK_BASE_URL', 'AIRANK_API_KEY', 'AIRANK_API_KEY_FILE'];
  const unset = others.filter((name) => !(name in given) && (set[name] ?? '') !== '');
  const values = { ...given, ...Object.fromEntries(unset.map((name) => [name, ''])) };
  const replaces = Object.entries(values).flatMap(([name, value]) =>
    (set[name] ?? '') === '' || set[name] === value ? [] : [`${name} in .env`],
  );
  const text =
    before ??
    '# Settings of airank-warehouse; all of them: docs/configuration.md. Not for version control.\n';
  return { name: '.env', text: setInEnvText(text, values), mode: 0o600, replaces };
}

function yamlText(baseUrl: string, jobsDir: string | undefined): string {
  return [
    '# Settings of airank-warehouse; all of them: docs/configuration.md. Keys do not belong here, but in .env.',
    `base_url: ${JSON.stringify(baseUrl)}`,
    '# timezone: Europe/Madrid',
    '# per_minute: 60',
    ...(jobsDir === undefined ? [] : [`jobs_dir: ${JSON.stringify(jobsDir)}`]),
    '',
  ].join('\n');
}

export async function writeInitFile(cwd: string, { name, text, mode }: InitFile): Promise<void> {
  const path = join(cwd, name);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, [text], { mode });
}

async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** @throws ConfigError where there is no pipe, or nothing in it */
async function readPipedLine(terminal: Terminal): Promise<string> {
  const { stdin } = terminal;
  const line = stdin === undefined || stdin.isTTY ? '' : ((await text(stdin)).split(/\r?\n/)[0] ?? '');
  if (line === '') throw new ConfigError(['Expected the API key on the first line of a pipe, got nothing']);
  return line;
}

export interface InitFlags {
  readonly baseUrl?: string;
  readonly keyFile?: string;
  readonly keyStdin?: true;
  readonly yaml?: true;
  /** False: --no-jobs. */
  readonly jobs?: boolean;
  readonly force?: true;
  readonly offline?: true;
}

/** Answers given so far: after a mistyped key, only the key is asked again. */
export interface Answered {
  baseUrl?: string;
  withJobs?: boolean;
}

/**
 * Asks for what the flags leave open.
 * @returns undefined if somebody stopped it
 * @throws ConfigError if something is missing or cannot be what it is called
 */
export async function initAnswers(
  terminal: Terminal,
  flags: InitFlags,
  asker: Asker | undefined,
  answered: Answered,
): Promise<InitValues | undefined> {
  const { baseUrl: given, keyFile, keyStdin, yaml } = flags;
  if (keyFile !== undefined && keyStdin) {
    throw new ConfigError(['Expected one of --key-file and --key-stdin, got both']);
  }
  if (asker === undefined && (given === undefined || (keyFile === undefined && !keyStdin))) {
    throw new ConfigError([
      'Expected --base-url, and --key-file or --key-stdin, where nobody can be asked, got no terminal',
    ]);
  }
  checkFlags(terminal.cwd, flags);
  const baseUrl = given ?? (await addressOf(asker, answered));
  if (baseUrl === undefined) return undefined;
  const key = keyFile === undefined ? await typedKey(terminal, flags, asker) : nameOf(terminal.cwd, keyFile);
  if (key === undefined) return undefined;
  const withJobs = flags.jobs ?? (await wantsJobs(terminal, asker, answered));
  if (withJobs === undefined) return undefined;
  return { baseUrl, key, isYaml: yaml === true, ...(withJobs && { jobs: await initJobs(terminal) }) };
}

/** Checks the flags, and reports faults under their names. */
function checkFlags(cwd: string, { baseUrl, keyFile }: InitFlags): void {
  const faults: string[] = [];
  const address = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl);
  if (address?.ok === false) faults.push(refusal('--base-url', address));
  if (keyFile !== undefined) {
    const readFile = (path: string) => readFileSync(path, 'utf8');
    keyFromFile(keyFile, cwd, '--key-file', { readFile, needed: true, faults });
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/**
 * Asks for the address. Enter repeats the address of the try before: a mistyped key is more likely than a
 * wrong server that answered.
 * @throws ConfigError where it cannot be one, before the key is asked for
 */
async function addressOf(asker: Asker | undefined, answered: Answered): Promise<string | undefined> {
  const { baseUrl: before } = answered;
  const hint = before === undefined ? ', such as https://api.example.com' : ` (Enter: ${before})`;
  const typed = await asker?.line(`Address of the API${hint}:`);
  if (typed === undefined) return undefined;
  const baseUrl = typed === '' && before !== undefined ? before : typed;
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new ConfigError([refusal('the address of the API', parsed)]);
  answered.baseUrl = baseUrl;
  return baseUrl;
}

/** Names a key file below the working folder relatively, which stays true when the folder moves. */
function nameOf(cwd: string, keyFile: string): InitValues['key'] {
  const path = resolve(cwd, keyFile);
  const below = relative(cwd, path);
  return { file: below.startsWith('..') ? path : below };
}

async function typedKey(
  terminal: Terminal,
  { keyStdin }: InitFlags,
  asker: Asker | undefined,
): Promise<InitValues['key'] | undefined> {
  const text = keyStdin
    ? await readPipedLine(terminal)
    : await asker?.line('API key (it is not shown):', 'secret');
  if (text === undefined) return undefined;
  const parsed = parseApiKey(text);
  if (!parsed.ok) throw new ConfigError([refusal(keyStdin ? 'the line of --key-stdin' : 'the key', parsed)]);
  return { text };
}

/** A user with job files is not asked. */
async function wantsJobs(
  terminal: Terminal,
  asker: Asker | undefined,
  answered: Answered,
): Promise<boolean | undefined> {
  if (answered.withJobs !== undefined || asker === undefined) return answered.withJobs ?? false;
  if (await hasJobFiles(terminal)) return false;
  const { folder, files } = await initJobs(terminal);
  const question = `Write the ${files.length} jobs that come along into ${folder}/, to be changed?`;
  const answer = await asker.yes(question, 'yes');
  if (answer !== undefined) answered.withJobs = answer;
  return answer;
}

function refusal(place: string, { expected, hints }: { expected: string; hints: FaultHints }): string {
  return faultText({ place, expected, ...hints, got: hints.got ?? 'something else' });
}

const plain = /^[\w./:@%+=~,-]*$/;

/**
 * Sets variables in the text of a `.env`: replaces their lines, adds missing ones at the end, and keeps all
 * others.
 * @throws ConfigError if a value holds every kind of quote
 */
export function setInEnvText(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}=${quoted(name, value)}`;
    // The last of several lines counts.
    const at = lines.findLastIndex((one) => nameIn(one) === name);
    if (at < 0) lines.push(line);
    else lines[at] = line;
  }
  return `${lines.join('\n')}\n`;
}

function nameIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

function quoted(name: string, value: string): string {
  if (plain.test(value)) return value;
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  // Between double quotes \\n is the end of a line.
  if (mark === undefined || (mark === '"' && value.includes('\\'))) {
    throw new ConfigError([
      `Expected ${name} to be a value that can stand between quotes in .env, got one with quotes of all kinds. A key can stay in a file: --key-file`,
    ]);
  }
  return `${mark}${value}${mark}`;
}
