// Questions at the terminal: single keys, lines, confirmations.

import { createInterface } from 'node:readline/promises';
import { ConfigError } from '../../core/errors.ts';
import type { Terminal } from './context.ts';

// Single keys of somebody at a terminal, without the return key.
interface Keys {
  /** The next key; undefined: Ctrl-C, Ctrl-D, a signal, or nobody is there any more. */
  next(): Promise<string | undefined>;
  close(): void;
}

/** @param onStop Ctrl-C or Ctrl-D; a terminal that gives single keys sends no signal for them */
export function readKeys(stdin: NodeJS.ReadStream, signal: AbortSignal, onStop?: () => void): Keys {
  const typed: string[] = [];
  let isOver = signal.aborted;
  let wake: () => void = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  const take = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === '\u0003' || key === '\u0004') {
        isOver = true;
        onStop?.();
      } else typed.push(key);
    }
    wake();
  };
  stdin.setRawMode?.(true);
  stdin.on('data', take);
  stdin.once('end', over);
  signal.addEventListener('abort', over, { once: true });
  stdin.resume();
  return {
    next: async () => {
      while (typed.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      // What was typed before the stop is still an answer.
      return typed.shift();
    },
    close: () => {
      stdin.off('data', take);
      stdin.off('end', over);
      signal.removeEventListener('abort', over);
      stdin.setRawMode?.(false);
      stdin.pause();
    },
  };
}

// Asks somebody at a terminal for lines, one after the other. What is secret is not shown while it is typed.
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

// Asks somebody at a terminal before something that cannot be taken back.
interface Question {
  /** What is going to happen, on stderr. */
  readonly text: string;
  /** What has to be typed. */
  readonly answer: string;
  /** --yes was given. */
  readonly isYes: boolean;
}

/** False: the answer was another. @throws ConfigError where nobody can be asked */
export async function confirm(
  { stdin, stderr, signal }: Pick<Terminal, 'stdin' | 'stderr' | 'signal'>,
  { text, answer, isYes }: Question,
): Promise<boolean> {
  stderr.write(`${text}\n`);
  if (isYes) return true;
  if (stdin?.isTTY !== true) {
    throw new ConfigError([
      'Expected --yes where nobody can be asked, got no terminal. Nothing was changed; add --yes',
    ]);
  }
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const got = await lines.question(`Type ${answer} to go on: `, { signal });
    return got.trim() === answer;
  } finally {
    lines.close();
  }
}
