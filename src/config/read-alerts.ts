// Alerts on the figures: which rules are on, from where on they speak, and who is told.
import { type AlertRuleName, type AlertRuleSetting, alertRuleNames, alertRules } from './alert-rules.ts';
import { alertsSchema } from './alerts-schema.ts';
import type { AlertRuleConfig, AlertsConfig, Config } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { faultText, parseAt, placeText, shown } from './fault.ts';
import { parseMailAddress } from './mail-address.ts';
import { didYouMean } from './nearest-name.ts';

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
