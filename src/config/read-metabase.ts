// What the settings say of a Metabase.
import { type KeyContext, keyFromFile } from './account-key.ts';
import type { MetabaseConfig, Secret } from './config.ts';
import { faultText } from './fault.ts';
import type { ReadSettings } from './read-setting-values.ts';
import { settings } from './settings.ts';

export function readMetabase(read: ReadSettings, context: KeyContext): MetabaseConfig {
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
