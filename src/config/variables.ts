// Where a variable's text comes from: the command line, the environment, then `.env`.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { faultText } from './fault.ts';
import { type ReadFile, readIfThere } from './read-file.ts';

export interface Variable {
  readonly text: string;
  /** How a message names it: `AIRANK_PER_MINUTE`, `AIRANK_PER_MINUTE in .env`. */
  readonly label: string;
}

export interface Variables {
  /** Undefined when unset or empty. */
  get(name: string): Variable | undefined;
  /** Every name that is set in any source, with how a message names it. */
  readonly labels: ReadonlyMap<string, string>;
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
  const file = readIfThere(join(sources.cwd, '.env'), sources.readFile);
  if (file.failure !== undefined) {
    faults.push(faultText({ place: '.env', expected: 'a file that can be read', got: file.failure }));
  }
  const found = new Map<string, Variable>();
  const add = (from: Readonly<Record<string, string | undefined>>, suffix: string) => {
    for (const [name, text] of Object.entries(from)) {
      if (text !== undefined) found.set(name, { text, label: `${name}${suffix}` });
    }
  };
  add(parseEnv((file.text ?? '').replace(/^\uFEFF/, '')) as Record<string, string>, ' in .env');
  add(sources.env, '');
  add(sources.overrides, ' on the command line');
  return {
    get: (name) => {
      const variable = found.get(name);
      return variable === undefined || variable.text === '' ? undefined : variable;
    },
    labels: new Map([...found].map(([name, variable]) => [name, variable.label])),
  };
}
