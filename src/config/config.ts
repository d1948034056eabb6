// The frozen configuration that every other layer receives. Built by load-config.ts.
import type { AlertRuleName, Weekday } from './alert-rules.ts';

/** Wraps a secret so that it never prints: not by string conversion, JSON, nor inspection. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The plain value. Only for the request header and the redaction list. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

/** The setting that gives the key of the only account, unless the configuration lists accounts. */
export const usualKeyFrom = 'AIRANK_API_KEY (or AIRANK_API_KEY_FILE)';

export interface AccountConfig {
  /** Name of the account in the warehouse; `default` when the environment describes the only one. */
  readonly name: string;
  /** The setting that gave the name, for messages; undefined: none, it is `default`. */
  readonly namedIn?: string;
  /** `{base_url}` without `/api/v1` and a trailing slash (api.md, "Address and key"). */
  readonly baseUrl: URL;
  readonly apiKey: Secret;
  /** The variable or the setting that gave the key, for messages. Default `usualKeyFrom`. */
  readonly keyFrom?: string;
  /** Requests in any 60 seconds (api.md, "Limits"). */
  readonly perMinute: number;
  readonly perDay: number;
  /** Percent of `perDay` that jobs leave to people. */
  readonly reservePercent: number;
}

/** Settings of one stream in the configuration file: they override a catalogued stream or add a new one. */
export interface StreamOverride {
  readonly route?: string;
  readonly description?: string;
  /** Key of the list in the body; `null`: the whole body is one record; `[]`: the body is the list. */
  readonly list?: string | readonly [] | null;
  /** A full refresh that lacks more published records than both limits is confirmed by a second one. */
  readonly vanishAbove?: { readonly records?: number; readonly percent?: number };
  readonly perClient?: boolean;
  /** Candidate keys; each is one path (`"id"`, `"a.b"`) or several together (`["sku", "country"]`). */
  readonly keys?: readonly (string | readonly string[])[];
  readonly shape?: 'archive' | 'state';
  readonly query?: Readonly<Record<string, string>>;
  readonly format?: 'json' | 'csv';
  readonly enabled?: boolean;
}

/** Limits of one exchange with the API. No settings: only tests change them, by an option of `loadConfig`. */
interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** For the whole exchange, from the first byte sent to the last byte of the body. */
  readonly bodyTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxNesting: number;
  /** Attempts for one page, the first included. */
  readonly maxAttempts: number;
  /** Requests in flight for one account. */
  readonly concurrency: number;
}

/** Limits of a run; no settings either. */
export interface RunLimits {
  /** Slices walked at the same time, by account. */
  readonly sliceConcurrency: number;
  /** Accounts that a batch by hand, or a worker, works on at the same time. */
  readonly accountConcurrency: number;
  /** The starts of a scheduled job's accounts are spread over this time. */
  readonly spreadMs: number;
  /** Longest wait of a run for a database that is gone, restarts or has a full disc. */
  readonly databasePatienceMs: number;
  readonly fullRefreshDays: number;
  /**
   * Archives are refreshed in full every day as long as everything fits and they need at most this much of the day's
   * requests.
   */
  readonly fullRefreshPercent: number;
}

export type Limits = HttpLimits & RunLimits;

export const fixedHttpLimits: HttpLimits = {
  connectTimeoutMs: 10_000,
  bodyTimeoutMs: 60_000,
  maxBodyBytes: 64 * 2 ** 20,
  maxNesting: 200,
  maxAttempts: 5,
  concurrency: 6,
};

export const fixedRunLimits: RunLimits = {
  // Two keep 60 requests a minute busy up to a latency of 1.9 s.
  sliceConcurrency: 2,
  accountConcurrency: 25,
  spreadMs: 15 * 60_000,
  databasePatienceMs: 300_000,
  fullRefreshDays: 7,
  fullRefreshPercent: 5,
};

export interface HttpConfig extends HttpLimits {
  /** Bytes per second of the slowest connection to expect: large bodies get more time. Default 32,000. */
  readonly slowestLine?: number;
  /** Undefined: no proxy; a loopback host never has one (`proxyFor`). */
  readonly proxy?: ProxyConfig | undefined;
}

