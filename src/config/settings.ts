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
    description: 'Most requests a minute, by account.',
  },
  perDay: {
    env: 'AIRANK_PER_DAY',
    fileKey: 'per_day',
    kind: integer({ min: 1 }),
    default: '5000',
    unit: 'requests a day',
    description: 'Most requests a day, by account.',
  },
  jobsDir: {
    env: 'AIRANK_JOBS_DIR',
    fileKey: 'jobs_dir',
    kind: path,
    default: undefined,
    defaultNote: 'the jobs that come with it',
    unit: 'path',
    description: 'Folder of the job files: one .js, .mjs, .ts or .mts file a job.',
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
      'Server that takes mails: smtp://user:password@host:587, which must offer STARTTLS, or smtps://user:password@host:465.',
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
      'Most connections of a process to Postgres, however many accounts it works on; one of them holds its locks.',
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
      "When the server renews the day's requests. auto: midnight, until a refusal of the server tells another time.",
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
      'Proxy for requests to the API, webhooks and Metabase, as http://user:password@host:port; never for a loopback host. Also https_proxy, which wins.',
  },
  noProxy: {
    env: 'NO_PROXY',
    fileKey: undefined,
    kind: noProxy,
    default: undefined,
    unit: 'names by commas',
    description:
      'Hosts that are reached without the proxy, with all names below them; * is all. Also no_proxy, which wins.',
  },
  httpHost: {
    env: 'AIRANK_HTTP_HOST',
    fileKey: 'http_host',
    kind: hostName,
    default: '127.0.0.1',
    unit: 'address',
    description:
      'Where airank schedule and worker listen for /healthz, /readyz and /metrics. 0.0.0.0: everywhere.',
  },
  httpPort: {
    env: 'AIRANK_HTTP_PORT',
    fileKey: 'http_port',
    kind: integer({ min: 0, max: 65_535 }),
    default: '9464',
    unit: 'port',
    description: 'Port of /healthz, /readyz and /metrics. 0: does not listen.',
  },
  readerUrl: {
    env: 'AIRANK_READER_URL',
    fileKey: undefined,
    kind: databaseUrl,
    default: undefined,
    defaultNote: 'DATABASE_URL, in sessions that only read bi',
    unit: 'URL',
    description:
      'Postgres, or a replica of it, as the role that airank grant-bi made: dashboards, reports, exports and query_bi of airank mcp read with it.',
  },
  mcpTokensFile: {
    env: 'AIRANK_MCP_TOKENS_FILE',
    fileKey: 'mcp_tokens_file',
    kind: path,
    default: undefined,
    unit: 'path',
    description:
      'File of airank mcp --http: on each line a token of 32 characters or more, a blank and a client, or * for all.',
  },
  mcpHosts: {
    env: 'AIRANK_MCP_HOSTS',
    fileKey: 'mcp_hosts',
    kind: requestHosts,
    default: undefined,
    defaultNote: 'this machine alone',
    unit: 'names',
    description:
      'Names under which a proxy is reached, by commas: airank mcp --http answers requests for these too.',
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
    description: 'API key of that Metabase, of the group Administrators.',
  },
  chromium: {
    env: 'AIRANK_CHROMIUM',
    fileKey: 'chromium',
    kind: path,
    default: undefined,
    defaultNote: 'one in the usual places',
    unit: 'path',
    description: 'Program that prints reports as PDF: Chromium or Chrome.',
  },
  logLevel: {
    env: 'AIRANK_LOG_LEVEL',
    fileKey: 'log_level',
    kind: oneOf(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
    default: 'error',
    unit: 'silent, error, warn, info, debug or trace',
    description:
      'Least important lines that are logged; the scheduler and workers begin at info unless it is set.',
  },
  logFormat: {
    env: 'AIRANK_LOG_FORMAT',
    fileKey: 'log_format',
    kind: oneOf(['pretty', 'json']),
    default: 'pretty',
    unit: 'pretty or json',
    description: 'Log lines for people, or one JSON object a line.',
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
