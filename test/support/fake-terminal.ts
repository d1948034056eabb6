// A terminal that remembers what was written to it, and one call of the command line on it.
import { Writable } from 'node:stream';
import { runProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/setup/context.ts';

export interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `airank …` with exactly this environment, not in a terminal. */
export async function airank(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd: string; signal?: AbortSignal },
): Promise<Said> {
  const out = remember();
  const err = remember();
  const terminal: Terminal = {
    env: { AIRANK_LOG_LEVEL: 'silent', ...options.env },
    cwd: options.cwd,
    stdout: out.stream,
    stderr: err.stream,
    signal: options.signal ?? new AbortController().signal,
  };
  const exitCode = await runProgram(args, terminal);
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

function remember(): { stream: NodeJS.WriteStream; text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => parts.join('') };
}
