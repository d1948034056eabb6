// airank init: asks for address and key, tries them, and writes the files that a first sync needs.

import { join } from 'node:path';
import { ConfigError } from '../../core/errors.ts';
import { count, plural } from '../../core/text.ts';
import { type Asker, openAsker } from '../ask.ts';
import { readSettings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { table } from '../print/table.ts';
import { colorsFor, columnsOf } from '../print/text.ts';
import { say, show, type Terminal } from '../terminal.ts';
import { type ClientList, checkAccounts, clientsOf } from './doctor-api.ts';
import { checkLines } from './doctor-check.ts';
import {
  type Answered,
  type InitFile,
  type InitFlags,
  type InitValues,
  initAnswers,
  initFiles,
  writeInitFile,
} from './init-answers.ts';
import { type LeftOut, leftOut } from './jobs-new-command.ts';

export const command = defineCommand({
  about: 'ask for address and key, try them, and write .env and job files',
  flags: {
    '--base-url <url>': 'address of the API, without /api/v1',
    '--key-file <file>': 'file with the API key; .env names it',
    '--key-stdin': 'read the API key from a pipe',
    '--yaml': 'write the address into airank.config.yaml; the key stays in .env',
    '--jobs': 'write the jobs that come along into a folder of yours, so that they can be changed',
    '--no-jobs': 'do not ask about them',
    '--force': 'replace what is set already, without asking',
    '--offline': 'write without trying address and key',
  },
  help: `
Asks for what no flag says. Makes two requests, one to try the key and one for
the list of clients, which it shows, and writes only what the server accepts.
Where several fields may be a client's identifier, up to six more tell which.
.env can be read by its owner alone (0600); lines of it that are about something
else stay. Jobs go into AIRANK_JOBS_DIR, or into jobs/ (in a clone
config/jobs/), which is then set; without them the jobs that come along run as
they are. A job that takes over a quarter of a day's requests in several runs is
left out.

Exit codes:
  0  written
  1  the server does not accept the key, or the answer was no
  2  wrong usage, or something is set already and nobody can be asked

Examples:
  $ airank init
  $ airank init --base-url https://api.example.com --key-file ~/airank.key
  $ pass airank | airank init --base-url https://api.example.com --key-stdin
  $ airank init --base-url https://api.example.com --key-file key --jobs`,
  run: init,
});

async function init({ terminal, flags }: Call<InitFlags>): Promise<number> {
  const asker = openAsker(terminal);
  const answered: Answered = {};
  try {
    for (;;) {
      const ended = await initOnce(terminal, flags, asker, answered).catch((error: unknown) => {
        if (!(error instanceof ConfigError) || !isAsked(flags, asker)) throw error;
        terminal.stderr.write(`${error.faults.join('\n')}\n`);
        return 'again' as const;
      });
      if (ended !== 'again') return ended;
    }
  } finally {
    asker?.close();
  }
}

/** Tells whether somebody types the answers, and may have mistyped. */
const isAsked = ({ baseUrl, keyFile, keyStdin }: InitFlags, asker: Asker | undefined) =>
  asker !== undefined && (baseUrl === undefined || (keyFile === undefined && keyStdin !== true));

async function initOnce(
  terminal: Terminal,
  flags: InitFlags,
  asker: Asker | undefined,
  answered: Answered,
): Promise<number | 'again'> {
  const { cwd } = terminal;
  const values = await initAnswers(terminal, flags, asker, answered);
  const files = values === undefined ? [] : await initFiles(cwd, values);
  if (values === undefined || !(await mayReplace(cwd, files, flags, asker))) {
    say(terminal, 'Stopped. Nothing was written.');
    return 1;
  }
  const signal = asker?.signal ?? terminal.signal;
  const left = await triedOut({ ...terminal, signal }, values, asker, flags.offline === true);
  if (left === 'not_mine') {
    say(terminal, 'Stopped. Nothing was written. Another key may be that of your agency.');
    return 1;
  }
  if (left === 'refused') {
    if (isAsked(flags, asker)) return 'again';
    say(terminal, 'Nothing was written. Try again, or write it untested: --offline');
    return 1;
  }
  const isLeftOut = ({ name }: InitFile) =>
    left.some(({ file }) => name === join(values.jobs?.folder ?? '', file));
  const chosen = files.filter((file) => !isLeftOut(file));
  for (const file of chosen) await writeInitFile(cwd, file);
  const lines = [
    ...chosen.map(({ name, mode }) => `Written: ${join(cwd, name)} (${mode.toString(8).padStart(4, '0')})`),
    ...left.map(({ text }) => text),
    ...whereDataGoes(terminal),
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
  throw new ConfigError([`Expected nothing to be set yet in ${cwd}, got ${set}. --force replaces it`]);
}

function whereDataGoes(terminal: Terminal): string[] {
  const { config } = readSettings(terminal, { needAccounts: false });
  return config.databaseUrl === undefined
    ? [
        `The data goes into an embedded Postgres in ${config.dataDir}; DATABASE_URL in .env names another one.`,
      ]
    : ['The data goes into the database of DATABASE_URL.'];
}

/**
 * Tries address and key on the server, and finds the jobs that would take too much of the day there.
 * @throws ConfigError if they cannot be an address and a key at all, or the configuration lists accounts
 */
async function triedOut(
  terminal: Terminal,
  { baseUrl, key, jobs }: InitValues,
  asker: Asker | undefined,
  isOffline: boolean,
): Promise<'refused' | 'not_mine' | readonly LeftOut[]> {
  const ofKey =
    'file' in key
      ? { AIRANK_API_KEY: '', AIRANK_API_KEY_FILE: key.file }
      : { AIRANK_API_KEY: key.text, AIRANK_API_KEY_FILE: '' };
  const tried = { ...terminal, env: { ...terminal.env, AIRANK_BASE_URL: baseUrl, ...ofKey } };
  const settings = readSettings(tried, { needAccounts: true });
  if (isOffline) return [];
  const checks = await checkAccounts(tried, settings);
  const { stderr, env } = terminal;
  const text = checkLines(checks, colorsFor(stderr, env), columnsOf(stderr)).join('\n');
  say(terminal, settings.scrub(text));
  if (checks.some(({ level }) => level === 'fault')) return 'refused';
  if (jobs === undefined && asker === undefined) return [];
  const list = await clientsOf(tried, settings);
  if (list === undefined) return [];
  say(terminal, settings.scrub(clientLines(list, columnsOf(stderr)).join('\n')));
  const isTheirs = list.clients.length === 0 || (await asker?.yes('Are these yours?', 'yes')) !== false;
  if (!isTheirs) return 'not_mine';
  return jobs === undefined ? [] : await leftOut(settings, list);
}

const mostShown = 12;

const unidentified =
  'Which of their fields the service takes as cliente is not known: set streams.clientes.keys in airank.config.yaml';

function clientLines({ clients, isAll }: ClientList, width: number): string[] {
  if (clients.length === 0)
    return ['', 'It lists no clients: only what the account itself has is fetched.', ''];
  const shown = clients.slice(0, clients.length > mostShown ? mostShown - 2 : mostShown);
  const more = clients.length - shown.length;
  return [
    '',
    `It has ${plural(clients.length, 'client')}${isAll ? '' : ' or more'}:`,
    ...table(
      shown.map(({ id, name }) => [name, id]),
      { width, indent: '  ', head: false },
    ),
    ...(more === 0 ? [] : [`  and ${count(more)} more`]),
    ...(clients.some(({ id }) => id !== '') ? [] : [unidentified]),
  ];
}
