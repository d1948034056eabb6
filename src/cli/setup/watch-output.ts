// A reader of the output that goes away (`| head -1`). Node ignores SIGPIPE, so that a write fails instead. The
// output ends there, quietly; work that changes something goes on to its end.
import type { Writable } from 'node:stream';
import { messageOf } from '../../core/errors.ts';
import { codeOf } from '../../db/sqlstate.ts';

/** What a shell says of a program that SIGPIPE ended. */
const endedByPipe = 141;

export interface WatchedOutput {
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
      // What a slow reader of a pipe has not taken at the exit is lost.
      if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
      // A write tells its error in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      return ofCommand === 0 ? (failed ?? 0) : ofCommand;
    },
  };
}
