// Asks questions at a terminal.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ConfigError } from '../core/errors.ts';
import { say, type Terminal } from './terminal.ts';

export interface Asker {
  /** Asks for a line; a secret is not shown. Undefined: Ctrl-C, Ctrl-D, a signal, or nobody is there. */
  line(question: string, shown?: 'secret'): Promise<string | undefined>;
  /** Asks for y or yes; anything else is a no. `enter` is the answer to Enter alone. */
  yes(question: string, enter?: 'yes'): Promise<boolean | undefined>;
  /** Aborted by Ctrl-C, also while nothing is asked. */
  readonly signal: AbortSignal;
  close(): void;
}

type Asking = Pick<Terminal, 'stdin' | 'stderr' | 'signal'>;

/** @returns undefined where nobody can be asked */
export function openAsker({ stdin, stderr, signal }: Asking, stdout = stderr): Asker | undefined {
  if (stdin?.isTTY !== true) return undefined;
  const stop = new AbortController();
  const typed: string[] = [];
  let isShown = false;
  let isOver = false;
  let wake: () => void = () => {};
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (isShown) stdout.write(chunk);
      done();
    },
  });
  Object.defineProperty(output, 'columns', { get: () => stdout.columns || 80 });
  // A history would let an arrow key bring a key back.
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const close = () => lines.close();
  lines.on('line', (text) => {
    typed.push(text);
    // Text pasted together with this line may be the key: do not show it.
    isShown = false;
    wake();
  });
  lines.on('SIGINT', () => {
    stop.abort(new Error('stopped by Ctrl-C'));
    close();
  });
  lines.on('close', () => {
    isOver = true;
    signal.removeEventListener('abort', close);
    wake();
  });
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const line: Asker['line'] = async (question, shown) => {
    const isEdited = typed.length === 0 && !isOver && shown !== 'secret';
    if (isEdited) {
      isShown = true;
      lines.setPrompt(`${question} `);
      lines.prompt(true);
    } else stdout.write(`${question} ${shown === 'secret' ? '' : (typed[0] ?? '')}`);
    while (typed.length === 0 && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // Enter ends a line that is shown; Ctrl-C does not.
    if (!isEdited || isShown) stdout.write('\n');
    isShown = false;
    // A line typed before the stop is still an answer.
    return typed.shift()?.trim();
  };
  return {
    line,
    yes: async (question, enter) => {
      const answer = await line(`${question} ${enter === 'yes' ? '[Y/n]' : '[y/N]'}`);
      if (answer === '') return enter === 'yes';
      return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
    },
    signal: AbortSignal.any([signal, stop.signal]),
    close,
  };
}

/** A question before something that cannot be undone. */
interface Question {
  /** Says on stderr what is going to happen. */
  readonly text: string;
  readonly answer: string;
  readonly isYes: boolean;
}

/**
 * Makes the user type the answer; false: something else was typed, or nothing.
 * @throws ConfigError if nobody can be asked
 */
export async function confirm(terminal: Terminal, { text, answer, isYes }: Question): Promise<boolean> {
  say(terminal, text);
  if (isYes) return true;
  const asker = openAsker(terminal);
  if (asker === undefined) {
    throw new ConfigError([
      'There is no terminal to confirm this on, and nothing was changed. Add --yes to go ahead',
    ]);
  }
  try {
    return (await asker.line(`Type ${answer} to go on:`)) === answer;
  } finally {
    asker.close();
  }
}
