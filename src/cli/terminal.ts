// What surrounds every command: how the process stops, where its output goes, and how its commands are called here.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { explainSettings } from '../config/explain-settings.ts';
import { ConfigError, messageOf } from '../core/errors.ts';
import { createLogger } from '../core/logger.ts';
import { codeOf } from '../db/sqlstate.ts';
import type { Terminal } from './context.ts';
import { callCommandsBy } from './print/words.ts';

/**
 * @param name of the flag or argument
 * @param given as people wrote it; undefined: nothing, and the file goes into the folder that they are in
 * @throws ConfigError where a file cannot be written there
 */
export async function checkOutputFile(
  file: string,
  given: string | undefined,
  name = '--output',
): Promise<void> {
  const got = JSON.stringify(given);
  if ((await kindOf(file)) === 'folder') {
    throw new ConfigError([`Expected ${name} to be a file, got the folder ${got}`]);
  }
  const folder = dirname(file);
  if ((await kindOf(folder)) !== 'folder') {
    throw new ConfigError([
      `Expected ${name} to be in a folder that exists, got ${got}. Make the folder first`,
    ]);
  }
  const refused = await refusalOf(folder);
  if (refused === undefined) return;
  throw new ConfigError([
    given === undefined
      ? `Expected a folder that can be written to, got ${JSON.stringify(folder)} (${refused}). Give another one by ${name}`
      : `Expected ${name} to be in a folder that can be written to, got ${got} (${refused})`,
  ]);
}

/** Of a folder that may still have to be made. @throws ConfigError where no file can be written into it */
export async function checkOutputFolder(folder: string, given: string): Promise<void> {
  const got = JSON.stringify(given);
  const kind = await kindOf(folder);
  if (kind === 'other') throw new ConfigError([`Expected --output to be a folder, got the file ${got}`]);
  if (kind === undefined && dirname(folder) !== folder) {
    return await checkOutputFolder(dirname(folder), given);
  }
  const refused = await refusalOf(folder);
  if (refused === undefined) return;
  throw new ConfigError([`Expected --output to be a folder that can be written to, got ${got} (${refused})`]);
}

/** Undefined: there is nothing. */
async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  return await stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'other'),
    () => undefined,
  );
}

/** Rights alone do not say it: a disc may be read only. */
async function refusalOf(folder: string): Promise<string | undefined> {
  const probe = join(folder, `.airank-${randomBytes(6).toString('hex')}.part`);
  try {
    const handle = await open(probe, 'wx');
    await handle.close();
    await rm(probe, { force: true });
    return undefined;
  } catch (error) {
    return codeOf(error) ?? 'it is refused';
  }
}

/**
 * Writes to stdout as fast as its reader takes it. Ends early, and quietly, where the reader has gone (`| head`).
 */
export async function writeOut(
  { stdout, signal }: Terminal,
  parts: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  stdout.on('error', leave).on('close', leave);
  try {
    for await (const part of parts) {
      if (gone.signal.aborted) return;
      if (!stdout.write(part))
        await once(stdout, 'drain', { signal: AbortSignal.any([signal, gone.signal]) });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    stdout.off('error', leave).off('close', leave);
  }
}

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
  Object.defineProperty(output, 'columns', { get: () => stdout.columns ?? 80 });
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

/** Calls `onOrphaned` once when the shell between npm and this process is gone. */
export function watchParent(env: NodeJS.ProcessEnv, onOrphaned: () => void): void {
  if (env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onOrphaned();
  }, 500).unref();
}

/** What a stopped process says: in the form of its log, so that whoever reads JSON gets nothing else. */
const words = 'Stopping; what is stored stays. Press again to end at once.';

/** The line with its end; never throws, also where the settings are faulty. */
export function stopLine(place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }, signal: string) {
  const format = explainSettings(place).find((setting) => setting.name === 'logFormat');
  if (format?.shown !== 'json') return `\n${words}\n`;
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  createLogger({ level: 'info', format: 'json', secrets: [], write }).info({
    event: 'process.stopping',
    signal,
    note: words,
  });
  return line;
}

/** What a shell says of a program that SIGPIPE ended. */
const endedByPipe = 141;

interface WatchedOutput {
  /** The exit code, after what was written has failed or not: an error of the command itself stays. */
  exitCode(ofCommand: number): Promise<number>;
}

export function watchOutput(stdout: Writable, stderr: NodeJS.WritableStream): WatchedOutput {
  let failed: number | undefined;
  stdout.on('error', (error: Error) => {
    if (failed !== undefined) return;
    const isGone = codeOf(error) === 'EPIPE';
    failed = isGone ? endedByPipe : 1;
    if (!isGone) stderr.write(`Cannot write the output: ${messageOf(error)}\n`);
  });
  // Nobody is left to be told.
  stderr.on('error', () => undefined);
  return {
    exitCode: async (ofCommand) => {
      // What a slow reader of a pipe has not taken at the exit is lost.
      if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
      // A write tells its error in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      return ofCommand === 0 ? (failed ?? 0) : ofCommand;
    },
  };
}

/**
 * What the program prints can be pasted: in a clone, where there is no `airank`, its commands are called by npm.
 */
const scripts = ['demo', 'airank'];
const inClone = 'npm run -s airank --';

/** Commands whose stdout is somebody's data, and what makes it data of any other. */
const handsOut = ['backup', 'export', 'get', 'mcp', 'psql'];
const dataFlags = /^(--json|--format(=.*)?|-)$/;

/** The terminal on which commands are named as they can be called here. @param known names of the commands */
export function nameCommands(
  terminal: Terminal,
  argv: readonly string[],
  known: readonly string[],
): Terminal {
  const isClone = scripts.includes(terminal.env['npm_lifecycle_event'] ?? '');
  callCommandsBy(isClone ? inClone : 'airank');
  if (!isClone) return terminal;
  const pattern = calls(known);
  const rename = (text: string) => text.replaceAll(pattern, inClone);
  const isData = handsOut.includes(argv[0] ?? '') || argv.some((arg) => dataFlags.test(arg));
  return {
    ...terminal,
    stdout: isData ? terminal.stdout : written(terminal.stdout, rename),
    stderr: written(terminal.stderr, rename),
  };
}

/** `airank` before one of its commands: a stream has that name too. */
const calls = (known: readonly string[]) =>
  new RegExp(`(?<![\\w./-])airank(?= (?:--help|<command>|${known.join('|')})(?![\\w-]))`, 'g');

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
