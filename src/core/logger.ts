// One pino logger on stderr; every line is scrubbed of secrets as its last step, because
// pino's own `redact` (10.4) misses nested keys, other letter cases, URLs and error texts.

import { type Logger as PinoLogger, type LoggerOptions as PinoOptions, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { isObject } from './json.ts';
import { mark, replaceSecrets } from './replace-secrets.ts';

/** Last words of field, header and parameter names that hold a secret; counters such as `tokens` do not. */
const lastWords = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'apikey',
  'token',
];
const lastPairs = ['api key', 'private key', 'access key', 'secret key', 'set cookie'];
const plural = /^(passwords|secrets|cookies|apikeys)$/;

/** `maxRetryToken`, `X-API-Key`, `api_key` → lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** True for `password`, `X-API-Key`, `accessToken`; false for `tokens`, `token_count`, `api_key_env`. */
function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  if (lastWords.includes(last) || plural.test(last)) return true;
  const pair = words.slice(-2).join(' ').replace(/s$/, '');
  return lastPairs.includes(pair);
}

type Scrub = (text: string) => string;

/** Hides everything below a secret name except null, true, false and small counts. */
function blot(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : mark;
  if (typeof value === 'number') return Math.abs(value) < 1e6 ? value : mark;
  if (Array.isArray(value)) return value.map(blot);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, blot(part)]));
  return value;
}

function scrubNumber(value: number, scrub: Scrub): unknown {
  const text = String(value);
  return scrub(text) === text ? value : mark;
}

/** Header lists come flat: `["X-API-Key", "…", "Accept", "…"]`. */
function scrubList(list: readonly unknown[], scrub: Scrub): unknown[] {
  return list.map((part, index) => {
    const before = list[index - 1];
    const follows = typeof before === 'string' && isSecretName(before) && typeof part === 'string';
    return follows ? blot(part) : scrubJson(part, scrub);
  });
}

/** `{ name: "authorization", value: "…" }`: the name of the secret is itself a value. */
function namesSecret(value: Record<string, unknown>): boolean {
  const { name, key, header } = value;
  return [name, key, header].some((part) => typeof part === 'string' && isSecretName(part));
}

function scrubJson(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') return scrubNumber(value, scrub);
  if (Array.isArray(value)) return scrubList(value, scrub);
  if (!isObject(value)) return value;
  const named = namesSecret(value);
  const pairs = Object.entries(value).map(([key, part]) => {
    const secret = isSecretName(key) || (named && key === 'value');
    return [scrub(key), secret ? blot(part) : scrubJson(part, scrub)];
  });
  return Object.fromEntries(pairs);
}

/** Bounded, so that a long run of backslashes costs no quadratic time. */
const quote = '\\\\{0,8}["\']';
const name =
  '(?:proxy-authorization|authorization|set-cookie|cookie|(?:[a-z0-9_-]*[_-])?(?:api[_-]?key|password|passwd|passphrase|pwd|secret|token|(?:private|access|secret)[_-]?key)|[a-z0-9]*(?:password|apikey|secret|token))';
/** `name=`, `name: `, `"name":"`, `'name', '`, `name%3D`; a scheme before the secret stays readable. */
const start = `(?<![a-z0-9_-])(?<quote>${quote})?${name}(?:\\k<quote>\\s*[:=]\\s*|\\k<quote>?%3D|\\k<quote>\\s*,\\s*(?=${quote}))`;
const scheme = '(?:(?:bearer|basic|digest|token)\\s+)?';

