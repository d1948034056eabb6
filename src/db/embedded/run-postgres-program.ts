// Runs one of Postgres' programs to its end: in a session of its own, so that Ctrl-C in the
// terminal does not reach it, and without the secrets that the environment may hold.
import { spawn } from 'node:child_process';
import type { ServerUser } from './server-user.ts';

export interface ProgramResult {
  /** Exit code; `undefined` when a signal ended it. */
  readonly code: number | undefined;
  /** Standard output and error, in the order of arrival. */
  readonly output: string;
}

export interface ProgramOptions {
  /** Undefined: as the present user. */
  readonly user: ServerUser | undefined;
  /** A folder that the user may enter. */
  readonly folder: string;
  /** Ends the program when aborted. */
  readonly signal?: AbortSignal | undefined;
}

const drainMs = 1_000;

const passedOn = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SystemDrive',
  'USERPROFILE',
];

/** Rejects only when the program cannot be started (`ENOENT`, `EACCES`, `EPERM`). */
export function runPostgresProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { user, folder, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: folder,
      env: environment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (text: string) => {
      output = (output + text).slice(-64 * 1024);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    // pg_ctl ends the server that it is starting on this signal, and on no other.
    const stop = () => child.kill('SIGINT');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      signal?.removeEventListener('abort', stop);
      reject(error);
    });
    child.on('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      const finish = () => resolve({ code: code ?? undefined, output });
      child.once('close', finish);
      // On Windows the server inherits the pipes, and they stay open as long as it runs.
      setTimeout(finish, drainMs).unref();
    });
  });
}

/** Only what programs need to run; C and UTC, so that messages and defaults are the same everywhere. */
function environment(): NodeJS.ProcessEnv {
  const chosen: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}
