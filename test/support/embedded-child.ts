// Uses an embedded Postgres from another process, which can be asked to close, or be killed.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EmbeddedPostgres } from '../../src/db/embedded/open.ts';

type EmbeddedFacts = Omit<EmbeddedPostgres, 'close'>;

type ChildAnswer =
  | { readonly kind: 'opened'; readonly facts: EmbeddedFacts; readonly lines: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

interface EmbeddedChild {
  readonly process: ChildProcess;
  /** Rejects when the child could not open it, or died. */
  readonly opened: Promise<Extract<ChildAnswer, { kind: 'opened' }>>;
  /** Closes and ends. */
  close(): Promise<void>;
  /** Ends the child, or its whole process group, by a signal. */
  kill(signal: NodeJS.Signals, target?: 'process' | 'group'): Promise<void>;
}

const program = fileURLToPath(new URL('embedded-child-main.mjs', import.meta.url));

export function startEmbeddedChild(dataDir: string): EmbeddedChild {
  const child = fork(program, [dataDir], { execArgv: [], detached: true });
  const ended = once(child, 'exit');
  const opened = new Promise<Extract<ChildAnswer, { kind: 'opened' }>>((resolve, reject) => {
    child.once('message', (answer: ChildAnswer) => {
      if (answer.kind === 'opened') resolve(answer);
      else reject(new Error(answer.message));
    });
    child.once('exit', (code, signal) => reject(new Error(`the child ended (${code ?? signal})`)));
  });
  // A test that kills the child while it opens does not look at this promise.
  opened.catch(() => undefined);
  return {
    process: child,
    opened,
    close: async () => {
      child.send('close');
      await ended;
    },
    kill: async (signal, target = 'process') => {
      const { pid } = child;
      if (pid === undefined) return;
      process.kill(target === 'group' ? -pid : pid, signal);
      await ended;
    },
  };
}
