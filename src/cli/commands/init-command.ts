// airank init: asks for address and key, tries them, and writes the files that a first sync needs.

import { readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { pageLimit } from '../../api/paginate.ts';
import type { PageRequest } from '../../api/request.ts';
import { keyFromFile } from '../../config/accounts.ts';
import { parseBaseUrl } from '../../config/addresses.ts';
import { type FaultHints, faultText } from '../../config/fault.ts';
import { parseApiKey } from '../../config/setting-kinds.ts';
import type { Ledger } from '../../core/budget.ts';
import { BudgetExhaustedError, ConfigError, WarehouseError } from '../../core/errors.ts';
import { writeWhole } from '../../core/files.ts';
import { isObject, valueAt } from '../../core/json.ts';
import { count, plural } from '../../core/text.ts';
import { codeOf } from '../../db/sqlstate.ts';
import { identifiersOf } from '../../store/scopes/clients.ts';
import { catalog } from '../../streams/catalog.ts';
import { paginationKey } from '../../streams/stream.ts';
import { bodyIsList, findList } from '../../validation/bodies.ts';
import { type Asker, openAsker } from '../ask.ts';
import { readSettings, type Settings } from '../context.ts';
import { type Call, defineCommand, type FlagsOf } from '../define-command.ts';
import { table } from '../print/table.ts';
import { colorsFor, columnsOf } from '../print/text.ts';
import { say, show, type Terminal } from '../terminal.ts';
import { readWarehouse } from '../use-warehouse.ts';
import { type Asking, checkApi, foundLines, probeOnce, request } from './doctor-checks.ts';
import { type InitJobs, initJobs } from './jobs-new-command.ts';

const initFlags = {
  '--base-url <url>': 'address of the API, without /api/v1',
  '--key-file <file>': 'file with the API key; .env names it',
  '--key-stdin': 'read the API key from a pipe',
  '--jobs': 'copy the built-in jobs into a folder of your own, to change them',
  '--force': 'replace existing settings without asking',
  '--offline': 'write without trying address and key',
} as const;

type InitFlags = FlagsOf<typeof initFlags>;

export const command = defineCommand({
  about: 'ask for address and key, try them, and write .env',
  flags: initFlags,
  help: `
Asks for what no flag says. Makes two requests, one to try the key and one for
the list of clients, which it shows, and writes only what the server accepts.
Where several fields may identify a client, up to six more find out which.
Only its owner can read .env (0600); its other lines stay as they are. --jobs
writes into AIRANK_JOBS_DIR, or into jobs/ (in a clone config/jobs/), which is
then set; without it the built-in jobs run.

Exit codes:
  0  written
  1  the server does not accept the key, or the answer was no
  2  wrong usage, or settings exist already and there is no terminal to ask on

Examples:
  $ airank init
  $ airank init --base-url https://api.example.com --key-file ~/airank.key
  $ pass airank | airank init --base-url https://api.example.com --key-stdin
  $ airank init --base-url https://api.example.com --key-file key --jobs`,
  run: init,
});

async function init({ terminal, flags }: Call<InitFlags>): Promise<number> {
  const asker = openAsker(terminal);
  // After a mistyped key Enter repeats the address: a wrong server that answered is less likely.
  const answered: { baseUrl?: string } = {};
  const isAsked =
    asker !== undefined && (flags.baseUrl === undefined || (flags.keyFile === undefined && !flags.keyStdin));
  try {
    for (;;) {
      const ended = await initOnce(terminal, flags, asker, answered).catch((error: unknown) => {
        if (!(error instanceof ConfigError) || !isAsked) throw error;
        say(terminal, error.faults.join('\n'));
        return 'refused' as const;
      });
      if (typeof ended === 'number') return ended;
      if (!isAsked) {
        say(terminal, 'Nothing was written. Try again, or use --offline to write without testing');
        return 1;
      }
    }
  } finally {
    asker?.close();
  }
}

async function initOnce(
  terminal: Terminal,
  flags: InitFlags,
  asker: Asker | undefined,
  answered: { baseUrl?: string },
): Promise<number | 'refused'> {
  const { cwd } = terminal;
  const stop = (more = '') => {
    say(terminal, `Stopped. Nothing was written.${more}`);
    return 1;
  };
  const values = await initValues(terminal, flags, asker, answered);
  const files = values === undefined ? [] : await initFiles(cwd, values);
  if (values === undefined || !(await mayReplace(cwd, files, flags, asker))) return stop();
  if (flags.offline !== true) {
    const tried = await triedOut({ ...terminal, signal: asker?.signal ?? terminal.signal }, values, asker);
    if (tried === 'refused') return tried;
    if (tried === 'not_mine') return stop(' Perhaps another key is the one of your agency.');
  }
  for (const { name, text, mode } of files) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, [text], { mode });
  }
  const { config } = readSettings(terminal, { needAccounts: false });
  const lines = [
    ...files.map(({ name, mode }) => `Written: ${join(cwd, name)} (${mode.toString(8).padStart(4, '0')})`),
    config.databaseUrl === undefined
      ? `The data goes into an embedded Postgres in ${config.dataDir}; set DATABASE_URL in .env to use another one.`
      : 'The data goes into the database of DATABASE_URL.',
    'Next: airank sync',
  ];
  show(terminal, lines.join('\n'));
  return 0;
}

