// The webhooks that get messages about trouble: those of the two variables, then those of the file.
import type { WebhookConfig } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { faultText, parseAt, placeText, shown } from './fault.ts';
import { notificationSchema } from './file-schema.ts';
import type { ReadSettings } from './read-setting-values.ts';
import { settings } from './settings.ts';
import type { Variables } from './variables.ts';

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
