// One pino logger on stderr; every line is scrubbed of secrets as its last step, because
// pino's own `redact` (10.4) misses nested keys, other letter cases, URLs and error texts.
import { type Logger as PinoLogger, type LoggerOptions as PinoOptions, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { describeError } from './describe-error.ts';
import { replaceSecrets } from './known-secrets.ts';
import { scrubJson } from './scrub-json.ts';
import { replaceSecretLooks } from './secret-patterns.ts';

export type Logger = PinoLogger;

function parseJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that replaces known secrets, and whatever looks like one, in a text. A text that is
 * JSON (an object or a list) is scrubbed by its fields and is JSON afterwards, byte for byte the same
 * when nothing had to be replaced.
 */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const replaceKnown = replaceSecrets(secrets);
  const scrubText = (text: string) => replaceSecretLooks(replaceKnown(text));
  return (text) => {
    const line = text.trimEnd();
    const value = parseJson(line);
    if (value === undefined) return scrubText(text);
    const before = JSON.stringify(value);
    const after = JSON.stringify(scrubJson(value, scrubText));
    return after === before ? text : after + text.slice(line.length);
  };
}

export interface LoggerOptions {
  readonly level: string;
  readonly format: 'pretty' | 'json';
  readonly secrets: readonly string[];
  /** Where scrubbed lines go; stderr by default, because stdout is for data. */
  readonly write?: (line: string) => void;
}

/** A logger whose every line carries an `event` field by convention and never a secret. */
export function createLogger(options: LoggerOptions): Logger {
  const scrub = createScrubber(options.secrets);
  const write = options.write ?? ((line: string) => process.stderr.write(line));
  const settings: PinoOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino's serializer flattens causes into one text and drops those that are no errors.
    serializers: { err: describeError, error: describeError },
    // A chain of causes with their fields is deeper than the default of 5.
    depthLimit: 20,
  };
  if (options.format === 'json') return pino(settings, { write: (line: string) => write(scrub(line)) });
  // prettyFactory and not the stream: the stream loses its last lines when the process exits.
  const prettify = prettyFactory({
    colorize: options.write === undefined && process.stderr.isTTY === true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
  });
  // Known secrets once more at the end: prettifying undoes JSON's escapes.
  const replaceKnown = replaceSecrets(options.secrets);
  return pino(settings, { write: (line: string) => write(replaceKnown(prettify(scrub(line)))) });
}