export interface ProxyConfig {
  readonly url: Secret;
  /** Hosts that are reached without the proxy, as in NO_PROXY. */
  readonly except: string;
}

export interface WebhookConfig {
  /** Name for logs; the address itself is a secret. */
  readonly name: string;
  readonly url: Secret;
  readonly proxy?: Secret | undefined;
  readonly format: 'json' | 'slack';
}

export interface AlertRuleConfig {
  readonly on: boolean;
  /** Undefined: the rule has none, or nobody set one for it. */
  readonly threshold: number | undefined;
}

export interface AlertsConfig {
  /** Names of webhooks, and mail addresses. */
  readonly to: readonly string[];
  readonly digest: Weekday | 'never';
  readonly rules: Readonly<Record<AlertRuleName, AlertRuleConfig>>;
}

export interface SmtpConfig {
  readonly url: Secret;
  /** `reports@example.com`, `Agency <reports@example.com>`. */
  readonly from: string;
}

export interface AgencyConfig {
  readonly name: string | undefined;
  /** Picture, absolute path. */
  readonly logo: string | undefined;
  /** As `#1f4e79`; readable on white. */
  readonly accentColor: string;
  readonly textColor: string;
  readonly footer: string | undefined;
}

export interface ReportConfig {
  readonly to: readonly string[];
  /** By client, as `c7` or `agency/c7`. */
  readonly clients: Readonly<Record<string, readonly string[]>>;
  /** Reports show notes of `airank note`. Default false. */
  readonly notes: boolean;
}

/** The Metabase that airank metabase fills; what it needs is checked there. */
interface MetabaseConfig {
  /** Without /api and a trailing slash. */
  readonly url: URL | undefined;
  readonly key: Secret | undefined;
}

type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export interface Config extends RunLimits {
  /** Undefined: embedded Postgres in `dataDir`. */
  readonly databaseUrl: Secret | undefined;
  /** Folder of the embedded Postgres, absolute. Default `.airank` in the working directory. */
  readonly dataDir: string;
  readonly metabase: MetabaseConfig;
  /** IANA zone whose calendar gives the run date. Default UTC. */
  readonly timeZone: string;
  /** UTC time of day at which the server renews the day's requests, minutes after midnight. Default 0. */
  readonly dayRenewsAtMinutes: number;
  /** True if no time is set; the time is then learned from the server's refusals. */
  readonly learnDayRenewal: boolean;
  readonly questionsField: string;
  readonly accounts: readonly AccountConfig[];
  /** The address that is set for all accounts; it needs no key for public results. Undefined: none is set. */
  readonly baseUrl: URL | undefined;
  readonly streams: Readonly<Record<string, StreamOverride>>;
  readonly questions: readonly string[];
  /** Ids for the `airank_public` stream. */
  readonly publicIds: readonly string[];
  /** Fields of the curated views (`rank_now.score`) → path in the data; null: nowhere. */
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly http: HttpConfig;
  readonly databaseConnections: number;
  /** Folder of the job files, absolute. Undefined: those of the package. */
  readonly jobsDir: string | undefined;
  readonly httpHost: string;
  /** 0: the scheduler does not listen. */
  readonly httpPort: number;
  /** The address that dashboards and reports read from. Undefined: `databaseUrl`, in read-only sessions. */
  readonly readerUrl: Secret | undefined;
  /** Absolute. */
  readonly mcpTokensFile: string | undefined;
  /** Names for which the server answers, beside those of this machine. */
  readonly mcpHosts: readonly string[];
  readonly language: 'en' | 'es';
  readonly webhooks: readonly WebhookConfig[];
  readonly alerts: AlertsConfig;
  readonly smtp: SmtpConfig | undefined;
  readonly agency: AgencyConfig;
  readonly report: ReportConfig;
  /** Program that prints PDF, absolute path. Undefined: one in the usual places. */
  readonly chromium: string | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: 'pretty' | 'json';
}
