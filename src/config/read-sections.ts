// Sections of the file that are read as a whole: alerts, report, webhooks, streams.

import { resolve } from 'node:path';
import { parseMailAddress } from './addresses.ts';
import { type AlertRuleName, type AlertRuleSetting, alertRuleNames, alertRules } from './alert-rules.ts';
import type {
  AgencyConfig,
  AlertRuleConfig,
  AlertsConfig,
  Config,
  ReportConfig,
  StreamOverride,
  WebhookConfig,
} from './config.ts';
import { faultText, parseAt, placeText, shown } from './fault.ts';
import {
  agencySchema,
  alertsSchema,
  notificationSchema,
  reportSchema,
  type StreamEntry,
  streamName,
  streamSchema,
} from './file-schema.ts';
import { didYouMean } from './names.ts';
import { settings } from './settings.ts';
import type { ConfigFile, ReadSettings, Variables } from './sources.ts';

// Alerts on the figures: which rules are on, from where on they speak, and who is told.
function ruleOf(name: AlertRuleName, said: unknown): AlertRuleConfig {
  const { threshold } = alertRules[name] as AlertRuleSetting;
  const on = said !== false;
  return { on, threshold: typeof said === 'number' ? said : threshold?.default };
}

export function readAlerts(
  file: ConfigFile | undefined,
  { webhooks, smtp }: Pick<Config, 'webhooks' | 'smtp'>,
  faults: string[],
): AlertsConfig {
  const raw = file?.data['alerts'] ?? {};
  const source = file?.source ?? '';
  const said = parseAt(alertsSchema, raw, { source, path: ['alerts'] }, faults);
  const rules: Readonly<Record<string, unknown>> = said?.rules ?? {};
  const to = [...new Set(said?.to ?? [])];
  for (const [index, name] of to.entries()) {
    const place = placeText(source, ['alerts', 'to', index]);
    const fault = channelFault(
      name,
      webhooks.map((one) => one.name),
      smtp !== undefined,
    );
    if (fault !== undefined) faults.push(faultText({ place, ...fault }));
  }
  return {
    to,
    digest: said?.digest ?? 'monday',
    rules: Object.fromEntries(
      alertRuleNames.map((name) => [name, ruleOf(name, rules[name])]),
    ) as AlertsConfig['rules'],
  };
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
    // An address that was pasted in the name's place is a secret.
    got: /:\/\//.test(name) ? 'an address of the web' : shown(name),
    fix: didYouMean(name, webhooks) ?? known,
  };
}

// The file's `agency` and `report`, in the names of the code.
export function readAgency(file: ConfigFile | undefined, faults: string[]): AgencyConfig {
  const at = { source: file?.source ?? '', path: ['agency'] };
  const { name, logo, colors, footer } = parseAt(agencySchema, file?.data['agency'] ?? {}, at, faults) ?? {};
  return {
    name,
    logo: logo === undefined ? undefined : resolve(file?.folder ?? '', logo),
    accentColor: colors?.accent ?? '#1f4e79',
    textColor: colors?.text ?? '#1b1f24',
    footer,
  };
}

export function readReport(file: ConfigFile | undefined, faults: string[]): ReportConfig {
  const at = { source: file?.source ?? '', path: ['report'] };
  const {
    to = [],
    clients = {},
    notes = false,
  } = parseAt(reportSchema, file?.data['report'] ?? {}, at, faults) ?? {};
  // Without a prototype, so that a client named `constructor` has addresses only where they are given.
  return { to, clients: Object.assign(Object.create(null), clients), notes };
}

// The webhooks that get messages about incidents: those of the two variables, then those of the file.
interface WebhookContext {
  readonly variables: Variables;
  readonly faults: string[];
}

export function readWebhooks(
  { values }: ReadSettings,
  file: ConfigFile | undefined,
  context: WebhookContext,
): readonly WebhookConfig[] {
  const { webhookUrl, slackWebhookUrl } = values;
  return [
    ...(webhookUrl === undefined
      ? []
      : [{ name: settings.webhookUrl.env, url: webhookUrl, format: 'json' as const }]),
    ...(slackWebhookUrl === undefined
      ? []
      : [{ name: settings.slackWebhookUrl.env, url: slackWebhookUrl, format: 'slack' as const }]),
    ...(file === undefined ? [] : readFileWebhooks(file, context)),
  ];
}

function readFileWebhooks(file: ConfigFile, { variables, faults }: WebhookContext): WebhookConfig[] {
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

// The file's `streams`, each checked on its own, in the names of the code.
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out what is undefined, as exactOptionalPropertyTypes asks. */
function defined<T extends object>(value: T): Defined<T> {
  const pairs = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(pairs) as Defined<T>;
}

function toOverride(entry: StreamEntry): StreamOverride {
  const { per_client: perClient, vanish_above: vanishAbove, ...rest } = entry;
  return {
    ...defined(rest),
    ...(perClient !== undefined && { perClient }),
    ...(vanishAbove !== undefined && { vanishAbove: defined(vanishAbove) }),
  };
}

/** An object without prototype, so that a stream named `constructor` is only there when it is configured. */
export function readStreamOverrides(file: ConfigFile, faults: string[]): Record<string, StreamOverride> {
  const overrides: Record<string, StreamOverride> = Object.create(null);
  const streams = file.data['streams'] ?? {};
  if (typeof streams !== 'object' || Array.isArray(streams)) {
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
