// Reads environment, `.env` and configuration file into one frozen Config, or throws one ConfigError
// with every fault. Reads nothing else and changes nothing: not process.env, not the disk.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { replaceSecrets } from '../core/logger.ts';
import { type KeyContext, keyFromFile, readEnvironmentAccount, readFileAccounts } from './accounts.ts';
import {
  type AccountConfig,
  type Config,
  fixedLimits,
  type Limits,
  type MetabaseConfig,
  type Secret,
  type SmtpConfig,
} from './config.ts';
import { faultText, parseAt } from './fault.ts';
import { sectionSchemas } from './file-schema.ts';
import { didYouMean } from './names.ts';
import { readAgency, readAlerts, readReport, readStreamOverrides, readWebhooks } from './read-sections.ts';
import { secretsOf, secretVariables } from './secrets-of.ts';
import { proxyFor } from './server-addresses.ts';
import { type SettingVariable, settings } from './settings.ts';
import {
  type ConfigFile,
  type ReadFile,
  type ReadSettings,
  readConfigFile,
  readSettingValues,
  readVariables,
  settingsFolders,
  type Variables,
} from './sources.ts';
import { checkFileKeys, checkVariableNames } from './unknown-names.ts';

// What the settings say of a Metabase.
function readMetabase(read: ReadSettings, context: KeyContext): MetabaseConfig {
  const { metabaseUrl: url, metabaseDatabaseUrl: databaseUrl } = read.values;
  return { url, key: readKey(read, context), databaseUrl };
}

function readKey({ values }: ReadSettings, context: KeyContext): Secret | undefined {
  const key = context.variables.get(settings.metabaseKey.env);
  const file = context.variables.get(settings.metabaseKeyFile.env);
  if (file === undefined) return values.metabaseKey;
  if (key === undefined) return keyFromFile(file.text, file.base, file.label, { ...context, needed: false });
  context.faults.push(
    faultText({
      place: `one of ${key.label} and ${file.label}`,
      expected: 'set',
      got: 'both',
      fix: 'Remove one; which key is meant cannot be told.',
    }),
  );
  return undefined;
}

// Freezes plain data to the bottom. Class instances (URL, Secret) guard themselves.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlain(value)) for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

export interface LoadOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Holds `.env` and airank.config.yaml, or else the folder beside the data does; paths in variables are relative to it. */
  readonly cwd: string;
  /** `fs.readFileSync(path, 'utf8')` by default. */
  readonly readFile?: ReadFile;
  /** Default true. False for commands that do not call the API: a missing key or address is no fault. */
  readonly needAccounts?: boolean;
  /** Texts from the command line, by variable; they win over the environment. */
  readonly overrides?: Readonly<Partial<Record<SettingVariable, string>>>;
  /** Streams of the catalog, which names in settings must be among; default: not checked. */
  readonly knownStreams?: readonly string[];
  /** Hears of what no longer does anything. */
  readonly onNote?: (note: string) => void;
  /** Of tests, which would wait long. */
  readonly limits?: Partial<Limits> | undefined;
  /** Faults that later layers find, so that all faults are reported together; faulty values are left out. */
  readonly check?: (config: Config) => readonly string[];
}

function readConfiguredMapping(
  file: ConfigFile | undefined,
  faults: string[],
): Readonly<Record<string, string | null>> {
  const value = file?.data['mapping'];
  if (file === undefined || value === undefined || value === null) return {};
  return parseAt(sectionSchemas.mapping, value, { source: file.source, path: ['mapping'] }, faults) ?? {};
}

function readTexts(
  file: ConfigFile | undefined,
  key: 'questions' | 'public_ids',
  faults: string[],
): readonly string[] {
  const value = file?.data[key];
  if (file === undefined || value === undefined || value === null) return [];
  const texts = parseAt(sectionSchemas[key], value, { source: file.source, path: [key] }, faults) ?? [];
  // The same text twice would be two requests for one record.
  return [...new Set(texts)];
}

function readAccounts(
  read: ReadSettings,
  file: ConfigFile | undefined,
  context: Parameters<typeof readEnvironmentAccount>[1],
): readonly AccountConfig[] {
  const entries = file?.data['accounts'] ?? [];
  if (file !== undefined && !Array.isArray(entries)) {
    const at = { source: file.source, path: ['accounts'] };
    parseAt(sectionSchemas.accounts, entries, at, context.faults);
    return [];
  }
  if (file !== undefined && Array.isArray(entries) && entries.length > 0) {
    return readFileAccounts(file, entries, read, context);
  }
  return readEnvironmentAccount(read, context);
}

function checkPriorityStreams(
  { values, origins }: ReadSettings,
  known: readonly string[],
  options: LoadOptions,
  faults: string[],
): void {
  if (options.knownStreams === undefined || origins.priorityStreams === 'default') return;
  const { env, fileKey } = settings.priorityStreams;
  for (const name of values.priorityStreams.filter((one) => !known.includes(one))) {
    const fix = didYouMean(name, known) ?? `Known: ${known.join(', ')}.`;
    const place = origins.priorityStreams === 'file' ? `${fileKey} of the configuration file` : env;
    faults.push(faultText({ place, expected: 'names of known streams', got: JSON.stringify(name), fix }));
  }
}

