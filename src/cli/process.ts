// Ends the process: when its parent is gone, on a signal, and with its output written to the last byte.
import type { Writable } from 'node:stream';
import { explainSettings } from '../config/explain-settings.ts';
import { messageOf } from '../core/errors.ts';
import { createLogger } from '../core/logger.ts';
import { codeOf } from '../db/sqlstate.ts';

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

/** Printed in the format of the log, so that a reader of JSON gets only JSON. */
const words = 'Stopping; stored data is safe. Press again to quit at once.';

/** Ends with a newline. Never throws, even if the settings are faulty. */
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
  /** Waits for the output, then gives the exit code: the command's own error wins over one of the output. */
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
      // A write reports its error in a later turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      return ofCommand === 0 ? (failed ?? 0) : ofCommand;
    },
  };
}
