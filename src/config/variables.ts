// Where a variable's text comes from: the command line, the environment, then `.env`.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { faultText } from './fault.ts';
import type { ReadFile } from './read-file.ts';
import { type FoundText, findText, settingsFolders } from './settings-folders.ts';

export interface Variable {
  readonly text: string;
  /** How a message names it: `AIRANK_PER_MINUTE`, `AIRANK_PER_MINUTE in .env`. */
  readonly label: string;
  /** What a path in it is relative to. */
  readonly base: string;
}

export interface Variables {
  /** Undefined when unset or empty. */
  get(name: string): Variable | undefined;
  /** Every name that is set in any source, with how a message names it. */
  readonly labels: ReadonlyMap<string, string>;
  /** Where one can be set, as a fix says it: `in the environment or in /srv/airank/.env, which is not there`. */
  readonly places: string;
}

export interface VariableSources {
  readonly env: NodeJS.ProcessEnv;
  readonly overrides: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly readFile: ReadFile;
}

/**
 * Reads `.env` and puts the sources in order; process.env is not changed. An empty text means unset, and
 * being set to nothing in the real environment hides the value in `.env`.
 */
export function readVariables(sources: VariableSources, faults: string[]): Variables {
  const { cwd } = sources;
  const folders = settingsFolders(sources);
  const file = findText('.env', folders, sources.readFile);
  if (file.failure !== undefined) {
    faults.push(faultText({ place: file.label, expected: 'a file that can be read', got: file.failure }));
  }
  const found = new Map<string, Variable>();
  const add = (from: Readonly<Record<string, string | undefined>>, suffix: string, base = cwd) => {
    for (const [name, text] of Object.entries(from)) {
      // curl and others read both, and prefer the lower case.
      const isProxy = /^(?:https|no)_proxy$/i.test(name);
      if (isProxy && name !== name.toLowerCase() && from[name.toLowerCase()] !== undefined) continue;
      const known = isProxy ? name.toUpperCase() : name;
      if (text !== undefined) found.set(known, { text, label: `${name}${suffix}`, base });
    }
  };
  add(
    parseEnv((file.text ?? '').replace(/^\uFEFF/, '')) as Record<string, string>,
    ` in ${file.label}`,
    file.folder,
  );
  add(sources.env, '');
  add(sources.overrides, ' on the command line');
  return {
    get: (name) => {
      const variable = found.get(name);
      return variable === undefined || variable.text === '' ? undefined : variable;
    },
    labels: new Map([...found].map(([name, variable]) => [name, variable.label])),
    places: `in the environment or in ${placesOf(file, folders)}`,
  };
}

function placesOf({ path, text, failure }: FoundText, folders: readonly string[]): string {
  if (text !== undefined || failure !== undefined) return `${path}, which was read`;
  const paths = folders.map((folder) => join(folder, '.env'));
  return paths.length === 1
    ? `${path}, which is not there`
    : `.env (neither ${paths.join(' nor ')} is there)`;
}
