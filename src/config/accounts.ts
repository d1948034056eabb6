// The accounts of the configuration, of variables or of the file, and their keys.

import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../core/json.ts';
import type { AccountConfig, Secret } from './config.ts';
import { faultText, parseAt, placeText } from './fault.ts';
import { accountSchema, sectionSchemas } from './file-schema.ts';
import { apiKey, parseApiKeyFile } from './setting-kinds.ts';
import { settings } from './settings.ts';
import { type ConfigFile, type ReadFile, type ReadSettings, readIfThere, type Variables } from './sources.ts';
import { namedKeyVariables } from './unknown-names.ts';

interface KeyContext {
  readonly variables: Variables;
  readonly readFile: ReadFile;
  /** False: a missing key is no fault; a malformed one still is. */
  readonly needed: boolean;
  readonly faults: string[];
}

/** Reads the key in the variable `name`, which `namedBy` asks for. */
function keyFromVariable(name: string, namedBy: string, context: KeyContext): Secret | undefined {
  const variable = context.variables.get(name);
  if (variable !== undefined) {
    return parseAt(apiKey.schema, variable.text, { source: variable.label, path: [] }, context.faults);
  }
  if (context.needed) {
    const expected = `set to the API key, because ${namedBy} names it`;
    context.faults.push(
      faultText({ place: name, expected, got: 'nothing', fix: `Set it ${context.variables.places}.` }),
    );
  }
  return undefined;
}

/** Reads the key in the file at `path`, relative to `folder`; `place` names the file in a message. */
export function keyFromFile(
  path: string,
  folder: string,
  place: string,
  context: Omit<KeyContext, 'variables'>,
): Secret | undefined {
  const { text, failure } = readIfThere(resolve(folder, path), context.readFile);
  if (text === undefined) {
    if (failure === undefined && !context.needed) return undefined;
    const got = failure ?? 'a path without a file';
    context.faults.push(faultText({ place, expected: 'a file that holds the API key', got }));
    return undefined;
  }
  const result = parseApiKeyFile(text);
  if (result.ok) return result.value;
  const { got = 'something else', fix } = result.hints;
  context.faults.push(
    faultText({ place, expected: result.expected, got, ...(fix !== undefined && { fix }) }),
  );
  return undefined;
}

/** Reads the key from setting or file. None is a fault only when `context.needed`, both always. */
function readKey({ values }: ReadSettings, context: KeyContext): Secret | undefined {
  const { variables, faults } = context;
  const [keyName, fileName] = [settings.apiKey.env, settings.apiKeyFile.env];
  const [key, file] = [variables.get(keyName), variables.get(fileName)];
  if (key !== undefined && file !== undefined) {
    const place = `one of ${key.label} and ${file.label}`;
    const fix = 'Remove one of them.';
    faults.push(faultText({ place, expected: 'set', got: 'both', fix }));
    return undefined;
  }
  if (file !== undefined) return keyFromFile(file.text, file.base, file.label, context);
  if (key === undefined && context.needed) {
    const fix = `Set it ${variables.places}.`;
    faults.push(faultText({ place: `${keyName} or ${fileName}`, expected: 'set', got: 'neither', fix }));
  }
  return values.apiKey;
}

/** Reads the accounts of the file, or the one that the settings describe if the file has none. */
export function readAccounts(
  read: ReadSettings,
  file: ConfigFile | undefined,
  context: KeyContext,
): readonly AccountConfig[] {
  const entries = file?.data['accounts'] ?? [];
  if (file === undefined || (Array.isArray(entries) && entries.length === 0)) {
    return readEnvironmentAccount(read, context);
  }
  if (Array.isArray(entries)) return readFileAccounts(file, entries, read, context);
  const at = { source: file.source, path: ['accounts'] };
  parseAt(sectionSchemas.accounts, entries, at, context.faults);
  return [];
}

/** An empty list when key or address are missing (a fault only when `context.needed`) or faulty. */
function readEnvironmentAccount(read: ReadSettings, context: KeyContext): AccountConfig[] {
  const { values, origins } = read;
  const { variables } = context;
  const hasKey = [settings.apiKey, settings.apiKeyFile].some(({ env }) => variables.get(env) !== undefined);
  if (context.needed && !hasKey && origins.baseUrl === 'default') {
    const places = `the address of the API (AIRANK_BASE_URL) and a key (AIRANK_API_KEY) ${variables.places}`;
    context.faults.push(`Nothing is set up here. Expected ${places}. Run: airank init`);
    return [];
  }
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
      perMinute: values.perMinute,
      perDay: values.perDay,
      reservePercent: values.reservePercent,
    },
  ];
}

function mappingOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Reads the key even for an account with other faults, so that all faults come at once. */
function readOwnKey(
  entry: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  file: ConfigFile,
  context: KeyContext,
): Secret | undefined {
  const { api_key_env: variable, api_key_file: keyFile } = entry;
  if ((variable === undefined) === (keyFile === undefined)) {
    context.faults.push(
      faultText({
        place: placeText(file.source, path),
        expected: 'an account with one of api_key_env and api_key_file',
        got: variable === undefined ? 'neither' : 'both',
      }),
    );
    return undefined;
  }
  if (accountSchema.shape.api_key_env.safeParse(variable).success && typeof variable === 'string') {
    return keyFromVariable(variable, placeText(file.source, [...path, 'api_key_env']), context);
  }
  if (typeof keyFile === 'string' && keyFile !== '') {
    return keyFromFile(keyFile, file.folder, placeText(file.source, [...path, 'api_key_file']), context);
  }
  return undefined;
}

function checkNames(file: ConfigFile, entries: readonly unknown[], faults: string[]): void {
  const first = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const { name } = mappingOf(entry);
    if (typeof name !== 'string') continue;
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, index);
    else {
      const place = placeText(file.source, ['accounts', index, 'name']);
      const got = `${JSON.stringify(name)}, the name of accounts[${earlier}]`;
      faults.push(faultText({ place, expected: 'a name that no other account has', got }));
    }
  }
}

/** Variables that describe a single account must not be set beside a list of accounts that does not use them. */
function checkVariables(file: ConfigFile, read: ReadSettings, context: KeyContext): void {
  const idle = (name: string, fix: string) => {
    const variable = context.variables.get(name);
    if (variable === undefined) return;
    const expected = `unset, because no account of ${file.source} uses it`;
    context.faults.push(faultText({ place: variable.label, expected, got: 'a value', fix }));
  };
  if (!namedKeyVariables(file).includes(settings.apiKey.env)) {
    idle(settings.apiKey.env, 'Remove it, or give it to an account: api_key_env: AIRANK_API_KEY.');
  }
  idle(settings.apiKeyFile.env, 'Remove it, or name the file in api_key_file of an account.');
  const entries = file.data['accounts'];
  const allHaveOne =
    Array.isArray(entries) && entries.every((entry) => mappingOf(entry)['base_url'] !== undefined);
  if (allHaveOne && read.origins.baseUrl === 'variable') {
    idle(settings.baseUrl.env, 'Remove it, or leave base_url out of the accounts that should use it.');
  }
}

/** Limits count by key: two accounts on one key would overdraw it together. */
function checkKeys(
  file: ConfigFile,
  keys: readonly { readonly index: number; readonly place: string; readonly key: Secret }[],
  faults: string[],
): void {
  const first = new Map<string, number>();
  for (const { index, place, key } of keys) {
    const seen = `${place} ${key.reveal()}`;
    const earlier = first.get(seen);
    if (earlier === undefined) first.set(seen, index);
    else {
      faults.push(
        faultText({
          place: placeText(file.source, ['accounts', index]),
          expected: 'an account with a key that no other account has',
          got: `the key of accounts[${earlier}]`,
          fix: 'Limits are counted per key; one account serves all clients of its key.',
        }),
      );
    }
  }
}

/**
 * The usable accounts; one whose key is missing is left out when `context.needed` is false. An account's own values win
 * over the settings, which are its defaults.
 */
function readFileAccounts(
  file: ConfigFile,
  entries: readonly unknown[],
  read: ReadSettings,
  context: KeyContext,
): AccountConfig[] {
  const { values } = read;
  checkVariables(file, read, context);
  checkNames(file, entries, context.faults);
  const accounts: AccountConfig[] = [];
  const keys: { index: number; place: string; key: Secret }[] = [];
  for (const [index, raw] of entries.entries()) {
    const path = ['accounts', index];
    const entry = parseAt(accountSchema, raw, { source: file.source, path }, context.faults);
    const fields = mappingOf(raw);
    if (raw !== fields) continue;
    const apiKey = readOwnKey(fields, path, file, context);
    const baseUrl = entry?.base_url ?? values.baseUrl;
    const noAddress = fields['base_url'] === undefined && read.origins.baseUrl === 'default';
    if (noAddress && context.needed) {
      const fix = 'Set it here, at the top of the file for all accounts, or as AIRANK_BASE_URL.';
      const place = placeText(file.source, [...path, 'base_url']);
      context.faults.push(faultText({ place, expected: 'the address of the API', got: 'nothing', fix }));
    }
    if (apiKey !== undefined && baseUrl !== undefined) keys.push({ index, place: baseUrl.href, key: apiKey });
    if (entry === undefined || apiKey === undefined || baseUrl === undefined) continue;
    accounts.push({
      name: entry.name,
      namedIn: placeText(file.source, [...path, 'name']),
      baseUrl,
      apiKey,
      keyFrom: entry.api_key_env ?? placeText(file.source, [...path, 'api_key_file']),
      perMinute: entry.per_minute ?? values.perMinute,
      perDay: entry.per_day ?? values.perDay,
      reservePercent: entry.reserve_percent ?? values.reservePercent,
    });
  }
  checkKeys(file, keys, context.faults);
  return accounts;
}
