// The log_format of nginx.
import type { Meaning } from './log-values.ts';
import type { PatternParts } from './pattern-parts.ts';

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

export const nginxExample =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

export function nginxParts(pattern: string): PatternParts {
  const [before = '', ...rest] = pattern.split(/\$\{?(\w+)\}?/);
  const values = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [variable = '', after = ''] = [rest[index], rest[index + 1]];
    values.push({ meaning: variables[variable], shape: shapes[variable], after });
  }
  return { before, values };
}
