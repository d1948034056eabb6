// Reads environment, `.env` and configuration file into one frozen Config, or throws one ConfigError
// with every fault. Reads nothing else and changes nothing: not process.env, not the disk.

import { resolve } from 'node:path';
import type { z } from 'zod';
import { ConfigError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { replaceSecrets } from '../core/replace-secrets.ts';
import { readAccounts } from './accounts.ts';
import { parseMailAddress, proxyFor } from './addresses.ts';
import { type AlertRuleName, type AlertRuleSetting, alertRuleNames, alertRules } from './alert-rules.ts';
import {
  type AgencyConfig,
  type AlertRuleConfig,
  type AlertsConfig,
  type Config,
  fixedHttpLimits,
  fixedRunLimits,
  type Limits,
  type ReportConfig,
  type SmtpConfig,
  type StreamOverride,
  type WebhookConfig,
} from './config.ts';
import { faultText, parseAt, placeText, shown } from './fault.ts';
import {
  notificationSchema,
  type StreamEntry,
  sectionSchemas,
  streamName,
  streamSchema,
} from './file-schema.ts';
import { didYouMean } from './nearest-name.ts';
import { secretsOf, secretVariables } from './secrets-of.ts';
import { settings } from './settings.ts';
import {
  type ConfigFile,
  type ReadSettings,
  readSettingValues,
  readSources,
  type SourceOptions,
  type Variables,
} from './sources.ts';
import { checkFileKeys, checkVariableNames } from './unknown-names.ts';

export interface LoadOptions extends SourceOptions {
  /** Default true. False for commands that do not call the API: a missing key or address is no fault. */
  readonly needAccounts?: boolean;
  /** Limits for tests, which would otherwise wait too long. */
  readonly limits?: Partial<Limits> | undefined;
  /** Faults that later layers find, so that all faults are reported together; faulty values are left out. */
  readonly check?: (config: Config) => readonly string[];
}

/** @throws ConfigError with all faults at once. */
export function loadConfig(options: LoadOptions): Config {
  const { cwd, needAccounts = true } = options;
  const faults: string[] = [];
  const { readFile, variables, found, file } = readSources(options, faults);
  checkVariableNames(variables, found, faults);
  if (file !== undefined) checkFileKeys(file, faults);
  const read = readSettingValues(variables, file, faults);
  const { values } = read;
  // A broken file may list the accounts, so nothing counts as missing until it can be read.
  const needed = needAccounts && found.state !== 'broken';
  const keys = { variables, readFile, needed, faults };
  const accounts = readAccounts(read, file, keys);
  const streams = file === undefined ? {} : readStreamOverrides(file, faults);
  const proxy =
    values.httpsProxy === undefined ? undefined : { url: values.httpsProxy, except: values.noProxy ?? '' };
  const webhooks = readWebhooks(read, file, variables, faults).map((webhook) => {
    const its = proxyFor(new URL(webhook.url.reveal()), proxy);
    return its === undefined ? webhook : { ...webhook, proxy: its };
  });
  const smtp = readSmtp(read, faults);
  const config: Config = {
    databaseUrl: values.databaseUrl,
    metabase: {
      url: values.metabaseUrl,
      key: values.metabaseKey,
    },
    dataDir: pathOf(read, 'dataDir', variables, cwd, file) ?? cwd,
    timeZone: values.timeZone,
    dayRenewsAtMinutes: values.dayRenewsAt === 'auto' ? 0 : values.dayRenewsAt,
    learnDayRenewal: values.dayRenewsAt === 'auto',
    questionsField: values.questionsField,
    accounts,
    baseUrl: values.baseUrl,
    streams,
    questions: readTexts('questions', file, faults),
    publicIds: readTexts('public_ids', file, faults),
    mapping: readSection('mapping', file, faults) ?? {},
    http: { ...limited(fixedHttpLimits, options.limits), proxy },
    ...limited(fixedRunLimits, options.limits),
    databaseConnections: values.databaseConnections,
    jobsDir: pathOf(read, 'jobsDir', variables, cwd, file),
    httpHost: values.httpHost,
    httpPort: values.httpPort,
    readerUrl: values.readerUrl,
    mcpTokensFile: pathOf(read, 'mcpTokensFile', variables, cwd, file),
    mcpHosts: values.mcpHosts ?? [],
    language: values.language,
    webhooks,
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

function limited<Fixed extends object>(fixed: Fixed, given: Partial<Limits> | undefined): Fixed {
  const own = Object.entries(given ?? {}).filter(([name]) => Object.hasOwn(fixed, name));
  return { ...fixed, ...Object.fromEntries(own) };
}

type Sections = { readonly [Name in keyof typeof sectionSchemas]: z.infer<(typeof sectionSchemas)[Name]> };

/** Reads a part of the file that is no setting. Undefined: it is missing or faulty. */
function readSection<Name extends keyof Sections>(
  name: Name,
  file: ConfigFile | undefined,
  faults: string[],
): Sections[Name] | undefined {
  const value = file?.data[name];
  if (file === undefined || value === undefined || value === null) return undefined;
  const schemas: { readonly [One in keyof Sections]: z.ZodType<Sections[One]> } = sectionSchemas;
  return parseAt(schemas[name], value, { source: file.source, path: [name] }, faults);
}

function readTexts(
  name: 'questions' | 'public_ids',
  file: ConfigFile | undefined,
  faults: string[],
): readonly string[] {
  // The same text twice would be two requests for one record.
  return [...new Set(readSection(name, file, faults))];
}

/**
 * Checks each stream on its own. The result has no prototype: a stream named `constructor` is there only if
 * configured.
 */
function readStreamOverrides(file: ConfigFile, faults: string[]): Record<string, StreamOverride> {
  const overrides: Record<string, StreamOverride> = Object.create(null);
  const streams = file.data['streams'] ?? {};
  if (!isObject(streams)) {
    const place = placeText(file.source, ['streams']);
    faults.push(faultText({ place, expected: 'a mapping of stream names', got: shown(streams) }));
    return overrides;
  }
  for (const [name, value] of Object.entries(streams)) {
    const at = { source: file.source, path: ['streams', name] };
    const checked = parseAt(streamName, name, at, faults);
    // `name:` with nothing after it overrides nothing.
    const entry = parseAt(streamSchema, value ?? {}, at, faults);
    if (checked !== undefined && entry !== undefined) overrides[checked] = toOverride(entry);
  }
  return overrides;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out what is undefined, as exactOptionalPropertyTypes asks. */
function defined<T extends object>(value: T): Defined<T> {
  const pairs = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(pairs) as Defined<T>;
}

/** Uses the names of the code. */
function toOverride(entry: StreamEntry): StreamOverride {
  const { per_client: perClient, vanish_above: vanishAbove, ...rest } = entry;
  return {
    ...defined(rest),
    ...(perClient !== undefined && { perClient }),
    ...(vanishAbove !== undefined && { vanishAbove: defined(vanishAbove) }),
  };
}

/** Resolves a path; one from the file is relative to the file. */
function pathOf(
  { values, origins }: ReadSettings,
  name: 'dataDir' | 'jobsDir' | 'mcpTokensFile' | 'chromium',
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

/** Reads the webhooks for incidents: those of the two variables, then those of the file. */
function readWebhooks(
  { values }: ReadSettings,
  file: ConfigFile | undefined,
  variables: Variables,
  faults: string[],
): readonly WebhookConfig[] {
  const { webhookUrl: url, slackWebhookUrl: slackUrl } = values;
  return [
    ...(url === undefined ? [] : [{ name: settings.webhookUrl.env, url, format: 'json' as const }]),
    ...(slackUrl === undefined
      ? []
      : [{ name: settings.slackWebhookUrl.env, url: slackUrl, format: 'slack' as const }]),
    ...(file === undefined ? [] : readFileWebhooks(file, variables, faults)),
  ];
}

function readFileWebhooks(file: ConfigFile, variables: Variables, faults: string[]): WebhookConfig[] {
  const entries = file.data['notifications'] ?? [];
  if (!Array.isArray(entries)) {
    const place = placeText(file.source, ['notifications']);
    faults.push(faultText({ place, expected: 'a list of webhooks', got: shown(entries) }));
    return [];
  }
  return entries.flatMap((raw: unknown, index) => {
    const path = ['notifications', index];
    const entry = parseAt(notificationSchema, raw, { source: file.source, path }, faults);
    if (entry === undefined) return [];
    const variable = variables.get(entry.url_env);
    if (variable === undefined) {
      const expected = `set to the address of a webhook, because ${placeText(file.source, path)} names it`;
      const fix = `Set it ${variables.places}.`;
      faults.push(faultText({ place: entry.url_env, expected, got: 'nothing', fix }));
      return [];
    }
    const at = { source: variable.label, path: [] };
    const url = parseAt(settings.webhookUrl.kind.schema, variable.text, at, faults);
    return url === undefined ? [] : [{ name: entry.url_env, url, format: entry.format ?? 'json' }];
  });
}

function readAlerts(
  file: ConfigFile | undefined,
  { webhooks, smtp }: Pick<Config, 'webhooks' | 'smtp'>,
  faults: string[],
): AlertsConfig {
  const given = readSection('alerts', file, faults);
  const rules: Readonly<Record<string, unknown>> = given?.rules ?? {};
  const to = [...new Set(given?.to ?? [])];
  for (const [index, name] of to.entries()) {
    const place = placeText(file?.source ?? '', ['alerts', 'to', index]);
    const fault = channelFault(
      name,
      webhooks.map((one) => one.name),
      smtp !== undefined,
    );
    if (fault !== undefined) faults.push(faultText({ place, ...fault }));
  }
  return {
    to,
    digest: given?.digest ?? 'monday',
    rules: Object.fromEntries(
      alertRuleNames.map((name) => [name, ruleOf(name, rules[name])]),
    ) as AlertsConfig['rules'],
  };
}

function ruleOf(name: AlertRuleName, given: unknown): AlertRuleConfig {
  const { threshold } = alertRules[name] as AlertRuleSetting;
  return { on: given !== false, threshold: typeof given === 'number' ? given : threshold?.default };
}

function channelFault(name: string, webhooks: readonly string[], hasMail: boolean) {
  if (webhooks.includes(name)) return undefined;
  if (parseMailAddress(name) !== undefined) {
    if (hasMail) return undefined;
    const fix = 'Set AIRANK_SMTP_URL and AIRANK_MAIL_FROM, which say how mails are sent.';
    return { expected: 'a webhook', got: `the mail address ${shown(name)}`, fix };
  }
  const known = webhooks.length === 0 ? 'No webhook is set.' : `Webhooks: ${webhooks.join(', ')}.`;
  return {
    expected: 'the name of a webhook that is set, or a mail address',
    // An address pasted in place of the name is a secret.
    got: /:\/\//.test(name) ? 'a web address' : shown(name),
    fix: didYouMean(name, webhooks) ?? known,
  };
}

function readAgency(file: ConfigFile | undefined, faults: string[]): AgencyConfig {
  const { name, logo, colors, footer } = readSection('agency', file, faults) ?? {};
  return {
    name,
    logo: logo === undefined ? undefined : resolve(file?.folder ?? '', logo),
    accentColor: colors?.accent ?? '#1f4e79',
    textColor: colors?.text ?? '#1b1f24',
    footer,
  };
}

function readReport(file: ConfigFile | undefined, faults: string[]): ReportConfig {
  const { to = [], clients = {}, notes = false } = readSection('report', file, faults) ?? {};
  // Without a prototype, so that a client named `constructor` has addresses only where they are given.
  return { to, clients: Object.assign(Object.create(null), clients), notes };
}

/** Collects texts that must not be repeated even in the message about them, malformed ones included. */
function secretTexts(config: Config, variables: Variables, file: ConfigFile | undefined): string[] {
  const texts = secretVariables(file).flatMap((name) => variables.get(name)?.text ?? []);
  return [...texts, ...secretsOf(config)];
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Plain data to the bottom; class instances (URL, Secret) guard themselves. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlain(value)) for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
