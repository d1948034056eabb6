// A format that the user says: the log_format of nginx, the LogFormat of Apache, or a regular expression with named groups.

import { ConfigError } from '../../core/errors.ts';
import { apacheExample, apacheParts, isApachePattern } from './apache-pattern.ts';
import { unescapeQuoted } from './escapes.ts';
import { type FoundFormat, type LogReader, nothing, unreadable } from './log-event.ts';
import { createValueReader, type Meaning, meanings } from './log-values.ts';
import { expressionOf, type PatternParts } from './pattern-parts.ts';

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

/** @throws ConfigError where it is no pattern, or cannot tell time, path and status */
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
    throw wrongPattern('to tell a time, a status and a path or request', pattern, lacks);
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

function fromServer(pattern: string): RegExp {
  const trimmed = pattern.trim();
  return expressionOf(isApachePattern(trimmed) ? apacheParts(trimmed) : nginxParts(trimmed));
}

/** @param lacks what nothing in it tells */
function wrongPattern(expected: string, got: string, lacks: readonly string[] = []): ConfigError {
  const without = lacks.length === 0 ? '' : `, which tells no ${lacks.join(' and no ')}`;
  const example = isApachePattern(got)
    ? `the LogFormat of Apache: '${apacheExample}'`
    : `the log_format of nginx: '${nginxExample}'; or the LogFormat of Apache: '${apacheExample}'`;
  return new ConfigError([`Expected --pattern ${expected}, got "${got}"${without}. Give ${example}`]);
}
