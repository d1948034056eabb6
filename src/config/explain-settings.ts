// Each setting with where it came from and whether it can be used, for `airank doctor`. Unlike
// load-config.ts it never throws, and it never shows a secret.

import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isObject } from '../core/json.ts';
import { plural } from '../core/text.ts';
import { proxyHost } from './addresses.ts';
import { Secret } from './config.ts';
import { parseAt } from './fault.ts';
import { secretVariables } from './secrets-of.ts';
import { type Setting, type SettingName, settingEntries, settings } from './settings.ts';
import { defaultConfigFile, findText, readSources, type SourceOptions } from './sources.ts';

export interface ExplainedSetting {
  readonly name: SettingName;
  readonly variable: string;
  /** `AIRANK_PER_MINUTE in .env`, `per_minute in airank.config.yaml`, `default`; undefined: not set. */
  readonly from: string | undefined;
  /** The value in a form that may be shown; undefined: there is none. */
  readonly shown: string | undefined;
  readonly faults: readonly string[];
}

export function explainSettings(place: SourceOptions): ExplainedSetting[] {
  // Faults of the files themselves are load-config.ts's to report.
  const { variables, file } = readSources(place, []);
  return settingEntries.map(([name, setting]: readonly [SettingName, Setting]) => {
    const { env: variable, fileKey, kind } = setting;
    const faults: string[] = [];
    const explained = (from: string, value: unknown, text: string) => {
      const shown = faults.length > 0 ? undefined : shownValue(name, value, text);
      return { name, variable, from, shown, faults };
    };
    const given = variables.get(variable);
    if (given !== undefined) {
      const { label, text } = given;
      const at = { source: label, path: [] };
      return explained(label, parseAt(kind.schema, kind.fromText(text), at, faults, text), text);
    }
    if (file !== undefined && fileKey !== undefined && Object.hasOwn(file.data, fileKey)) {
      const value = file.data[fileKey];
      const at = { source: file.source, path: [fileKey] };
      const from = `${fileKey} in ${file.source}`;
      return explained(from, parseAt(kind.schema, value, at, faults), String(value));
    }
    const fallback = setting.default ?? setting.defaultNote;
    return { name, variable, from: fallback === undefined ? undefined : 'default', shown: fallback, faults };
  });
}

const whatIsMeant = [
  ...[settings.apiKey, settings.apiKeyFile, settings.baseUrl, settings.configFile],
  ...[settings.databaseUrl, settings.readerUrl],
];

/** Tells whether anything names an account or a warehouse: a variable, `.env` or a configuration file. */
export function isSetUp(place: SourceOptions): boolean {
  const { variables, found } = readSources(place, []);
  return found.state !== 'absent' || whatIsMeant.some((setting) => variables.get(setting.env) !== undefined);
}

/** The files that settings are read from, and those that are not there, in one sentence. */
export function explainFiles(place: SourceOptions): string {
  const { readFile, folders, variables } = readSources(place, []);
  const named = variables.get(settings.configFile.env);
  const names = ['.env', ...(named === undefined ? [defaultConfigFile] : [])];
  const found = names.map((name) => ({ name, ...findText(name, folders, readFile) }));
  const read = found.flatMap(({ path, text }) => (text === undefined ? [] : [path]));
  const absent = found.flatMap(({ name, text }) => (text === undefined ? [name] : []));
  const nowhere = absent.length === 0 ? '' : `no ${absent.join(', no ')} in ${folders.join(' or ')}`;
  return [...(read.length === 0 ? [] : [`read: ${read.join(', ')}`]), nowhere].filter(Boolean).join('; ');
}

/** Names the place in the configuration file, as far as it is known: `airank.config.yaml:12`. */
export function explainPlace(place: SourceOptions, path: readonly string[]): string {
  const { file } = readSources(place, []);
  const line = file?.lineOf(path);
  return `${file?.source ?? defaultConfigFile}${line === undefined ? '' : `:${line}`}`;
}

export interface SecretFile {
  readonly path: string;
  /** The secrets in it: variables, or the setting that names the file. */
  readonly holds: string;
}

/** The files that secrets are read from: `.env` where one stands in it, and the files of keys. */
export function explainSecretFiles(place: SourceOptions): readonly SecretFile[] {
  const { readFile, folders, variables, file } = readSources(place, []);
  const { path, text = '' } = findText('.env', folders, readFile);
  const inEnv = parseEnv(text);
  const held = secretVariables(file).filter((name) => (inEnv[name] ?? '') !== '');
  const entries: unknown = file?.data['accounts'];
  const keyFile = variables.get(settings.apiKeyFile.env);
  const named =
    keyFile === undefined
      ? []
      : [{ path: resolve(keyFile.base, keyFile.text), holds: settings.apiKeyFile.env }];
  const ofAccounts = (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) =>
    isObject(entry) && typeof entry['api_key_file'] === 'string' && file !== undefined
      ? [{ path: resolve(file.folder, entry['api_key_file']), holds: 'api_key_file of an account' }]
      : [],
  );
  return [...(held.length === 0 ? [] : [{ path, holds: held.join(', ') }]), ...named, ...ofAccounts];
}

function shownValue(name: SettingName, value: unknown, text: string): string {
  if (!(value instanceof Secret)) return text;
  if (name === 'httpsProxy') return proxyHost(value);
  const secret = value.reveal();
  if (name !== 'databaseUrl') return `set, ${plural(secret.length, 'character')}`;
  const { hostname, port, pathname } = new URL(secret);
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
