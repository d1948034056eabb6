// The end of the process and its output, and the names of its commands in this installation.
import type { Writable } from 'node:stream';
import { explainSettings } from '../config/explain-settings.ts';
import { messageOf } from '../core/errors.ts';
import { createLogger } from '../core/logger.ts';
import { codeOf } from '../db/sqlstate.ts';
import type { Terminal } from './context.ts';
import { callCommandsBy } from './print/words.ts';

/** Calls `onOrphaned` once when the shell between npm and this process is gone. */
export function watchParent(env: NodeJS.ProcessEnv, onOrphaned: () => void): void {
  if (env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onOrphaned();
  }, 500).unref();
}

/** Printed in the form of the log, so that a reader of JSON gets nothing but JSON. */
const words = 'Stopping; what is stored stays. Press again to end at once.';

/** The line with its end; never throws, also where the settings are faulty. */
export function stopLine(place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }, signal: string) {
  const format = explainSettings(place).find((setting) => setting.name === 'logFormat');
  if (format?.shown !== 'json') return `\n${words}\n`;
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  createLogger({ level: 'info', format: 'json', secrets: [], write }).info({
    event: 'process.stopping',
    signal,
    note: words,
  });
  return line;
}

/** The exit code that shells give to a program ended by SIGPIPE. */
const endedByPipe = 141;

interface WatchedOutput {
  /** The exit code, after what was written has failed or not: an error of the command itself stays. */
  exitCode(ofCommand: number): Promise<number>;
}

export function watchOutput(stdout: Writable, stderr: NodeJS.WritableStream): WatchedOutput {
  let failed: number | undefined;
  stdout.on('error', (error: Error) => {
    if (failed !== undefined) return;
    const isGone = codeOf(error) === 'EPIPE';
    failed = isGone ? endedByPipe : 1;
    if (!isGone) stderr.write(`Cannot write the output: ${messageOf(error)}\n`);
  });
  // Nobody is left to be told.
  stderr.on('error', () => undefined);
  return {
    exitCode: async (ofCommand) => {
      // Output that a slow reader of a pipe has not taken by the exit would be lost: wait for it.
      if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
      // A write tells its error in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      return ofCommand === 0 ? (failed ?? 0) : ofCommand;
    },
  };
}

/** Commands are printed so that they can be pasted: a clone has no `airank` and calls them by npm. */
const scripts = ['demo', 'airank'];
const inClone = 'npm run -s airank --';

/** Commands whose stdout is somebody's data, and what makes it data of any other. */
const handsOut = ['backup', 'export', 'get', 'mcp', 'psql'];
const dataFlags = /^(--json|--format(=.*)?|-)$/;

/** The terminal on which commands are named as they can be called here. @param known names of the commands */
export function nameCommands(
  terminal: Terminal,
  argv: readonly string[],
  known: readonly string[],
): Terminal {
  const isClone = scripts.includes(terminal.env['npm_lifecycle_event'] ?? '');
  callCommandsBy(isClone ? inClone : 'airank');
  if (!isClone) return terminal;
  const pattern = calls(known);
  const rename = (text: string) => text.replaceAll(pattern, inClone);
  const isData = handsOut.includes(argv[0] ?? '') || argv.some((arg) => dataFlags.test(arg));
  return {
    ...terminal,
    stdout: isData ? terminal.stdout : written(terminal.stdout, rename),
    stderr: written(terminal.stderr, rename),
  };
}

/** `airank` before one of its commands: a stream has that name too. */
const calls = (known: readonly string[]) =>
  new RegExp(`(?<![\\w./-])airank(?= (?:--help|<command>|${known.join('|')})(?![\\w-]))`, 'g');

function written(stream: NodeJS.WriteStream, rename: (text: string) => string): NodeJS.WriteStream {
  return new Proxy(stream, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'write') return value.bind(target);
      return (chunk: unknown, ...rest: unknown[]) =>
        value.call(target, typeof chunk === 'string' ? rename(chunk) : chunk, ...rest);
    },
  });
}
