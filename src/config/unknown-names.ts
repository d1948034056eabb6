// Misspelt names are faults: otherwise a setting would silently have no effect.

import { isObject } from '../core/text.ts';
import { alertRuleNames } from './alert-rules.ts';
import { faultText, placeText } from './fault.ts';
import {
  accountKeys,
  agencyColorKeys,
  agencyKeys,
  alertsKeys,
  fileKeys,
  notificationKeys,
  reportKeys,
  streamKeys,
} from './file-schema.ts';
import { didYouMean } from './names.ts';
import { settingVariables } from './settings.ts';
import type { ConfigFile, FoundFile, Variables } from './sources.ts';

const literalKey =
  'A key does not belong in a file that is shared and committed: use api_key_env (the name of a variable) or api_key_file (the path of a file).';
const literalKeyNames = ['api_key', 'apikey', 'api-key', 'key', 'token', 'secret'];
const misplaced: Readonly<Record<string, string>> = {
  database_url: 'It holds a password: set DATABASE_URL in the environment or in .env.',
  metabase_key: 'Set AIRANK_METABASE_KEY or AIRANK_METABASE_KEY_FILE, in the environment or in .env.',
  metabase_database_url:
    'It holds a password: set AIRANK_METABASE_DATABASE_URL in the environment or in .env.',
  api_key_env: 'It belongs to an entry of accounts.',
  api_key_file: 'It belongs to an entry of accounts.',
};

function namesIn(file: ConfigFile | undefined, list: string, key: string): string[] {
  const entries: unknown = file?.data[list];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry[key] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** The variables that accounts name as the place of their key; they may begin with AIRANK_ too. */
export function namedKeyVariables(file: ConfigFile | undefined): string[] {
  return namesIn(file, 'accounts', 'api_key_env');
}

/** Every variable that the file names as the place of a secret. */
export function namedVariables(file: ConfigFile | undefined): string[] {
  return [...namedKeyVariables(file), ...namesIn(file, 'notifications', 'url_env')];
}

export function checkVariableNames(variables: Variables, found: FoundFile, faults: string[]): void {
  const named = namedVariables(found.state === 'read' ? found.file : undefined);
  for (const [name, label] of variables.labels) {
    if (!name.startsWith('AIRANK_') || name.startsWith('AIRANK_TEST_')) continue;
    if (settingVariables.includes(name) || named.includes(name)) continue;
    const fix = didYouMean(name, settingVariables);
    // The broken file may be the one that names this variable.
    if (found.state === 'broken' && fix === undefined) continue;
    faults.push(
      faultText({
        place: label,
        expected: 'a known setting',
        got: 'an unknown name',
        fix: fix ?? 'All settings are in .env.example; remove this one.',
      }),
    );
  }
}

function checkKeys(
  file: ConfigFile,
  path: readonly PropertyKey[],
  known: readonly string[],
  faults: string[],
): void {
  let value: unknown = file.data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const isLiteralKey = literalKeyNames.includes(key.toLowerCase());
    const hint = path.length === 0 ? misplaced[key] : undefined;
    faults.push(
      faultText({
        place: placeText(file.source, [...path, key]),
        expected: isLiteralKey ? 'absent' : 'a known name',
        got: isLiteralKey ? 'a literal key' : 'an unknown one',
        fix: isLiteralKey
          ? literalKey
          : (hint ??
            didYouMean(key, known) ??
            `Known here: ${known.filter((name) => name !== '$schema').join(', ')}.`),
      }),
    );
  }
}

/** Reports every unknown key of the file, of each account, stream and notification. */
export function checkFileKeys(file: ConfigFile, faults: string[]): void {
  checkKeys(file, [], fileKeys, faults);
  checkKeys(file, ['agency'], agencyKeys, faults);
  checkKeys(file, ['agency', 'colors'], agencyColorKeys, faults);
  checkKeys(file, ['report'], reportKeys, faults);
  checkKeys(file, ['alerts'], alertsKeys, faults);
  checkKeys(file, ['alerts', 'rules'], alertRuleNames, faults);
  const { accounts, streams, notifications } = file.data;
  if (Array.isArray(notifications)) {
    for (const index of notifications.keys())
      checkKeys(file, ['notifications', index], notificationKeys, faults);
  }
  if (Array.isArray(accounts)) {
    for (const index of accounts.keys()) checkKeys(file, ['accounts', index], accountKeys, faults);
  }
  if (isObject(streams)) {
    for (const name of Object.keys(streams)) checkKeys(file, ['streams', name], streamKeys, faults);
  }
}