/** Runs before the request, so that none is spent on files that may not be written. */
async function mayReplace(
  cwd: string,
  files: readonly InitFile[],
  flags: InitFlags,
  asker: Asker | undefined,
): Promise<boolean> {
  const set = files.flatMap(({ replaces }) => replaces).join(', ');
  if (set === '' || flags.force) return true;
  if (asker !== undefined) return (await asker.yes(`Replace ${set} in ${cwd}?`)) === true;
  throw new ConfigError([`Already set in ${cwd}: ${set}. Use --force to replace it`]);
}

/**
 * Tries address and key on the server.
 * @throws ConfigError if they cannot be an address and a key at all, or the configuration lists accounts
 */
async function triedOut(
  terminal: Terminal,
  { baseUrl, key }: InitValues,
  asker: Asker | undefined,
): Promise<'refused' | 'not_mine' | 'fine'> {
  const ofKey =
    'file' in key
      ? { AIRANK_API_KEY: '', AIRANK_API_KEY_FILE: key.file }
      : { AIRANK_API_KEY: key.text, AIRANK_API_KEY_FILE: '' };
  const tried = { ...terminal, env: { ...terminal.env, AIRANK_BASE_URL: baseUrl, ...ofKey } };
  const settings = readSettings(tried, { needAccounts: true });
  const { config, scrub } = settings;
  const [account] = config.accounts;
  if (account === undefined) return 'fine';
  return await withLedger(tried, settings, async (ledger) => {
    const asking = { config, account, ledger, signal: terminal.signal };
    const checks = await checkApi(asking);
    const { stderr, env } = terminal;
    say(terminal, scrub(foundLines(checks, colorsFor(stderr, env)).join('\n')));
    if (checks.some(({ level }) => level === 'fault')) return 'refused';
    const list = asker === undefined ? undefined : await listClients(asking);
    if (list === undefined) return 'fine';
    say(terminal, scrub(clientLines(list, columnsOf(stderr)).join('\n')));
    const isTheirs =
      list.clients.length === 0 || (await asker?.yes('Are these your clients?', 'yes')) !== false;
    return isTheirs ? 'fine' : 'not_mine';
  });
}

async function withLedger<Result>(
  terminal: Terminal,
  settings: Settings,
  ask: (ledger: Ledger | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    return await readWarehouse(terminal, settings, (found) => ask(found?.ledger));
  } catch (error) {
    // Another check reports the missing database; the key can be tried without it.
    if (!(error instanceof WarehouseError)) throw error;
    return await ask(undefined);
  }
}

interface ClientList {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  readonly isAll: boolean;
}

/**
 * Lists clients by one request, and up to six more if no list of names knows their identifier. Undefined: the
 * answer holds no list.
 */
async function listClients(asking: Asking): Promise<ClientList | undefined> {
  const stream = catalog.find(({ name }) => name === 'clientes');
  if (stream === undefined) return undefined;
  const query = { limite: String(pageLimit) };
  const ask = async (asked: PageRequest): Promise<unknown> => {
    const probed = await probeOnce(asking, asked).catch((error: unknown) => {
      if (!(error instanceof BudgetExhaustedError)) throw error;
      return undefined;
    });
    return probed?.verdict.kind === 'ok' ? probed.verdict.json : undefined;
  };
  const body = await ask({ ...request, route: stream.route, query });
  if (body === undefined) return undefined;
  const found = findList(stream, body);
  if (found.kind !== 'key') return undefined;
  const records = found.key === bodyIsList ? body : valueAt(body, [found.key]);
  const paging = valueAt(body, [paginationKey]);
  const isAll =
    !isObject(paging) || !Object.values(paging).some((value) => typeof value === 'string' && value !== '');
  if (!Array.isArray(records)) return undefined;
  const ids = await identifiersOf(records, stream, (clientId) => ask({ ...request, clientId }));
  return { clients: records.map((record, place) => ({ id: ids[place] ?? '', name: nameIn(record) })), isAll };
}

/** Picks a name for display: the first field that says `name` is good enough. */
function nameIn(record: unknown): string {
  if (!isObject(record)) return '';
  const [, name] =
    Object.entries(record).find(([field]) => /^(nombre|name|razon_?social|title)/i.test(field)) ?? [];
  return typeof name === 'string' ? name : '';
}

const mostShown = 12;

const unidentified =
  'It is unknown which of their fields the service takes as cliente: set streams.clientes.keys in airank.config.yaml';

