// Asks somebody at a terminal for lines, one after the other. What is secret is not shown while it is typed.
import type { Terminal } from './context.ts';
import { type Keys, readKeys } from './keys.ts';

export interface Asker {
  /** Undefined: Ctrl-C, or nobody is there any more. */
  line(question: string, shown?: 'secret'): Promise<string | undefined>;
  /** Anything but y or yes is a no; Enter alone is what is given. */
  yes(question: string, enter?: 'yes'): Promise<boolean | undefined>;
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
    yes: async (question, enter) => {
      const answer = await line(`${question} ${enter === 'yes' ? '[Y/n]' : '[y/N]'}`);
      if (answer === '') return enter === 'yes';
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
