// A terminal that remembers what was written to it, and one call of the command line on it.

import { PassThrough, Writable } from 'node:stream';
import { runProgram } from '../../src/cli/commands/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

export interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TerminalOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly limits?: Terminal['limits'];
  /** Somebody is at the terminal, 80 columns wide, and presses these one after the other. */
  readonly keys?: string;
  /** Ctrl-C as soon as it has printed this: for what goes on for ever. */
  readonly stopAt?: RegExp;
  /** Text that is piped into it. */
  readonly piped?: string;
}

/** Runs `airank …` with exactly this environment, not in a terminal unless keys are given. */
export async function airank(args: readonly string[], options: TerminalOptions): Promise<Said> {
  const stop = new AbortController();
  const onText = (text: string) => {
    if (options.stopAt?.test(text)) stop.abort(new Error('stopped by SIGINT'));
  };
  const out = remember(onText, options.keys === undefined ? {} : { isTTY: true, columns: 80 });
  const err = remember(onText);
  const terminal: Terminal = {
    env: { AIRANK_LOG_LEVEL: 'silent', ...options.env },
    cwd: options.cwd,
    limits: options.limits,
    stdout: out.stream,
    stderr: err.stream,
    ...(options.keys === undefined ? {} : { stdin: typing(options.keys) }),
    ...(options.piped === undefined ? {} : { stdin: pipeOf(options.piped) }),
    signal: options.signal ?? stop.signal,
  };
  const exitCode = await runProgram(args, terminal);
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

function typing(keys: string): NodeJS.ReadStream {
  const stream = new PassThrough();
  stream.write(keys);
  return Object.assign(stream, { isTTY: true }) as unknown as NodeJS.ReadStream;
}

function pipeOf(text: string): NodeJS.ReadStream {
  return new PassThrough().end(text) as unknown as NodeJS.ReadStream;
}

function remember(
  onText: (text: string) => void,
  shape: { isTTY?: true; columns?: number } = {},
): {
  stream: NodeJS.WriteStream;
  text: () => string;
} {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      parts.push(String(chunk));
      onText(parts.join(''));
      done();
    },
  });
  return {
    stream: Object.assign(stream, shape) as unknown as NodeJS.WriteStream,
    text: () => parts.join(''),
  };
}
