// Runs a program that takes over the terminal.
import { spawn } from 'node:child_process';
import { codeOf } from '../../db/sqlstate.ts';

/**
 * Returns the exit code, or undefined when there is no such program on PATH. While it runs, Ctrl-C is
 * the program's: psql cancels a query with it and goes on, so this process, which runs its server, must go on too.
 * The signal ends the program: a SIGTERM or SIGHUP is for this process alone, which would wait for it.
 */
export async function runInteractive(
  command: string,
  args: readonly string[],
  {
    signal,
    ...options
  }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const listeners = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  let end: () => void = ignore;
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(command, args, { ...options, stdio: 'inherit' });
      end = () => void child.kill();
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      child.once('error', (error) => (codeOf(error) === 'ENOENT' ? resolve(undefined) : reject(error)));
      child.once('close', (code, killedBy) => resolve(code ?? (killedBy === null ? 1 : 128)));
    });
  } finally {
    signal.removeEventListener('abort', end);
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}
