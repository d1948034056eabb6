// A file of each format, written for these tests: what its first request tells is the same in all.
import { combinedLine, robot } from './log-world.ts';

export interface LogSample {
  readonly name: string;
  readonly lines: readonly string[];
  /** Milliseconds, where the format has them. */
  readonly durationMs: number | null;
  /** As the line writes it; undefined: it names none. */
  readonly host?: string;
  /** Where the format is said and not found. */
  readonly pattern?: string;
  /** Formats that have the parts of a request apart say less of it. */
  readonly lacks?: readonly ('bytes' | 'protocol' | 'method')[];
}

const epochSeconds = Date.parse('2026-04-03T08:00:00Z') / 1_000;
const encodedRobot = encodeURIComponent(robot);

const caddy = (path: string) => ({
  level: 'info',
  ts: epochSeconds,
  logger: 'http.log.access',
  request: {
    remote_ip: '192.0.2.7',
    remote_port: '50000',
    client_ip: '192.0.2.7',
    proto: 'HTTP/1.1',
    method: 'GET',
    host: 'www.example.com',
    uri: path,
    headers: { 'User-Agent': [robot] },
  },
  duration: 0.0125,
  size: 5120,
  status: 200,
});

const nginx = (path: string) => ({
  time_iso8601: '2026-04-03T10:00:00+02:00',
  remote_addr: '192.0.2.7',
  host: 'www.example.com',
  request: `GET ${path} HTTP/1.1`,
  status: '200',
  body_bytes_sent: '5120',
  http_referer: '-',
  http_user_agent: robot,
  request_time: '0.0125',
});

const traefik = (path: string) => ({
  ClientAddr: '192.0.2.7:50000',
  DownstreamContentSize: 5120,
  DownstreamStatus: 200,
  Duration: 12_500_000,
  RequestHost: 'www.example.com',
  RequestMethod: 'GET',
  RequestPath: path,
  RequestProtocol: 'HTTP/1.1',
  StartUTC: '2026-04-03T08:00:00.000000000Z',
  'request_User-Agent': robot,
});

const cloudflare = (path: string) => ({
  ClientIP: '192.0.2.7',
  ClientRequestHost: 'www.example.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: path,
  ClientRequestProtocol: 'HTTP/1.1',
  ClientRequestUserAgent: robot,
  EdgeResponseBytes: 5120,
  EdgeResponseStatus: 200,
  EdgeStartTimestamp: epochSeconds * 1e9,
});

const own = (path: string) => ({
  fecha: '2026-04-03T10:00:00+02:00',
  ua: robot,
  ruta: path,
  estado: 200,
  ms: 12.5,
  ip: '192.0.2.7',
});

function json(name: string, durationMs: number | null, write: (path: string) => object): LogSample {
  const lines = [1, 2, 3].map((number) => JSON.stringify(write(`/page/${number}?q=a`)));
  return {
    name,
    lines,
    durationMs,
    ...(name === 'api-json' ? { lacks: ['bytes', 'protocol', 'method'] } : { host: 'www.example.com' }),
  };
}

const numbers = [1, 2, 3];
const combined = numbers.map((number) => combinedLine(number));

export const logSamples: readonly LogSample[] = [
  { name: 'combined', lines: combined, durationMs: null },
  {
    name: 'vhost_combined',
    lines: combined.map((line) => `www.example.com:443 ${line}`),
    durationMs: null,
    host: 'www.example.com:443',
  },
  json('caddy', 12.5, caddy),
  json('json', 12.5, nginx),
  json('traefik', 12.5, traefik),
  json('cloudflare', null, cloudflare),
  json('api-json', 12.5, own),
  {
    name: 'w3c',
    lines: [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Version: 1.0',
      '#Date: 2026-04-03 08:00:00',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs-host cs(User-Agent) cs(Referer) sc-status sc-bytes time-taken',
      ...numbers.map(
        (number) =>
          `2026-04-03 08:00:00 198.51.100.1 GET /page/${number} q=a 443 - 192.0.2.7 www.example.com ${robot.replaceAll(' ', '+')} - 200 5120 12`,
      ),
    ],
    durationMs: 12,
    host: 'www.example.com',
  },
  {
    name: 'cloudfront',
    lines: [
      '#Version: 1.0',
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query time-taken cs-protocol-version x-host-header',
      ...numbers.map((number) =>
        [
          '2026-04-03',
          '08:00:00',
          'MAD51-C1',
          '5120',
          '192.0.2.7',
          'GET',
          'd1.example.com',
          `/page/${number}`,
          '200',
        ]
          .concat(['-', encodedRobot, 'q=a', '0.0125', 'HTTP/1.1', 'www.example.com'])
          .join('\t'),
      ),
    ],
    durationMs: 12.5,
    host: 'www.example.com',
  },
  {
    name: 'csv',
    lines: [
      'Timestamp,Client-IP,Method,URL,Status,Bytes,Referer,User-Agent,Duration_ms',
      ...numbers.map(
        (number) =>
          `2026-04-03T10:00:00+02:00,192.0.2.7,get,https://www.example.com/page/${number}?q=a,200,5120,,"${robot}",12.5`,
      ),
    ],
    durationMs: 12.5,
    host: 'www.example.com',
  },
];

/** Those that are only read: without user agents, or by a pattern. */
export const moreSamples: readonly LogSample[] = [
  { name: 'common', lines: combined.map((line) => line.replace(/ "-" ".*"$/, '')), durationMs: null },
  {
    name: 'pattern',
    lines: combined.map((line) => `${line} 0.0125`),
    durationMs: 12.5,
    pattern:
      '$remote_addr - $remote_user [$time_local] "$request" $status $bytes_sent "$http_referer" "$http_user_agent" $request_time',
  },
  {
    name: 'pattern of Apache',
    lines: combined.map((line) => `${line} 12500`),
    durationMs: 12.5,
    pattern: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %D',
  },
];
