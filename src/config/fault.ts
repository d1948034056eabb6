// One fault of the configuration as one sentence: where, what was expected, what came, the fix.
// A zod message in this folder is always the "expected" phrase; `params` may carry `got` and `fix`.

import type { z } from 'zod';
import { isObject, valueAt } from '../core/json.ts';
import { didYouMean } from './nearest-name.ts';

/** Hints from a kind of value that must not show it plainly, or that knows the fix. */
export interface FaultHints {
  /** Replaces the value in the sentence; always given where the value may hold a secret. */
  readonly got?: string;
  readonly fix?: string;
}

export interface Fault extends FaultHints {
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

const shownLength = 60;

/** `Expected AIRANK_PER_MINUTE to be an integer >= 1, got "0"`. */
export function faultText(fault: Fault): string {
  const sentence = `Expected ${fault.place} to be ${fault.expected}, got ${fault.got}`;
  return fault.fix === undefined ? sentence : `${sentence}. ${fault.fix}`;
}

/** A value as it may stand in a message: short, on one line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = [...value];
    if (points.length <= shownLength) return JSON.stringify(value);
    return `${JSON.stringify(points.slice(0, shownLength).join(''))} and ${points.length - shownLength} more characters`;
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  return String(value);
}

/** `airank.config.yaml: accounts[1].base_url`; a variable or a file alone when there is no path. */
export function placeText(source: string, path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${nameText(String(part))}`;
  }
  return text === '' ? source : `${source}: ${text}`;
}

/** A name with control characters as JSON, so that the line can be read. */
function nameText(name: string): string {
  return /\p{Cc}|\p{Surrogate}/u.test(name) ? JSON.stringify(name) : name;
}

function hintsOf(issue: z.core.$ZodIssue): FaultHints {
  const params: unknown = issue.code === 'custom' ? issue.params : undefined;
  if (!isObject(params)) return {};
  const { got, fix } = params;
  return {
    ...(typeof got === 'string' && { got }),
    ...(typeof fix === 'string' && { fix }),
  };
}

interface Located {
  readonly source: string;
  readonly path: readonly PropertyKey[];
}

const literalKeyNames = ['api_key', 'apikey', 'api-key', 'key', 'token', 'secret'];

/** Reports an unknown name with the likely one: otherwise a setting would silently have no effect. */
export function unknownName({ source, path }: Located, known: readonly string[], hint?: string): string {
  const [name, place] = [String(path.at(-1)), placeText(source, path)];
  if (literalKeyNames.includes(name.toLowerCase())) {
    const fix =
      'A key does not belong in a file that is shared and committed: use api_key_env (the name of a variable) or api_key_file (the path of a file).';
    return faultText({ place, expected: 'absent', got: 'a literal key', fix });
  }
  const near = didYouMean(name, known);
  const fix = hint ?? near ?? `Known here: ${known.filter((one) => one !== '$schema').join(', ')}.`;
  return `${place} is not a known name. ${fix}`;
}

/**
 * Parses one value; on failure adds a fault for each issue and returns undefined. `original` is what
 * the user wrote, when it is not the value itself.
 */
export function parseAt<T>(
  schema: z.ZodType<T>,
  value: unknown,
  at: Located,
  faults: string[],
  original: unknown = value,
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(', ');
      for (const key of issue.keys)
        faults.push(unknownName({ source: at.source, path: [...at.path, ...issue.path, key] }, known));
      continue;
    }
    const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
    const hints = hintsOf(inner ?? issue);
    faults.push(
      faultText({
        place: placeText(at.source, [...at.path, ...issue.path]),
        expected: inner?.message ?? issue.message,
        got: hints.got ?? shown(inner ? issue.path.at(-1) : valueAt(original, issue.path)),
        ...(hints.fix !== undefined && { fix: hints.fix }),
      }),
    );
  }
  return undefined;
}
