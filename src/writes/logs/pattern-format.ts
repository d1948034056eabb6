// A format that the user says: the log_format of nginx, or a regular expression with named groups.
import { ConfigError } from '../../core/errors.ts';
import { unescapeQuoted } from './escapes.ts';
import { type FoundFormat, type LogReader, nothing, unreadable } from './log-event.ts';
import { createValueReader, type Meaning, meanings } from './log-values.ts';

/** Variables of nginx that mean something here; the others are passed over. */
const variables: Readonly<Record<string, Meaning>> = {
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

/** @throws ConfigError where it is no pattern, or cannot tell time, path and status */
export function patternFormat(pattern: string): FoundFormat {
  const expression = pattern.startsWith('/') ? fromExpression(pattern) : fromLogFormat(pattern);
  const groups = [...expression.source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name);
  const named = (name: Meaning) => groups.includes(name);
  if (!named('time') || !named('status') || !(named('path') || named('request'))) {
    throw wrongPattern('to tell a time, a status and a path or request', pattern);
  }
  return {
    name: 'pattern',
    why: 'said by --pattern',
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
    // Said below.
  }
  throw wrongPattern('to be a regular expression such as /^(?<ip>\\S+) … (?<agent>.*)$/', pattern);
}

/** A value ends where the text after it begins. */
function fromLogFormat(pattern: string): RegExp {
  const parts = pattern.trim().split(/\$\{?(\w+)\}?/);
  const seen = new Set<Meaning>();
  let source = escaped(parts[0] ?? '');
  for (let index = 1; index < parts.length; index += 2) {
    const [variable = '', after = ''] = [parts[index], parts[index + 1]];
    const shape = shapes[variable] ?? valueBefore(after);
    const meaning = variables[variable];
    const isNew = meaning !== undefined && !seen.has(meaning);
    if (isNew) seen.add(meaning);
    source += `${isNew ? `(?<${meaning}>` : '(?:'}${shape})${escaped(after)}`;
  }
  return new RegExp(`^${source}$`);
}

function valueBefore(after: string): string {
  const next = after[0];
  if (next === undefined) return '.*';
  return next === '"' ? '(?:[^"\\\\]|\\\\.)*' : `[^${escaped(next)}]*`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/-]/g, '\\$&');
}

function wrongPattern(expected: string, got: string): ConfigError {
  return new ConfigError([
    `Expected --pattern ${expected}, got "${got}". Give the log_format of nginx: '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"'`,
  ]);
}
