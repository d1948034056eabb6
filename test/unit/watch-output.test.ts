import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { watchOutput } from '../../src/cli/process.ts';

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
