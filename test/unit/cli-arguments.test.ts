// What commands make of their arguments and flags, what psql is given, help, and how hints call the program.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  postgresEnvironment,
  readPsqlArgs,
  resultCsv,
  runInteractive,
} from '../../src/cli/commands/psql-command.ts';
import { readSandboxFlags } from '../../src/cli/commands/sandbox-command.ts';
import { runDateFlag } from '../../src/cli/flags.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';

const cwd = oneFolder();

test('the connection of psql is its environment, whatever else the environment says', () => {
  const env = { PATH: '/bin', PGSERVICE: 'other', PGHOSTADDR: '10.0.0.1', PGPASSFILE: '/x' };
  const url = 'postgres://us%40er:p%2Fw%23@db.example.com:5433/ware%20house?sslmode=require&unknown=1';
  expect(postgresEnvironment(url, env)).toEqual({
    ...{ PATH: '/bin', PGHOST: 'db.example.com', PGPORT: '5433', PGUSER: 'us@er', PGPASSWORD: 'p/w#' },
    ...{ PGDATABASE: 'ware house', PGSSLMODE: 'require' },
  });
});

test('psql checks the certificate of the server as we do', () => {
  const tls = (query: string, env: NodeJS.ProcessEnv = {}) => {
    const { PGSSLMODE, PGSSLROOTCERT } = postgresEnvironment(`postgres://u@h/w${query}`, env);
    return [PGSSLMODE, PGSSLROOTCERT];
  };
  expect(tls('')).toEqual([undefined, undefined]);
  expect(tls('?sslmode=no-verify&sslrootcert=/ca.pem')).toEqual(['require', undefined]);
  const set = { PGSSLMODE: 'verify-ca', PGSSLROOTCERT: '/ca.pem' };
  expect(tls('?sslmode=disable', set)).toEqual(['disable', undefined]);
  expect(tls('?sslmode=require&sslrootcert=system')).toEqual(['verify-full', 'system']);
});

test('a socket folder and an IPv6 host reach psql as it wants them', () => {
  const socket = postgresEnvironment('postgresql://%2Frun%2Fpostgresql/db?user=u', {});
  expect(socket).toMatchObject({ PGHOST: '/run/postgresql', PGUSER: 'u' });
  expect(postgresEnvironment('postgresql://u@[::1]:5432/db', {})).toMatchObject({ PGHOST: '::1' });
});

test('without psql, -c in all its spellings and --csv are understood, and nothing else', () => {
  const read = readPsqlArgs(['-c', 'a', '-cb', '--command=c', '--command', 'd', '--csv', '-x']);
  expect(read).toEqual({ statements: ['a', 'b', 'c', 'd'], csv: true, others: ['-x'] });
});

test('the faults of sandbox flags come all at once', () => {
  const read = () => readSandboxFlags({ port: '99999', clients: '-1', errorRate: '2', delayMs: '9-3' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/--port.*\n.*--clients.*\n.*--error-rate.*\n.*--delay-ms/);
});

test.each([
  [['nonsense'], /unknown command/],
  [['worker', '--kinds', 'sync'], /Did you mean: airank jobs worker\?/],
  [['status', '--nonsense'], /unknown option/],
  [['demo', '--days', '0'], /Expected --days to be an integer from 1/],
  [['export'], /^error: missing required argument 'view'/],
  [
    ['export', 'sources', '--from', '2026-04'],
    /Expected --from to be a date such as 2026-04-03, got "2026-04"/,
  ],
  [[], /Usage: airank/],
])('wrong usage %j ends with exit code 2 and a hint on stderr', async (args, hint) => {
  const said = await airank(args, { cwd });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(hint);
});

test.each([
  ['sync --streams produkts', 'Expected --streams to be among', 'got "produkts". Did you mean products?'],
  ['plan --streams produkts', 'Expected --streams to be among', 'got "produkts". Did you mean products?'],
  ['plan --run-date 2026-13-01', 'Expected --run-date to be a calendar date', 'got "2026-13-01"'],
])('airank %s is said to be wrong before a key that is missing', async (args, expected, got) => {
  const said = await airank(args.split(' '), { cwd });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toContain(expected);
  expect(said.stderr).toContain(got);
  expect(said.stderr).not.toContain('AIRANK_API_KEY');
  expect((await airank(args.split(' ').slice(0, 1), { cwd })).stderr).toContain('AIRANK_API_KEY');
});

const place = { env: process.env, cwd: process.cwd() };
const never = new AbortController().signal;

test('gives the exit code of the program, and undefined where there is none', async () => {
  const args = ['-e', 'process.exit(3)'];
  expect(await runInteractive(process.execPath, args, { ...place, signal: never })).toBe(3);
  expect(await runInteractive('no-such-program-here', [], { ...place, signal: never })).toBeUndefined();
});

test('ends the program when this process is to stop, and listens for Ctrl-C again', async () => {
  const listeners = process.listeners('SIGINT');
  const stop = new AbortController();
  const args = ['-e', 'setInterval(() => {}, 1000)'];
  const ended = runInteractive(process.execPath, args, { ...place, signal: stop.signal });
  expect(process.listeners('SIGINT')).not.toEqual(listeners);
  stop.abort(new Error('stopped by SIGHUP'));
  expect(await ended).toBe(128);
  expect(process.listeners('SIGINT')).toEqual(listeners);
});

test('CSV quotes what needs it and tells null from an empty text', () => {
  const rows = [['a,b', 'say "hi"', 'two\nlines', null, '']];
  expect(resultCsv({ tag: 'SELECT 1', columns: ['a', 'b', 'c', 'd', 'e'], rows })).toBe(
    'a,b,c,d,e\n"a,b","say ""hi""","two\nlines",,""\n',
  );
});

const help = async (...command: string[]) => (await airank([...command, '--help'], { cwd: '/' })).stdout;

/** Names below `Commands:`. */
function subcommandsOf(text: string): string[] {
  const lines = (text.split('\nCommands:\n')[1] ?? '').split('\n\n')[0]?.split('\n') ?? [];
  return lines
    .flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'help');
}

