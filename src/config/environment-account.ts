// Without accounts in the file, the settings describe one account named `default`.
import { type KeyContext, keyFromFile } from './account-key.ts';
import type { AccountConfig, Secret } from './config.ts';
import { faultText } from './fault.ts';
import type { ReadSettings } from './read-setting-values.ts';
import { settings } from './settings.ts';

function readKey({ values }: ReadSettings, context: KeyContext): Secret | undefined {
  const key = context.variables.get(settings.apiKey.env);
  const file = context.variables.get(settings.apiKeyFile.env);
  if (key !== undefined && file !== undefined) {
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
  if (file !== undefined) return keyFromFile(file.text, file.base, file.label, context);
  if (key === undefined && context.needed) {
    context.faults.push(
      faultText({
        place: 'AIRANK_API_KEY or AIRANK_API_KEY_FILE',
        expected: 'set',
        got: 'neither',
        fix: `Set it ${context.variables.places}.`,
      }),
    );
  }
  return values.apiKey;
}

/** An empty list when key or address are missing (a fault only when `context.needed`) or faulty. */
export function readEnvironmentAccount(read: ReadSettings, context: KeyContext): AccountConfig[] {
  const { values, origins } = read;
  const apiKey = readKey(read, context);
  if (origins.baseUrl === 'default' && context.needed) {
    context.faults.push(
      faultText({
        place: 'AIRANK_BASE_URL',
        expected: 'the address of the API',
        got: 'nothing',
        fix: `Set it, like https://api.example.com, ${context.variables.places}.`,
      }),
    );
  }
  if (apiKey === undefined || values.baseUrl === undefined) return [];
  return [
    {
      name: 'default',
      baseUrl: values.baseUrl,
      apiKey,
      authHeader: values.authHeader,
      perMinute: values.perMinute,
      perDay: values.perDay,
      reservePercent: values.reservePercent,
    },
  ];
}
