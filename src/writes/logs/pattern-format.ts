// A format that the user says: the log_format of nginx, the LogFormat of Apache, or a regular expression with named groups.

import { ConfigError } from '../../core/errors.ts';
import { unescapeQuoted } from './combined.ts';
import { type FoundFormat, type LogReader, nothing, unreadable } from './log-event.ts';
import { createValueReader, type Meaning, meanings } from './log-values.ts';

interface PatternValue {
  /** Undefined: it means nothing here. */
  readonly meaning: Meaning | undefined;
  /** What it may look like, where the text after it does not say. */
  readonly shape: string | undefined;
  /** Text up to the next value. */
  readonly after: string;
}

interface PatternParts {
  /** Text before the first value. */
  readonly before: string;
  readonly values: readonly PatternValue[];
}

/** A value ends where the text after it begins. Of two with one meaning the first counts. */
function expressionOf({ before, values }: PatternParts): RegExp {
  const seen = new Set<Meaning>();
  let source = escaped(before);
  for (const [place, { meaning, shape, after }] of values.entries()) {
    const isNew = meaning !== undefined && !seen.has(meaning);
    if (isNew) seen.add(meaning);
    const value = shape ?? valueBefore(after, place === values.length - 1);
    source += `${isNew ? `(?<${meaning}>` : '(?:'}${value})${escaped(after)}`;
  }
  return new RegExp(`^${source}$`);
}

function valueBefore(after: string, isLast: boolean): string {
  const next = after[0];
  if (next === undefined) return isLast ? '.*' : '.*?';
  return next === '"' ? '(?:[^"\\\\]|\\\\.)*' : `[^${escaped(next)}]*`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/-]/g, '\\$&');
}

/** Statuses and < or > may stand before it, a name in braces too. */
const directive = /%[<>!,\d]*(?:\{([^}]*)\})?(\^\w\w|[A-Za-z%])/;

/** Directives that mean something here; the others are passed over. */
const directives: Readonly<Record<string, Meaning>> = {
  v: 'host',
  V: 'host',
  a: 'ip',
  h: 'ip',
  t: 'time',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  H: 'protocol',
  s: 'status',
  b: 'bytes',
  B: 'bytes',
  O: 'bytes',
  D: 'us',
  T: 'seconds',
};

/** Headers of the request, `%{Referer}i`. */
const headers: ReadonlyMap<string, Meaning> = new Map([
  ['host', 'host'],
  ['referer', 'referrer'],
  ['user-agent', 'agent'],
]);

/** `%{ms}T`. */
const units: ReadonlyMap<string, Meaning> = new Map([
  ['s', 'seconds'],
  ['ms', 'ms'],
  ['us', 'us'],
]);

/** What a value may look like that has blanks, or that the next follows at once, as in `%U%q`. */
const apacheShapes: Readonly<Record<string, string>> = {
  t: '\\[[^\\]]*\\]',
  s: '\\d{3}',
  U: '[^?"]*?',
  q: '(?:\\?[^"]*?)?',
  H: '(?:HTTP\\/[\\d.]+|-)',
};

const apacheExample = '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"';

