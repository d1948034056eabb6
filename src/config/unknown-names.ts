// Misspelt names are faults: otherwise a setting would silently have no effect.

import { isObject } from '../core/json.ts';
import { unknownName } from './fault.ts';
import { fileKeys } from './file-schema.ts';
import { didYouMean } from './nearest-name.ts';
import { settingVariables } from './settings.ts';
import type { ConfigFile, FoundFile, Variables } from './sources.ts';

const misplaced: Readonly<Record<string, string>> = {
  database_url: 'It holds a password: set DATABASE_URL in the environment or in .env.',
  metabase_key: 'Set AIRANK_METABASE_KEY, in the environment or in .env.',
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

/** Returns the variables that accounts name as the place of their key; they may begin with AIRANK_ too. */
export function namedKeyVariables(file: ConfigFile | undefined): string[] {
  return namesIn(file, 'accounts', 'api_key_env');
}

/** Returns every variable that the file names as the place of a secret. */
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
    faults.push(`${label} is not a setting. ${fix ?? 'Remove it; .env.example lists all settings.'}`);
  }
}

/** Reports every unknown key at the top of the file; those of its parts are found by their schemas. */
export function checkFileKeys(file: ConfigFile, faults: string[]): void {
  for (const key of Object.keys(file.data).filter((one) => !fileKeys.includes(one))) {
    faults.push(unknownName({ source: file.source, path: [key] }, fileKeys, misplaced[key]));
  }
}
