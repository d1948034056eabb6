// What the program prints can be pasted: in a clone, where there is no `airank`, its commands are called by npm.
import type { Terminal } from './context.ts';

const scripts = ['demo', 'airank'];
const inClone = 'npm run -s airank --';

/** Commands whose stdout is somebody's data, and what makes it data of any other. */
const handsOut = ['ask', 'backup', 'completion', 'export', 'psql', 'public'];
const dataFlags = /^(--json|--format(=.*)?|-)$/;

/** The terminal on which commands are named as they can be called here. @param known names of the commands */
export function nameCommands(
  terminal: Terminal,
  argv: readonly string[],
  known: () => readonly string[],
): Terminal {
  if (!scripts.includes(terminal.env['npm_lifecycle_event'] ?? '')) return terminal;
  const rename = (text: string) => text.replaceAll(calls(known()), inClone);
  const isData = handsOut.includes(argv[0] ?? '') || argv.some((arg) => dataFlags.test(arg));
  return {
    ...terminal,
    stdout: isData ? terminal.stdout : written(terminal.stdout, rename),
    stderr: written(terminal.stderr, rename),
  };
}

/** `airank` before one of its commands: a stream has that name too. */
const calls = (known: readonly string[]) =>
  new RegExp(`(?<![\\w./-])airank(?= (?:--help|${known.join('|')})(?![\\w-]))`, 'g');

function written(stream: NodeJS.WriteStream, rename: (text: string) => string): NodeJS.WriteStream {
  return new Proxy(stream, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'write') return value.bind(target);
      return (chunk: unknown, ...rest: unknown[]) =>
        value.call(target, typeof chunk === 'string' ? rename(chunk) : chunk, ...rest);
    },
  });
}
