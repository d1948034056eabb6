// Every setting as data: validation, `.env.example`, the table in docs/configuration.md and the file's JSON schema
// are all made from this one table.
import {
  baseUrl,
  databaseUrl,
  mailAddress,
  metabaseUrl,
  noProxy,
  proxyUrl,
  requestHosts,
  smtpUrl,
  webhookUrl,
} from './addresses.ts';
import {
  apiKey,
  dayRenewal,
  fieldName,
  hostName,
  integer,
  type Kind,
  oneOf,
  path,
  reservePercent,
  timeZone,
} from './setting-kinds.ts';

export interface Setting {
  readonly env: string;
  /** Name in the configuration file; undefined for what must not or need not stand there. */
  readonly fileKey: string | undefined;
  readonly kind: Kind<unknown>;
  /** The default as a user would write it; undefined: no value. */
  readonly default: string | undefined;
  /** Shown in the table of settings when there is no fixed default. */
  readonly defaultNote?: string;
  readonly unit: string;
  readonly description: string;
}

/** Settings that people usually set. */
const common = {
  baseUrl: {
    env: 'AIRANK_BASE_URL',
    fileKey: 'base_url',
    kind: baseUrl,
    default: undefined,
    unit: 'URL',
    description: 'Address of the API, without /api/v1. https, or http for a loopback host.',
  },
  apiKey: {
    env: 'AIRANK_API_KEY',
    fileKey: undefined,
    kind: apiKey,
    default: undefined,
    unit: 'text',
    description: 'The API key. This or AIRANK_API_KEY_FILE, not both.',
  },
  apiKeyFile: {
    env: 'AIRANK_API_KEY_FILE',
    fileKey: undefined,
    kind: path,
    default: undefined,
    unit: 'path',
    description: 'File that holds the API key on its only line.',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    fileKey: undefined,
    kind: databaseUrl,
    default: undefined,
    defaultNote: 'embedded Postgres',
    unit: 'URL',
    description:
      "The warehouse's Postgres, postgres:// or postgresql://. Unset: an embedded one in AIRANK_DATA_DIR.",
  },
  dataDir: {
    env: 'AIRANK_DATA_DIR',
    fileKey: 'data_dir',
    kind: path,
    default: '.airank',
    unit: 'path',
    description: 'Folder of the embedded Postgres, and of the reports that jobs write (reports/).',
  },
  timeZone: {
    env: 'AIRANK_TIMEZONE',
    fileKey: 'timezone',
    kind: timeZone,
    default: 'UTC',
    unit: 'IANA time zone',
    description: 'Zone whose calendar gives the run date.',
  },
  perMinute: {
    env: 'AIRANK_PER_MINUTE',
    fileKey: 'per_minute',
    kind: integer({ min: 1 }),
    default: '60',
    unit: 'requests in any 60 seconds',
    description: 'Maximum number of requests a minute, per account.',
  },
  perDay: {
    env: 'AIRANK_PER_DAY',
    fileKey: 'per_day',
    kind: integer({ min: 1 }),
    default: '5000',
    unit: 'requests a day',
    description: 'Maximum number of requests a day, per account.',
  },
  jobsDir: {
    env: 'AIRANK_JOBS_DIR',
    fileKey: 'jobs_dir',
    kind: path,
    default: undefined,
    defaultNote: 'the built-in jobs',
    unit: 'path',
    description: 'Folder of the job files: one .js, .mjs, .ts or .mts file for each job.',
  },
  language: {
    env: 'AIRANK_LANGUAGE',
    fileKey: 'language',
    kind: oneOf(['en', 'es']),
    default: 'en',
    unit: 'en or es',
    description: 'Language of dashboards and reports.',
  },
  webhookUrl: {
    env: 'AIRANK_WEBHOOK_URL',
    fileKey: undefined,
    kind: webhookUrl,
    default: undefined,
    unit: 'URL',
    description:
      'Gets a JSON message when a run fails, data is late, its fields change or a key is refused, and when that is over.',
  },
  slackWebhookUrl: {
    env: 'AIRANK_SLACK_WEBHOOK_URL',
    fileKey: undefined,
    kind: webhookUrl,
    default: undefined,
    unit: 'URL',
    description: 'The same messages in the form that Slack, Mattermost and Rocket.Chat take.',
  },
  smtpUrl: {
    env: 'AIRANK_SMTP_URL',
    fileKey: undefined,
    kind: smtpUrl,
    default: undefined,
    unit: 'URL',
    description:
      'Mail server: smtp://user:password@host:587, which must offer STARTTLS, or smtps://user:password@host:465.',
  },
  mailFrom: {
    env: 'AIRANK_MAIL_FROM',
    fileKey: 'mail_from',
    kind: mailAddress,
    default: undefined,
    unit: 'mail address',
    description: 'Sender of mails, as reports@example.com or Agency <reports@example.com>.',
  },
} as const satisfies Record<string, Setting>;