/** A value in quotes ends at the same quote, another at a blank or a separator. */
const quotedValue = new RegExp(
  `(?<before>${start}(?<end>${quote})${scheme})(?!\\k<end>)(?:(?!\\k<end>).)+`,
  'gis',
);
const bareValue = new RegExp(`(?<before>${start}${scheme})(?!${quote})(?<value>[^\\s"',;&}\\])\\\\]+)`, 'gi');
const cookieLine = /((?:^|[\s"'])(?:set-)?cookie:\s*)[^\r\n"']+/gi;
/** Stays on one line: the next begins with other words, and a colour code there has digits. */
const bearer = /(\b(?:bearer|basic)[^\S\r\n]+)(?=[^\s"',]*\d|[^\s"',]{16})[^\s"',;)\]}\\]+/gi;
const keyInQuery = /((?:[?&]|%3F|%26)key(?:=|%3D))(?:(?!%26)[^&\s"'\\#<>])+/gi;
const httpUser = /(\bhttps?:\/\/)[^\s/@"'?#<>]+@/gi;
const databaseUser = /(\bpostgres(?:ql)?:\/\/[^\s:@/"']*:)[^\s"'<>]*@/gi;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/"']*:)[^\s/"'?#<>]+@/gi;

/** Words and counts that stand where a secret would: `"token": 12`, `password: null`. */
function isHarmless(value: string): boolean {
  return /^(?:\d{1,6}|null|undefined|true|false|none)\.?$/i.test(value) || value.startsWith(mark);
}

function replaceSecretLooks(text: string): string {
  return text
    .replace(databaseUser, `$1${mark}@`)
    .replace(httpUser, `$1${mark}@`)
    .replace(urlPassword, `$1${mark}@`)
    .replace(cookieLine, `$1${mark}`)
    .replace(quotedValue, `$<before>${mark}`)
    .replace(bareValue, (...match) => {
      const { before, value } = match.at(-1) as { before: string; value: string };
      return isHarmless(value) ? match[0] : `${before}${mark}`;
    })
    .replace(bearer, `$1${mark}`)
    .replace(keyInQuery, `$1${mark}`);
}

/** Levels of an error that a log line shows. */
const deepest = 8;
/** The user's own mistakes need no stack. */
const withoutStack = new Set(['ConfigError']);
const described = new Set(['name', 'message', 'stack', 'cause', 'errors']);

/** Drivers hang whole clients and sockets on their errors: class instances are left out. */
function isData(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value) || value instanceof Error || value instanceof Date || value instanceof URL)
    return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describeAt(thrown: unknown, depth: number, seen: ReadonlySet<unknown>): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if (seen.has(thrown) || depth > deepest) return { type: thrown.name, message: thrown.message };
  const path = new Set(seen).add(thrown);
  const next = (inner: unknown) => describeAt(inner, depth + 1, path);
  const fields = Object.entries(thrown).filter(([name, value]) => !described.has(name) && isData(value));
  const errors: unknown = 'errors' in thrown ? thrown.errors : undefined;
  return {
    type: thrown.name,
    message: thrown.message,
    ...Object.fromEntries(fields.map(([name, value]) => [name, next(value)])),
    ...(thrown.stack !== undefined && !withoutStack.has(thrown.name) && { stack: thrown.stack }),
    ...(Array.isArray(errors) && { errors: errors.map(next) }),
    ...(thrown.cause !== undefined && { cause: next(thrown.cause) }),
  };
}

/** Returns an error as plain data: fields and chain of causes, cycles cut. Others come back as they are. */
function describeError(thrown: unknown): unknown {
  return describeAt(thrown, 1, new Set());
}

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

interface LoggerOptions {
  readonly level: string;
  readonly format: 'pretty' | 'json';
  readonly secrets: readonly string[];
  /** Receives scrubbed lines; stderr by default, because stdout is for data. */
  readonly write?: (line: string) => void;
}

/** `run.finished agency slices.complete=3`: the event, then each field; stacks of errors on lines of their own. */
function spoken({ level: _, time: __, event, msg, ...fields }: Record<string, unknown>): string {
  const stacks: string[] = [];
  const told = ([key, value]: readonly [string, unknown]): string[] => {
    if (key.endsWith('stack') && typeof value === 'string') {
      stacks.push(`\n    ${value.replaceAll('\n', '\n    ')}`);
      return [];
    }
    if (isObject(value))
      return Object.entries(value).flatMap(([inner, one]) => told([`${key}.${inner}`, one]));
    const text = Array.isArray(value)
      ? value.map((one) => (isObject(one) ? JSON.stringify(one) : one)).join(',')
      : `${value}`;
    return [`${key}=${/\s|^$/.test(text) ? JSON.stringify(text) : text}`];
  };
  return (
    [event, msg, ...Object.entries(fields).flatMap(told)].filter((part) => part !== undefined).join(' ') +
    stacks.join('')
  );
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
    hideObject: true,
    messageFormat: (log) => spoken(log),
  });
  // Known secrets once more at the end: prettifying undoes JSON's escapes.
  const replaceKnown = replaceSecrets(options.secrets);
  return pino(settings, { write: (line: string) => write(replaceKnown(prettify(scrub(line)))) });
}