function clientLines({ clients, isAll }: ClientList, width: number): string[] {
  if (clients.length === 0)
    return ['', 'The list of clients is empty: only the data of the account itself is fetched.', ''];
  const shown = clients.slice(0, clients.length > mostShown ? mostShown - 2 : mostShown);
  const more = clients.length - shown.length;
  return [
    '',
    `The account has ${plural(clients.length, 'client')}${isAll ? '' : ' or more'}:`,
    ...table(
      shown.map(({ id, name }) => [name, id]),
      { width, indent: '  ', head: false },
    ),
    ...(more === 0 ? [] : [`  and ${count(more)} more`]),
    ...(clients.some(({ id }) => id !== '') ? [] : [unidentified]),
  ];
}

/**
 * The files that `airank init` writes. They are texts first, so that conflicts are found before anything is
 * written.
 */
interface InitFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly text: string;
  /** File mode: a file that may hold a key is readable by its owner alone. */
  readonly mode: number;
  /** Names of what would get another content: settings in .env, or the file itself. */
  readonly replaces: readonly string[];
}

interface InitValues {
  readonly baseUrl: string;
  /** The key itself, or the file that it stays in. */
  readonly key: { readonly text: string } | { readonly file: string };
  /** Undefined: no job files are written. */
  readonly jobs?: InitJobs;
}

/** @param cwd folder for the files */
async function initFiles(cwd: string, { baseUrl, key, jobs }: InitValues): Promise<readonly InitFile[]> {
  const ofKey: Record<string, string> =
    'file' in key ? { AIRANK_API_KEY_FILE: key.file } : { AIRANK_API_KEY: key.text };
  const ofJobs: Record<string, string> =
    jobs === undefined || jobs.isSet ? {} : { AIRANK_JOBS_DIR: jobs.folder };
  const jobFiles = (jobs?.files ?? []).map(async ({ name: file, text }): Promise<InitFile> => {
    const name = join(jobs?.folder ?? '', file);
    const before = await textOf(join(cwd, name));
    return { name, text, mode: 0o644, replaces: before === undefined || before === text ? [] : [name] };
  });
  return [
    await envFile(cwd, { AIRANK_BASE_URL: baseUrl, ...ofKey, ...ofJobs }),
    ...(await Promise.all(jobFiles)),
  ];
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

async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  });
}

/** @throws ConfigError where there is no pipe, or nothing in it */
async function readPipedLine(terminal: Terminal): Promise<string> {
  const { stdin } = terminal;
  const line = stdin === undefined || stdin.isTTY ? '' : ((await readText(stdin)).split(/\r?\n/)[0] ?? '');
  if (line === '')
    throw new ConfigError([
      'Expected --key-stdin to find the API key on the first line of a pipe, got nothing',
    ]);
  return line;
}

/**
 * Asks for what the flags leave open.
 * @returns undefined if the user stopped it
 * @throws ConfigError if something is missing or not valid
 */
async function initValues(
  terminal: Terminal,
  flags: InitFlags,
  asker: Asker | undefined,
  answered: { baseUrl?: string },
): Promise<InitValues | undefined> {
  const { baseUrl: given, keyFile, keyStdin } = flags;
  if (keyFile !== undefined && keyStdin) {
    throw new ConfigError(['Expected one of --key-file and --key-stdin, got both']);
  }
  if (asker === undefined && (given === undefined || (keyFile === undefined && !keyStdin))) {
    throw new ConfigError([
      'There is no terminal to ask questions on: give --base-url, and --key-file or --key-stdin',
    ]);
  }
  checkFlags(terminal.cwd, flags);
  const baseUrl = given ?? (await addressOf(asker, answered));
  if (baseUrl === undefined) return undefined;
  const key = keyFile === undefined ? await typedKey(terminal, flags, asker) : nameOf(terminal.cwd, keyFile);
  if (key === undefined) return undefined;
  return { baseUrl, key, ...(flags.jobs && { jobs: await initJobs(terminal) }) };
}

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

/** @throws ConfigError if it cannot be an address, before the key is asked for */
async function addressOf(
  asker: Asker | undefined,
  answered: { baseUrl?: string },
): Promise<string | undefined> {
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

function refusal(place: string, { expected, hints }: { expected: string; hints: FaultHints }): string {
  return faultText({ place, expected, ...hints, got: hints.got ?? 'something else' });
}

const plainValue = /^[\w./:@%+=~,-]*$/;

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
    const at = lines.findLastIndex((one) => variableIn(one) === name);
    if (at < 0) lines.push(line);
    else lines[at] = line;
  }
  return `${lines.join('\n')}\n`;
}

function variableIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

function quoted(name: string, value: string): string {
  if (plainValue.test(value)) return value;
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  // Between double quotes \\n is the end of a line.
  if (mark === undefined || (mark === '"' && value.includes('\\'))) {
    throw new ConfigError([
      `Cannot write ${name} to .env, because it contains every kind of quote. Keep the key in a file: --key-file`,
    ]);
  }
  return `${mark}${value}${mark}`;
}
