// Asks somebody at a terminal.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ConfigError } from '../core/errors.ts';
import type { Terminal } from './context.ts';

/** Asks somebody at a terminal for lines, one after the other. */
export interface Asker {
  /** Undefined: Ctrl-C, Ctrl-D, a signal, or nobody is there any more. What is secret is not shown. */
  line(question: string, shown?: 'secret'): Promise<string | undefined>;
  /** Anything but y or yes is a no; Enter alone is what is given. */
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
  // A history would bring a key back by an arrow key.
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const close = () => lines.close();
  lines.on('line', (text) => {
    typed.push(text);
    // What was pasted together with this line may be the key.
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
    // What was typed before the stop is still an answer.
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

/** Asks somebody at a terminal before something that cannot be taken back. */
interface Question {
  /** What is going to happen, on stderr. */
  readonly text: string;
  /** What has to be typed. */
  readonly answer: string;
  /** --yes was given. */
  readonly isYes: boolean;
}

/** False: the answer was another, or none. @throws ConfigError where nobody can be asked */
export async function confirm(terminal: Asking, { text, answer, isYes }: Question): Promise<boolean> {
  terminal.stderr.write(`${text}\n`);
  if (isYes) return true;
  const asker = openAsker(terminal);
  if (asker === undefined) {
    throw new ConfigError([
      'Expected --yes where nobody can be asked, got no terminal. Nothing was changed; add --yes',
    ]);
  }
  try {
    return (await asker.line(`Type ${answer} to go on:`)) === answer;
  } finally {
    asker.close();
  }
}
