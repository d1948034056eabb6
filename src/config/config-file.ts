// Finds and parses airank.config.yaml (YAML 1.2, so JSON too). Shapes are checked elsewhere.
import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { isObject } from '../core/json.ts';
import { faultText, shown } from './fault.ts';
import { type ReadFile, readIfThere } from './read-file.ts';
import { findText } from './settings-folders.ts';
import type { Variable } from './variables.ts';

export const defaultConfigFile = 'airank.config.yaml';

export interface ConfigFile {
  /** How a message names it: as the user wrote it. */
  readonly source: string;
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type FoundFile =
  | { readonly state: 'absent' }
  /** There is a file, but it cannot be used. */
  | { readonly state: 'broken' }
  | { readonly state: 'read'; readonly file: ConfigFile };

type Parsed = { readonly value: unknown } | { readonly faults: readonly string[] };

/** Names the place but quotes nothing: a line that does not parse may hold anything. */
function parseYaml(source: string, text: string): Parsed {
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { prettyErrors: true, logLevel: 'silent' });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    const faults = problems.map((problem) => {
      const at = problem.linePos?.[0];
      const where = at === undefined ? source : `${source}:${at.line}:${at.col}`;
      // What follows a colon quotes the file.
      const what = problem.message.split(/\n|:| at line \d/)[0] ?? '';
      return faultText({
        place: where,
        expected: 'YAML or JSON',
        got: `a syntax error (${problem.code}: ${what})`,
      });
    });
    return { faults };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch {
    const got = 'aliases (*name) that cannot be resolved or are too many';
    return { faults: [faultText({ place: source, expected: 'YAML that can be read', got })] };
  }
}

/** `named` is AIRANK_CONFIG; without it the first of `folders` that has a file of that name. */
export function readConfigFile(
  named: Variable | undefined,
  folders: readonly string[],
  readFile: ReadFile,
  faults: string[],
): FoundFile {
  const { label: source, path, text, failure } = textOf(named, folders, readFile);
  if (text === undefined) {
    if (named === undefined && failure === undefined) return { state: 'absent' };
    const place = named?.label ?? source;
    const got =
      failure === undefined ? `${shown(source)}, which does not exist` : `${shown(source)}, ${failure}`;
    faults.push(faultText({ place, expected: 'a file that can be read', got }));
    return { state: 'broken' };
  }
  const parsed = parseYaml(source, text);
  if ('faults' in parsed) {
    faults.push(...parsed.faults);
    return { state: 'broken' };
  }
  // An empty file, or one of comments only, says nothing, which is allowed.
  const value = parsed.value ?? {};
  if (!isObject(value)) {
    faults.push(faultText({ place: source, expected: 'a mapping of settings', got: shown(value) }));
    return { state: 'broken' };
  }
  return { state: 'read', file: { source, folder: dirname(path), data: value } };
}

function textOf(named: Variable | undefined, folders: readonly string[], readFile: ReadFile) {
  if (named === undefined) return findText(defaultConfigFile, folders, readFile);
  const path = resolve(named.base, named.text);
  return { label: named.text, path, ...readIfThere(path, readFile) };
}
