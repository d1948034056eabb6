// Where servers put what into their lines of JSON. A dot goes into an object.
import type { Meaning } from './log-values.ts';

export interface JsonMap {
  readonly name: string;
  readonly why: string;
  /** Keys of which a line of this server has all. */
  readonly has: readonly string[];
  /** For each meaning the keys that may hold it, the first that a line has counts. */
  readonly keys: Readonly<Partial<Record<Meaning, readonly string[]>>>;
}

/**
 * Keys that hold what they say in nginx (`escape=json`, any names), in what people make themselves, and in the logs of Azure,
 * Google Cloud and Akamai.
 */
const usual: JsonMap['keys'] = {
  time: [
    'time_iso8601',
    'time_local',
    '@timestamp',
    'timestamp',
    'msec',
    'datetime',
    'date_time',
    'time',
    'ts',
    'date',
    'requestTime',
    'Time',
    'EdgeStartTimestamp',
  ],
  host: [
    'http_host',
    'host',
    'server_name',
    'vhost',
    'request_host',
    'reqHost',
    'HostName',
    'ClientRequestHost',
    'authority',
  ],
  ip: [
    'remote_addr',
    'client_ip',
    'clientip',
    'remote_ip',
    'ip',
    'client',
    'source_ip',
    'c_ip',
    'clientIP',
    'ClientIp',
    'ClientIP',
    'httpRequest.remoteIp',
  ],
  request: ['request'],
  method: [
    'request_method',
    'method',
    'http_method',
    'verb',
    'requestMethod',
    'HttpMethod',
    'ClientRequestMethod',
    'httpRequest.requestMethod',
  ],
  path: [
    'request_uri',
    'uri',
    'path',
    'url',
    'request_path',
    'requestPath',
    'RequestUri',
    'ClientRequestURI',
    'httpRequest.requestUrl',
  ],
  query: ['args', 'query_string', 'query', 'queryString'],
  protocol: [
    'server_protocol',
    'protocol',
    'http_version',
    'RequestProtocol',
    'ClientRequestProtocol',
    'httpRequest.protocol',
  ],
  status: [
    'status',
    'status_code',
    'response',
    'http_status',
    'response_code',
    'responseStatus',
    'HttpStatusCode',
    'EdgeResponseStatus',
    'httpRequest.status',
  ],
  bytes: [
    'body_bytes_sent',
    'bytes_sent',
    'bytes',
    'size',
    'response_size',
    'ResponseBytes',
    'EdgeResponseBytes',
    'httpRequest.responseSize',
  ],
  referrer: [
    'http_referer',
    'http_referrer',
    'referer',
    'referrer',
    'Referrer',
    'ClientRequestReferer',
    'httpRequest.referer',
  ],
  agent: [
    'http_user_agent',
    'user_agent',
    'useragent',
    'userAgent',
    'agent',
    'ua',
    'UserAgent',
    'ClientRequestUserAgent',
    'httpRequest.userAgent',
  ],
  seconds: ['request_time', 'duration_s', 'duration_seconds'],
  ms: ['request_time_ms', 'duration_ms', 'response_time_ms', 'latency_ms', 'ms', 'turnaroundTimeMs'],
};

export const jsonMaps: readonly JsonMap[] = [
  {
    name: 'caddy',
    why: 'JSON lines with an object request and ts, as Caddy writes them',
    has: ['request.uri', 'ts'],
    keys: {
      time: ['ts'],
      host: ['request.host'],
      ip: ['request.client_ip', 'request.remote_ip', 'request.remote_addr'],
      method: ['request.method'],
      path: ['request.uri'],
      protocol: ['request.proto'],
      status: ['status'],
      bytes: ['size'],
      referrer: ['request.headers.Referer'],
      agent: ['request.headers.User-Agent'],
      seconds: ['duration'],
    },
  },
  {
    name: 'traefik',
    why: 'JSON lines with RequestPath and DownstreamStatus, as Traefik writes them',
    has: ['RequestPath', 'RequestMethod'],
    keys: {
      time: ['StartUTC', 'StartLocal', 'time'],
      host: ['RequestHost'],
      ip: ['ClientHost', 'ClientAddr'],
      method: ['RequestMethod'],
      path: ['RequestPath'],
      protocol: ['RequestProtocol'],
      status: ['DownstreamStatus', 'OriginStatus'],
      bytes: ['DownstreamContentSize', 'OriginContentSize'],
      referrer: ['request_Referer'],
      agent: ['request_User-Agent', 'request_user-agent'],
      ns: ['Duration'],
    },
  },
  {
    name: 'cloudflare',
    why: 'JSON lines with EdgeStartTimestamp and ClientRequestURI, as Cloudflare Logpush writes them',
    has: ['EdgeStartTimestamp', 'EdgeResponseStatus'],
    keys: {
      time: ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
      host: ['ClientRequestHost'],
      ip: ['ClientIP'],
      method: ['ClientRequestMethod'],
      path: ['ClientRequestURI', 'ClientRequestPath'],
      protocol: ['ClientRequestProtocol'],
      status: ['EdgeResponseStatus'],
      bytes: ['EdgeResponseBytes', 'EdgeResponseBodyBytes'],
      referrer: ['ClientRequestReferer'],
      agent: ['ClientRequestUserAgent'],
      ms: ['EdgeTimeToFirstByteMs'],
    },
  },
  {
    name: 'api-json',
    why: "JSON lines in the API's own names: fecha, ua, ruta, estado, ms, ip",
    has: ['fecha', 'ruta'],
    keys: { time: ['fecha'], ip: ['ip'], path: ['ruta'], status: ['estado'], agent: ['ua'], ms: ['ms'] },
  },
  { name: 'json', why: 'JSON lines with usual names, as people set nginx up', has: [], keys: usual },
];

/** The meanings by name, for other formats with names, such as CSV. */
export const usualNames: JsonMap['keys'] = {
  ...usual,
  time: [...(usual.time ?? []), 'fecha'],
  path: [...(usual.path ?? []), 'ruta'],
  status: [...(usual.status ?? []), 'estado'],
};
