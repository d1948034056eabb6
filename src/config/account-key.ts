// The key of one account, from a variable or from a file.
import { resolve } from 'node:path';
import { parseApiKeyFile } from './api-key.ts';
import type { Secret } from './config.ts';
import { faultText, parseAt } from './fault.ts';
import { type ReadFile, readIfThere } from './read-file.ts';
import { apiKey } from './setting-kinds.ts';
import type { Variables } from './variables.ts';

export interface KeyContext {
  readonly variables: Variables;
  readonly readFile: ReadFile;
  /** False: a missing key is no fault; a malformed one still is. */
  readonly needed: boolean;
  readonly faults: string[];
}

/** The key in the variable `name`, which `namedBy` asks for. */
export function keyFromVariable(name: string, namedBy: string, context: KeyContext): Secret | undefined {
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

/** The key in the file at `path`, relative to `folder`; `place` is what names the file. */
export function keyFromFile(
  path: string,
  folder: string,
  place: string,
  context: Omit<KeyContext, 'variables'>,
): Secret | undefined {
  const { text, failure } = readIfThere(resolve(folder, path), context.readFile);
  if (text === undefined) {
    if (failure === undefined && !context.needed) return undefined;
    const got = failure ?? 'a path where there is no file';
    context.faults.push(faultText({ place, expected: 'a file that holds the API key', got }));
    return undefined;
  }
  const result = parseApiKeyFile(text);
  if (result.ok) return result.key;
  const { got = 'something else', fix } = result.hints;
  context.faults.push(
    faultText({ place, expected: result.expected, got, ...(fix !== undefined && { fix }) }),
  );
  return undefined;
}
