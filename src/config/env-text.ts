// The text of a `.env` with some variables set: their lines are replaced, all others stay.
import { ConfigError } from '../core/errors.ts';

const plain = /^[\w./:@%+=~,-]*$/;

/**
 * Variables are added at the end where the text has no line of them.
 * @throws ConfigError where no quotes are left that a value does not hold
 */
export function setInEnvText(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}=${quoted(name, value)}`;
    // Of several lines the last one counts.
    const at = lines.findLastIndex((one) => nameIn(one) === name);
    if (at < 0) lines.push(line);
    else lines[at] = line;
  }
  return `${lines.join('\n')}\n`;
}

function nameIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

function quoted(name: string, value: string): string {
  if (plain.test(value)) return value;
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  // Between double quotes \\n is the end of a line.
  if (mark === undefined || (mark === '"' && value.includes('\\'))) {
    throw new ConfigError([
      `Expected ${name} to be a value that can stand between quotes in .env, got one with quotes of all kinds. A key can stay in a file: --key-file`,
    ]);
  }
  return `${mark}${value}${mark}`;
}