/** A path of the file is relative to the file. */
function pathOf(
  { values, origins }: ReadSettings,
  name: 'dataDir' | 'jobsDir' | 'chromium',
  variables: Variables,
  cwd: string,
  file: ConfigFile | undefined,
): string | undefined {
  const path = values[name];
  const given = variables.get(settings[name].env)?.base ?? cwd;
  const base = origins[name] === 'file' && file !== undefined ? file.folder : given;
  return path === undefined ? undefined : resolve(base, path);
}

function readSmtp({ values }: ReadSettings, faults: string[]): SmtpConfig | undefined {
  const { smtpUrl: url, mailFrom: from } = values;
  if (url === undefined) return undefined;
  if (from !== undefined) return { url, from };
  const expected = `set to the sender of mails, because ${settings.smtpUrl.env} is set`;
  faults.push(faultText({ place: settings.mailFrom.env, expected, got: 'nothing' }));
  return undefined;
}

/** Texts that must not be repeated even in the message about them, malformed ones included. */
function secretTexts(config: Config, variables: Variables, file: ConfigFile | undefined): string[] {
  const texts = secretVariables(file).flatMap((name) => variables.get(name)?.text ?? []);
  return [...texts, ...secretsOf(config)];
}

/** @throws ConfigError with all faults at once. */
export function loadConfig(options: LoadOptions): Config {
  const { env, cwd, needAccounts = true, overrides = {}, onNote = () => {} } = options;
  const readFile = options.readFile ?? ((path) => readFileSync(path, 'utf8'));
  const faults: string[] = [];
  const variables = readVariables({ env, overrides, cwd, readFile }, faults);
  const found = readConfigFile(
    variables.get(settings.configFile.env),
    settingsFolders({ env, overrides, cwd }),
    readFile,
    faults,
  );
  const file = found.state === 'read' ? found.file : undefined;
  checkVariableNames(variables, found, faults, onNote);
  if (file !== undefined) checkFileKeys(file, faults, onNote);
  const read = readSettingValues(variables, file, faults);
  const { values } = read;
  // A broken file may list the accounts, so nothing counts as missing until it can be read.
  const needed = needAccounts && found.state !== 'broken';
  const accounts = readAccounts(read, file, { variables, readFile, needed, faults });
  const streams = file === undefined ? {} : readStreamOverrides(file, faults);
  checkPriorityStreams(read, [...(options.knownStreams ?? []), ...Object.keys(streams)], options, faults);
  const proxy =
    values.httpsProxy === undefined ? undefined : { url: values.httpsProxy, except: values.noProxy ?? '' };
  const webhooks = readWebhooks(read, file, { variables, faults }).map((webhook) => {
    const its = proxyFor(new URL(webhook.url.reveal()), proxy);
    return its === undefined ? webhook : { ...webhook, proxy: its };
  });
  const smtp = readSmtp(read, faults);
  const { sliceConcurrency, accountConcurrency, ...http } = { ...fixedLimits, ...options.limits };
  const config: Config = {
    databaseUrl: values.databaseUrl,
    metabase: readMetabase(read, { variables, readFile, needed, faults }),
    dataDir: pathOf(read, 'dataDir', variables, cwd, file) ?? cwd,
    timeZone: values.timeZone,
    dayRenewsAtMinutes: values.dayRenewsAt === 'auto' ? 0 : values.dayRenewsAt,
    learnDayRenewal: values.dayRenewsAt === 'auto',
    walks: {
      priorityStreams: values.priorityStreams,
      quietPages: values.quietPages,
      fullWalkDays: values.fullWalkDays,
      fullWalkPercent: values.fullWalkPercent,
    },
    writes: {
      uploadsPerHour: values.uploadsPerHour,
      questionsPerDay: values.questionsPerDay,
      measurementsPerDay: values.measurementsPerDay,
      questionsField: values.questionsField,
    },
    accounts,
    baseUrl: values.baseUrl,
    streams,
    questions: readTexts(file, 'questions', faults),
    publicIds: readTexts(file, 'public_ids', faults),
    mapping: readConfiguredMapping(file, faults),
    http: {
      ...http,
      proxy,
    },
    sliceConcurrency,
    accountConcurrency,
    spreadMs: values.spreadMinutes * 60_000,
    databaseConnections: values.databaseConnections,
    databasePatienceMs: values.databasePatienceS * 1000,
    jobsDir: pathOf(read, 'jobsDir', variables, cwd, file),
    httpHost: values.httpHost,
    httpPort: values.httpPort,
    readerUrl: values.readerUrl,
    language: values.language,
    dashboardSecret: values.dashboardSecret,
    dashboardHosts: values.dashboardHosts ?? [],
    webhooks,
    environment: values.environment,
    webhookValues: values.webhookValues,
    agency: readAgency(file, faults),
    report: readReport(file, faults),
    alerts: readAlerts(file, { webhooks, smtp }, faults),
    smtp,
    chromium: pathOf(read, 'chromium', variables, cwd, file),
    logLevel: values.logLevel,
    logFormat: values.logFormat,
  };
  faults.push(...(options.check?.(config) ?? []));
  if (faults.length === 0) return deepFreeze(config);
  const hide = replaceSecrets(secretTexts(config, variables, file));
  throw new ConfigError([...new Set(faults)].map(hide));
}
