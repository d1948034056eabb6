// One pino logger on stderr; every line is scrubbed of secrets as its last step, because
// pino's own `redact` (10.4) misses nested keys, other letter cases, URLs and error texts.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;

const assignments =
  /((?:authorization|x-api-key|api[_-]?key|apikey|password|passwd|secret|token)["']?\s*[:=]\s*["']?(?:bearer\s+)?)([^\s"',&}]+)/gi;
const bearer = /(bearer\s+)[^\s"',]+/gi;
const keyInQuery = /([?&]key=)[^&\s"']+/gi;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@/]+@/gi;

/** Returns a function that replaces known secrets, and whatever looks like one, in a text. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, '[secret]');
    return clean
      .replace(urlPassword, '$1[secret]@')
      .replace(bearer, '$1[secret]')
      .replace(keyInQuery, '$1[secret]')
      .replace(assignments, '$1[secret]');
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
  const scrubbed: DestinationStream = { write: (line: string) => write(scrub(line)) };
  if (options.format === 'json') {
    return pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, scrubbed);
  }
  const prettyStream = pretty({
    colorize: process.stderr.isTTY === true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    destination: {
      write: (line: string) => write(scrub(line)),
    } as unknown as NodeJS.WritableStream,
    sync: true,
  });
  return pino({ level: options.level, base: null }, prettyStream);
}
