// How a process ends: what it says, and what becomes of its output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { stopLine, watchOutput } from '../../src/cli/process.ts';
import { oneFolder } from '../support/temp-folder.ts';

const cwd = oneFolder();

test('a stopped process says so in words', () => {
  expect(stopLine({ env: {}, cwd }, 'SIGINT')).toBe(
    '\nStopping; stored data is safe. Press again to quit at once.\n',
  );
});

test('where logs are JSON it is one line of JSON, also when a file says so', () => {
  const line = stopLine({ env: { AIRANK_LOG_FORMAT: 'json' }, cwd }, 'SIGTERM');
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toMatchObject({ event: 'process.stopping', signal: 'SIGTERM', level: 30 });
  writeFileSync(join(cwd, '.env'), 'AIRANK_LOG_FORMAT=json\n');
  expect(stopLine({ env: {}, cwd }, 'SIGTERM')).toMatch(/^\{.*\}\n$/);
});

test('settings that cannot be read do not hold up the stop', () => {
  expect(stopLine({ env: { AIRANK_LOG_FORMAT: 'xml' }, cwd }, 'SIGTERM')).toMatch(/^\nStopping/);
});

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

async function ended(stdout: Writable, ofCommand: number) {
  const stderr = new PassThrough();
  const output = watchOutput(stdout, stderr);
  stdout.write('rows');
  return { code: await output.exitCode(ofCommand), said: stderr.read()?.toString() ?? '' };
}

test('a reader that is gone ends the output without a word, by the code of SIGPIPE', async () => {
  expect(await ended(failing('EPIPE'), 0)).toEqual({ code: 141, said: '' });
});

test('what the command itself says stays, whoever reads it', async () => {
  expect((await ended(failing('EPIPE'), 1)).code).toBe(1);
  expect((await ended(new PassThrough(), 3)).code).toBe(3);
  expect((await ended(new PassThrough(), 0)).code).toBe(0);
});

test('output that cannot be written for another reason is a failure that says so', async () => {
  const said = 'Cannot write the output: write ENOSPC\n';
  expect(await ended(failing('ENOSPC'), 0)).toEqual({ code: 1, said });
});

test('nobody who reads stderr is no failure', async () => {
  const stderr = failing('EPIPE');
  const output = watchOutput(new PassThrough(), stderr);
  stderr.write('log');
  expect(await output.exitCode(0)).toBe(0);
});

test('a reader that is slow gets everything before the end', async () => {
  const waiting: (() => void)[] = [];
  const stdout = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
  const output = watchOutput(stdout, new PassThrough());
  stdout.write('rows');
  const over = vi.fn();
  const ended = output.exitCode(0).then(over);
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(over).not.toHaveBeenCalled();
  const later = setInterval(() => waiting.shift()?.());
  await ended;
  clearInterval(later);
});