function isApachePattern(pattern: string): boolean {
  return directive.test(pattern) && !/\$\{?\w/.test(pattern);
}

/** As it stands in a configuration too, with `\"` for quotes. */
function apacheParts(pattern: string): PatternParts {
  const plain = pattern.replaceAll('\\t', '\t').replaceAll(/\\(["\\])/g, '$1');
  const [first = '', ...rest] = plain.split(directive);
  let before = first;
  const values: PatternValue[] = [];
  for (let index = 0; index < rest.length; index += 3) {
    const [name, letter = '', after = ''] = rest.slice(index, index + 3);
    const last = values.pop();
    if (letter !== '%') values.push(...(last === undefined ? [] : [last]), partOf(letter, name, after));
    else if (last === undefined) before += `%${after}`;
    else values.push({ ...last, after: `${last.after}%${after}` });
  }
  return { before, values };
}

function partOf(letter: string, name: string | undefined, after: string): PatternValue {
  // A time in a form of its own has no brackets around it.
  const shape = letter === 't' && name !== undefined ? undefined : apacheShapes[letter];
  return { meaning: meaningOf(letter, name), shape, after };
}

function meaningOf(letter: string, name: string | undefined): Meaning | undefined {
  if (letter === 'i') return headers.get((name ?? '').toLowerCase());
  if (letter === 'T' && name !== undefined) return units.get(name);
  return directives[letter];
}

/** Variables that mean something here; the others are passed over. */
const variables: Readonly<Record<string, Meaning>> = {
  host: 'host',
  http_host: 'host',
  server_name: 'host',
  remote_addr: 'ip',
  realip_remote_addr: 'ip',
  time_local: 'time',
  time_iso8601: 'time',
  msec: 'time',
  request: 'request',
  request_method: 'method',
  request_uri: 'path',
  uri: 'path',
  args: 'query',
  query_string: 'query',
  server_protocol: 'protocol',
  status: 'status',
  body_bytes_sent: 'bytes',
  bytes_sent: 'bytes',
  http_referer: 'referrer',
  http_user_agent: 'agent',
  request_time: 'seconds',
};

/** What a value may look like that has blanks or is not closed by what follows. */
const shapes: Readonly<Record<string, string>> = {
  time_local: '\\d+/\\w+/\\d+:\\d+:\\d+:\\d+ [+-]\\d+',
  status: '\\d{3}',
};

const nginxExample =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

function nginxParts(pattern: string): PatternParts {
  const [before = '', ...rest] = pattern.split(/\$\{?(\w+)\}?/);
  const values = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [variable = '', after = ''] = [rest[index], rest[index + 1]];
    values.push({ meaning: variables[variable], shape: shapes[variable], after });
  }
  return { before, values };
}

/** @throws ConfigError where it is no pattern, or has no time, path or status */
export function patternFormat(pattern: string): FoundFormat {
  const expression = pattern.startsWith('/') ? fromExpression(pattern) : fromServer(pattern);
  const groups = [...expression.source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name);
  const named = (name: Meaning) => groups.includes(name);
  const lacks = [
    ...(named('time') ? [] : ['time']),
    ...(named('status') ? [] : ['status']),
    ...(named('path') || named('request') ? [] : ['path or request']),
  ];
  if (lacks.length > 0) {
    throw wrongPattern('to have a time, a status and a path or request', pattern, lacks);
  }
  return {
    name: 'pattern',
    why: 'given by --pattern',
    hasAgents: named('agent'),
    needsHead: false,
    reader: () => patternReader(expression),
  };
}

function patternReader(expression: RegExp): LogReader {
  const readValues = createValueReader();
  return {
    read(line) {
      if (line.trim() === '') return nothing;
      const found = expression.exec(line)?.groups;
      if (found === undefined) return unreadable('not as --pattern says');
      const values = Object.entries(found).map(([name, text]) => [name, text && unescapeQuoted(text)]);
      return readValues(Object.fromEntries(values));
    },
  };
}

function fromExpression(pattern: string): RegExp {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  const unknown = [...source.matchAll(/\(\?<(\w+)>/g)].find(
    ([, name]) => !meanings.some((one) => one === name),
  );
  if (unknown !== undefined)
    throw wrongPattern(`to have groups named ${meanings.join(', ')}`, unknown[1] ?? '');
  try {
    if (source !== '') return new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  } catch {
    // The error is below.
  }
  throw wrongPattern('to be a regular expression such as /^(?<ip>\\S+) … (?<agent>.*)$/', pattern);
}

function fromServer(pattern: string): RegExp {
  const trimmed = pattern.trim();
  return expressionOf(isApachePattern(trimmed) ? apacheParts(trimmed) : nginxParts(trimmed));
}

/** @param lacks what is missing in it */
function wrongPattern(expected: string, got: string, lacks: readonly string[] = []): ConfigError {
  const without = lacks.length === 0 ? '' : `, which has no ${lacks.join(' and no ')}`;
  const example = isApachePattern(got)
    ? `the LogFormat of Apache: '${apacheExample}'`
    : `the log_format of nginx: '${nginxExample}'; or the LogFormat of Apache: '${apacheExample}'`;
  return new ConfigError([`Expected --pattern ${expected}, got "${got}"${without}. Give ${example}`]);
}