async function everyHelp(...command: string[]): Promise<[string, string][]> {
  const text = await help(...command);
  const below = await Promise.all(subcommandsOf(text).map((name) => everyHelp(...command, name)));
  return [[['airank', ...command].join(' '), text], ...below.flat()];
}

const folder = join(import.meta.dirname, '../../src/cli/commands');
const commands = readdirSync(folder)
  .filter((file) => /^export const command = /m.test(readFileSync(join(folder, file), 'utf8')))
  .map((file) => file.replace('-command.ts', ''));

describe('the help of every command', async () => {
  const all = [
    ['airank', await help()] as const,
    ...(await Promise.all(commands.map((name) => everyHelp(name)))).flat(),
  ];

  it('leaves out of the first page what is rarely needed', () => {
    const isShown = (name: string) => new RegExp(`^ {2}${name} `, 'm').test(all[0]?.[1] ?? '');
    const left = ['migrate'];
    expect(commands.filter((name) => !isShown(name))).toEqual(left);
  });

  it('fits 80 columns', () => {
    expect(all.length).toBeGreaterThan(40);
    const wide = all.flatMap(([name, text]) =>
      text.split('\n').flatMap((line) => ([...line].length > 80 ? [`${name}: ${line}`] : [])),
    );
    expect(wide).toEqual([]);
  });

  it('has examples that can be pasted, comments included', () => {
    const examples = all.flatMap(([, text]) => text.split('\n').filter((line) => /^ {2}\$ /.test(line)));
    expect(examples.length).toBeGreaterThan(30);
    expect(examples.filter((line) => /[^ ] {2,}[^ #]/.test(line.trim()))).toEqual([]);
  });
});

const installed = (args: readonly string[], keys?: string) =>
  airank(args, { cwd, ...(keys === undefined ? {} : { keys }) });
const inClone = (args: readonly string[], script = 'airank') =>
  airank(args, { cwd, env: { npm_lifecycle_event: script } });

it('where airank is installed hints name airank', async () => {
  expect((await installed(['views'])).stderr).toContain('Run: airank init; to see it work: airank demo\n');
  expect((await installed(['views', '--help'])).stdout).toContain('  $ airank views --json | jq');
});

describe('in a clone', () => {
  it.each(['airank', 'demo'])('hints call it by npm, run as %s', async (script) => {
    expect((await inClone(['views'], script)).stderr).toContain(
      'Run: npm run -s airank -- init; to see it work: npm run -s airank -- demo\n',
    );
  });

  it('help, wrong usage and first steps do so too', async () => {
    const help = await inClone(['views', '--help']);
    expect(help.stdout).toContain('  $ npm run -s airank -- views --json | jq');
    expect(help.stdout).not.toMatch(/\$ airank/);
    const wrong = await inClone(['nonsense']);
    expect(wrong.stderr).toContain('(npm run -s airank -- --help lists the commands;');
    const steps = /^ {4}npm run -s airank -- init {5}asks .*^ {4}npm run -s airank -- doctor {3}checks /ms;
    expect((await inClone(['status'])).stdout).toMatch(steps);
  });

  it('what is no command of its own stays: names of streams, files, other words', async () => {
    const got = 'airank syncs, bin/airank sync, airank  sync';
    expect((await inClone(['push', 'writes', 'skip', got])).stderr).toBe(
      `Expected the number of a write, as npm run -s airank -- push writes lists it, got "${got}"\n`,
    );
  });

  it('what is data says airank', async () => {
    const args = ['status', '--json'];
    const said = await inClone(args);
    expect(said.stdout).toContain('airank ');
    expect(said).toEqual(await installed(args));
  });
});

const now = new Date('2026-04-03T23:00:00Z');

function read(text: string | undefined, timeZone = 'UTC') {
  const faults: string[] = [];
  return { date: runDateFlag(text, timeZone, now, faults), faults };
}

it('takes today, tomorrow and any date before, in the time zone of the setting', () => {
  expect(read(undefined)).toEqual({ date: '2026-04-03', faults: [] });
  for (const date of ['2026-04-04', '2020-01-01']) expect(read(date)).toEqual({ date, faults: [] });
  expect(read('2026-04-05', 'Asia/Tokyo')).toEqual({ date: '2026-04-05', faults: [] });
});

it('refuses a later date, which would lock every date before it', () => {
  expect(read('2026-04-05')).toEqual({
    date: undefined,
    faults: [
      'Expected --run-date to be at most 2026-04-04, tomorrow in UTC, got "2026-04-05": ' +
        'the API shows today’s data, and once a later date is published every date before it is refused',
    ],
  });
});
