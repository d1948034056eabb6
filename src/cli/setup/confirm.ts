// Asks somebody at a terminal before something that cannot be taken back.
import { createInterface } from 'node:readline/promises';
import { ConfigError } from '../../core/errors.ts';
import type { Terminal } from './context.ts';

export interface Question {
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
