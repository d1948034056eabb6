// Asks somebody at a terminal for lines, one after the other. What is secret is not shown while it is typed.
import type { Terminal } from './context.ts';
import { type Keys, readKeys } from './keys.ts';

export interface Asker {
  /** Undefined: Ctrl-C, or nobody is there any more. */
  line(question: string, shown?: 'secret'): Promise<string | undefined>;
  /** Anything but y or yes is a no. */
  yes(question: string): Promise<boolean | undefined>;
  /** Aborted by Ctrl-C, also while nothing is asked. */
  readonly signal: AbortSignal;
  close(): void;
}

/** @returns undefined where nobody can be asked */
export function openAsker({ stdin, stderr, signal }: Terminal): Asker | undefined {
  if (stdin?.isTTY !== true) return undefined;
  const stop = new AbortController();
  const keys = readKeys(stdin, signal, () => stop.abort(new Error('stopped by Ctrl-C')));
  const line: Asker['line'] = async (question, shown) => {
    stderr.write(`${question} `);
    const text = await readLine(keys, (echo) => {
      if (shown !== 'secret') stderr.write(echo);
    });
    stderr.write('\n');
    return text;
  };
  return {
    line,
    yes: async (question) => {
      const answer = await line(`${question} [y/N]`);
      return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
    },
    signal: AbortSignal.any([signal, stop.signal]),
    close: () => keys.close(),
  };
}

async function readLine(keys: Keys, show: (echo: string) => void): Promise<string | undefined> {
  const typed: string[] = [];
  for (;;) {
    const key = await keys.next();
    if (key === undefined) return undefined;
    if (key === '\r' || key === '\n') return typed.join('').trim();
    if (key === '\u007f' || key === '\b') {
      if (typed.pop() !== undefined) show('\b \b');
    } else if (/^\P{Cc}$/u.test(key)) {
      typed.push(key);
      show(key);
    }
  }
}