/** Settings that few people need. */
const others = {
  databaseConnections: {
    env: 'AIRANK_DATABASE_CONNECTIONS',
    fileKey: 'database_connections',
    kind: integer({ min: 2, max: 10_000 }),
    default: '20',
    unit: 'connections',
    description:
      'Maximum number of connections of a process to Postgres, however many accounts it works on; one of them holds its locks.',
  },
  reservePercent: {
    env: 'AIRANK_RESERVE_PERCENT',
    fileKey: 'reserve_percent',
    kind: reservePercent,
    default: '5',
    unit: 'percent of the day',
    description: "Part of the day's requests that jobs leave for people; below 100.",
  },
  // In Config: dayRenewsAtMinutes and learnDayRenewal.
  dayRenewsAt: {
    env: 'AIRANK_DAY_RENEWS_AT',
    fileKey: 'day_renews_at',
    kind: dayRenewal,
    default: 'auto',
    unit: 'HH:MM in UTC, or auto',
    description:
      "When the server renews the day's requests. auto: midnight, until a refusal of the server names another time.",
  },
  questionsField: {
    env: 'AIRANK_QUESTIONS_FIELD',
    fileKey: 'questions_field',
    kind: fieldName,
    default: 'preguntas',
    unit: 'name',
    description: 'Field of the request that carries the questions; the service does not document it.',
  },
  // In Config: http.proxy.
  httpsProxy: {
    env: 'HTTPS_PROXY',
    fileKey: undefined,
    kind: proxyUrl,
    default: undefined,
    unit: 'URL',
    description:
      'Proxy for requests to the API, webhooks and Metabase, as http://user:password@host:port; never used for a loopback host. https_proxy works too, and wins.',
  },
  noProxy: {
    env: 'NO_PROXY',
    fileKey: undefined,
    kind: noProxy,
    default: undefined,
    unit: 'names, separated by commas',
    description:
      'Hosts that are reached without the proxy, with their subdomains; * is all. no_proxy works too, and wins.',
  },
  httpHost: {
    env: 'AIRANK_HTTP_HOST',
    fileKey: 'http_host',
    kind: hostName,
    default: '127.0.0.1',
    unit: 'address',
    description:
      'Address on which airank schedule and workers serve /healthz, /readyz and /metrics. 0.0.0.0: all interfaces.',
  },
  httpPort: {
    env: 'AIRANK_HTTP_PORT',
    fileKey: 'http_port',
    kind: integer({ min: 0, max: 65_535 }),
    default: '9464',
    unit: 'port',
    description: 'Port of /healthz, /readyz and /metrics. 0: they are not served.',
  },
  readerUrl: {
    env: 'AIRANK_READER_URL',
    fileKey: undefined,
    kind: databaseUrl,
    default: undefined,
    defaultNote: 'DATABASE_URL, in sessions that only read bi',
    unit: 'URL',
    description:
      'Address of Postgres, or of a replica, with a role made by airank grant-bi. Dashboards, reports, exports and query_bi of airank mcp read with it.',
  },
  mcpTokensFile: {
    env: 'AIRANK_MCP_TOKENS_FILE',
    fileKey: 'mcp_tokens_file',
    kind: path,
    default: undefined,
    unit: 'path',
    description:
      'File for airank mcp --http: on each line a token of 32 characters or more, a space and a client, or * for all.',
  },
  mcpHosts: {
    env: 'AIRANK_MCP_HOSTS',
    fileKey: 'mcp_hosts',
    kind: requestHosts,
    default: undefined,
    defaultNote: 'this machine only',
    unit: 'names',
    description:
      'Host names of a proxy in front of airank mcp --http, separated by commas: requests for these are answered too.',
  },
  metabaseUrl: {
    env: 'AIRANK_METABASE_URL',
    fileKey: 'metabase_url',
    kind: metabaseUrl,
    default: undefined,
    unit: 'URL',
    description: 'Address of the Metabase that airank metabase fills. https, or http for a loopback host.',
  },
  metabaseKey: {
    env: 'AIRANK_METABASE_KEY',
    fileKey: undefined,
    kind: apiKey,
    default: undefined,
    unit: 'text',
    description: 'API key of that Metabase, in the group Administrators.',
  },
  chromium: {
    env: 'AIRANK_CHROMIUM',
    fileKey: 'chromium',
    kind: path,
    default: undefined,
    defaultNote: 'the one that is installed',
    unit: 'path',
    description: 'Chromium or Chrome, which prints reports as PDF.',
  },
  logLevel: {
    env: 'AIRANK_LOG_LEVEL',
    fileKey: 'log_level',
    kind: oneOf(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
    default: 'error',
    unit: 'silent, error, warn, info, debug or trace',
    description: 'Lowest level that is logged. Default of the scheduler and of workers: info.',
  },
  logFormat: {
    env: 'AIRANK_LOG_FORMAT',
    fileKey: 'log_format',
    kind: oneOf(['pretty', 'json']),
    default: 'pretty',
    unit: 'pretty or json',
    description: 'Log lines for people, or one JSON object per line.',
  },
  configFile: {
    env: 'AIRANK_CONFIG',
    fileKey: undefined,
    kind: path,
    default: undefined,
    defaultNote: 'airank.config.yaml, when it exists',
    unit: 'path',
    description: 'Configuration file, YAML or JSON: several accounts, stream overrides, any setting.',
  },
} as const satisfies Record<string, Setting>;

/** All settings, in the order of the docs. */
export const settings = { ...common, ...others };

export const commonSettings: readonly string[] = Object.keys(common);

export type SettingName = keyof typeof settings;
export type SettingVariable = (typeof settings)[SettingName]['env'];

type KindValue<K> = K extends Kind<infer T> ? T : never;

/** The checked values; undefined only where there is no default. */
export type SettingValues = {
  readonly [N in SettingName]: (typeof settings)[N]['default'] extends string
    ? KindValue<(typeof settings)[N]['kind']>
    : KindValue<(typeof settings)[N]['kind']> | undefined;
};

export const settingEntries = Object.entries(settings) as readonly (readonly [SettingName, Setting])[];
export const settingVariables: readonly string[] = settingEntries.map(([, setting]) => setting.env);
