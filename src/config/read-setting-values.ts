// The settings of the table from all their sources: a variable wins over the file, the file over the default.
import type { ConfigFile } from './config-file.ts';
import { parseAt } from './fault.ts';
import { type SettingName, type SettingValues, settingEntries } from './settings.ts';
import type { Variables } from './variables.ts';

/** Where a value came from. */
export type SettingOrigin = 'variable' | 'file' | 'default';

export interface ReadSettings {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>;
}

/** Every source is checked, also when another one wins over it. A faulty value counts as not given. */
export function readSettingValues(
  variables: Variables,
  file: ConfigFile | undefined,
  faults: string[],
): ReadSettings {
  const values: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const [name, { env, fileKey, kind, ...setting }] of settingEntries) {
    origins[name] = 'default';
    values[name] =
      setting.default === undefined ? undefined : kind.schema.parse(kind.fromText(setting.default));
    if (file !== undefined && fileKey !== undefined && Object.hasOwn(file.data, fileKey)) {
      const at = { source: file.source, path: [fileKey] };
      values[name] = parseAt(kind.schema, file.data[fileKey], at, faults) ?? values[name];
      origins[name] = 'file';
    }
    const variable = variables.get(env);
    if (variable !== undefined) {
      const at = { source: variable.label, path: [] };
      values[name] =
        parseAt(kind.schema, kind.fromText(variable.text), at, faults, variable.text) ?? values[name];
      origins[name] = 'variable';
    }
  }
  return { values: values as SettingValues, origins: origins as Record<SettingName, SettingOrigin> };
}
