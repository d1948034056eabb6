import { expect, test } from 'vitest';
import { resultCsv, runInteractive } from '../../src/cli/commands/psql-command.ts';

const place = { env: process.env, cwd: process.cwd() };
const never = new AbortController().signal;

test('gives the exit code of the program, and undefined where there is none', async () => {
  const node = (script: string) =>
    runInteractive(process.execPath, ['-e', script], { ...place, signal: never });
  expect(await node('process.exit(3)')).toBe(3);
  expect(await runInteractive('no-such-program-here', [], { ...place, signal: never })).toBeUndefined();
});

test('ends the program when this process is to stop, and listens for Ctrl-C again', async () => {
  const listeners = process.listeners('SIGINT');
  const stop = new AbortController();
  const ended = runInteractive(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    ...place,
    signal: stop.signal,
  });
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
