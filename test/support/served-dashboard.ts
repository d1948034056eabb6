// airank dashboard --serve in this process, with the address that it prints.
import { Writable } from 'node:stream';
import { runProgram } from '../../src/cli/commands/program.ts';

export interface ServedDashboard {
  /** `http://127.0.0.1:12345/WORD/` */
  readonly url: string;
  /** Everything that was printed by now. */
  stdout(): string;
  stderr(): string;
  /** As SIGTERM does. @returns the exit code */
  stop(): Promise<number>;
}

export async function serveDashboardHere(
  env: NodeJS.ProcessEnv,
  cwd: string,
  ...args: readonly string[]
): Promise<ServedDashboard> {
  const stop = new AbortController();
  let [out, err] = ['', ''];
  let told: () => void = () => undefined;
  const printed = new Promise<void>((resolve) => {
    told = resolve;
  });
  const stream = (take: (text: string) => void) =>
    new Writable({
      write: (chunk, _, done) => {
        take(String(chunk));
        done();
      },
    }) as unknown as NodeJS.WriteStream;
  const ended = runProgram(['dashboard', '--serve', '--port', '0', ...args], {
    env: { AIRANK_LOG_LEVEL: 'silent', ...env },
    cwd,
    stdout: stream((text) => {
      out += text;
      told();
    }),
    stderr: stream((text) => {
      err += text;
    }),
    signal: stop.signal,
  });
  await Promise.race([printed, ended]);
  const [url] = /^http:\/\/\S+\/$/m.exec(out) ?? [];
  if (url === undefined) throw new Error(`it did not begin: ${err}`);
  return {
    url,
    stdout: () => out,
    stderr: () => err,
    stop: async () => {
      stop.abort();
      return await ended;
    },
  };
}
