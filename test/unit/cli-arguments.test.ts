// What commands make of their arguments and flags, and what psql is given.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import {
  postgresEnvironment,
  readPsqlArgs,
  resultCsv,
  runInteractive,
} from '../../src/cli/commands/psql-command.ts';
import { readSandboxFlags } from '../../src/cli/commands/sandbox-command.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { airank } from '../support/fake-terminal.ts';

const cwd = tmpdir();

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
  [[], /Usage: airank/],
])('wrong usage %j ends with exit code 2 and a hint on stderr', async (args, hint) => {
  const said = await airank(args, { cwd });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(hint);
});

test.each(['demo', 'sync', 'psql'])('airank %s --help shows examples', async (command) => {
  const said = await airank([command, '--help'], { cwd });
  expect(said.exitCode).toBe(0);
  expect(said.stdout).toMatch(/Examples:\n {2}\$ .*airank/);
});

test.each([
  ['export', "error: missing required argument 'view'"],
  ['export sources --from 2026-04', 'Expected --from to be a date such as 2026-04-03, got "2026-04"'],
])('airank %s is wrong usage', async (args, fault) => {
  const said = await airank(args.split(' '), { cwd });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toContain(fault);
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
