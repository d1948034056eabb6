// Runs a program that takes over the terminal.
import { spawn } from 'node:child_process';
import { codeOf } from '../../warehouse/connection/sqlstate.ts';

/**
 * Returns the exit code, or undefined when there is no such program on PATH. While it runs, Ctrl-C is
 * the program's: psql cancels a query with it and goes on, so this process, which runs its server, must go on too.
 */
export async function runInteractive(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<number | undefined> {
  const listeners = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(command, args, { ...options, stdio: 'inherit' });
      child.once('error', (error) => (codeOf(error) === 'ENOENT' ? resolve(undefined) : reject(error)));
      child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
    });
  } finally {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}
