// The surroundings of a command, and what it says to people: folded to the terminal's width, with commands ready to
// paste.
import type { Limits } from '../config/config.ts';
import { columnsOf, fold } from './print/text.ts';

/** Everything of the process that tests replace. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Typed input; undefined: nobody is there to ask. */
  readonly stdin?: NodeJS.ReadStream;
  readonly limits?: Partial<Limits> | undefined;
  /** Aborted by Ctrl-C, SIGTERM and a terminal that is closed. */
  readonly signal: AbortSignal;
}

/** The part that settings are read from and their faults are written to. */
export type Place = Pick<Terminal, 'env' | 'cwd' | 'stderr' | 'limits'>;

export const commandNames = [
  'demo',
  'init',
  'doctor',
  'sandbox',
  'sync',
  'plan',
  'status',
  'schedule',
  'jobs',
  'budget',
  'dashboard',
  'report',
  'mcp',
  'alerts',
  'note',
  'views',
  'map',
  'grant-bi',
  'metabase',
  'export',
  'psql',
  'push',
  'measure',
  'get',
  'backup',
  'restore',
  'forget',
  'migrate',
] as const;

/** `airank` before one of its commands, also behind a colour: a stream has that name too. */
const calls = new RegExp(
  `(?<=\\u001b\\[\\d+m|(?<![\\w./-]))airank(?= (?:--help|<command>|${commandNames.join('|')})(?![\\w-]))`,
  'g',
);

/** Names commands so that they can be pasted: a clone has no `airank` and calls them by npm. */
export function pasteable(text: string, env: NodeJS.ProcessEnv): string {
  const isClone = ['demo', 'airank'].includes(env['npm_lifecycle_event'] ?? '');
  return isClone ? text.replaceAll(calls, 'npm run -s airank --') : text;
}

/** Lines for people, on stdout or stderr. */
function linesFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, text: string): string {
  const lines = pasteable(text, env).split('\n');
  return lines.flatMap((line) => fold(line, columnsOf(stream))).join('\n');
}

export function show({ stdout, env }: Terminal, text: string): void {
  stdout.write(`${linesFor(stdout, env, text)}\n`);
}

/** Everything but what was asked for goes to stderr. */
export function say({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>, text: string): void {
  stderr.write(`${linesFor(stderr, env, text)}\n`);
}
