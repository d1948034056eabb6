// Sources of settings: variables, .env, files of secrets, and the configuration file.

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { isObject } from '../core/json.ts';
import { faultText, parseAt, shown } from './fault.ts';
import {
  type SettingName,
  type SettingValues,
  type SettingVariable,
  settingEntries,
  settings,
} from './settings.ts';

/** Returns a file's text; throws as `fs.readFileSync` does. */
export type ReadFile = (path: string) => string;

interface FileText {
  /** Undefined when the file is not there or could not be read. */
  readonly text: string | undefined;
  /** Why a file that is there could not be read. */
  readonly failure: string | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'a folder',
  EACCES: 'a file that this user may not read',
  EPERM: 'a file that this user may not read',
};

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return 'unknown';
}

export function readIfThere(path: string, readFile: ReadFile): FileText {
  try {
    return { text: readFile(path), failure: undefined };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { text: undefined, failure: undefined };
    return { text: undefined, failure: reasons[code] ?? `the error ${code}` };
  }
}

export interface SourceOptions {
  readonly env: NodeJS.ProcessEnv;
  /**
   * First folder with `.env` and airank.config.yaml, before the one beside the data; paths in variables are relative
   * to it.
   */
  readonly cwd: string;
  /** `fs.readFileSync(path, 'utf8')` by default. */
  readonly readFile?: ReadFile;
  /** Texts from the command line, by variable; they win over the environment. */
  readonly overrides?: Readonly<Partial<Record<SettingVariable, string>>>;
}

interface Sources {
  readonly readFile: ReadFile;
  readonly folders: readonly string[];
  readonly variables: Variables;
  readonly found: FoundFile;
  /** Undefined: there is none, or it cannot be used. */
  readonly file: ConfigFile | undefined;
}

export function readSources(options: SourceOptions, faults: string[]): Sources {
  const { readFile = (path) => readFileSync(path, 'utf8') } = options;
  const folders = settingsFolders(options);
  const variables = readVariables({ ...options, folders, readFile }, faults);
  const found = readConfigFile(variables.get(settings.configFile.env), folders, readFile, faults);
  return { readFile, folders, variables, found, file: found.state === 'read' ? found.file : undefined };
}

/**
 * Returns the working folder, then the folder of the data folder, so that a command finds its files from
 * anywhere once it knows where the data is. What `.env` says of the data folder does not count, because
 * `.env` is found by then.
 */
function settingsFolders({ cwd, env, overrides }: SourceOptions): readonly string[] {
  const dataDir = overrides?.AIRANK_DATA_DIR ?? env['AIRANK_DATA_DIR'] ?? '';
  const beside = dataDir === '' ? cwd : dirname(resolve(cwd, dataDir));
  return [...new Set([cwd, beside])];
}

interface FoundText {
  readonly path: string;
  readonly folder: string;
  /** Its name in a message: the bare name if it is in the working folder, else the whole path. */
  readonly label: string;
  /** Undefined when it is nowhere or could not be read. */
  readonly text: string | undefined;
  readonly failure: string | undefined;
}

/** Finds the first folder with the file; if none has it, returns the working folder. */
export function findText(name: string, folders: readonly string[], readFile: ReadFile): FoundText {
  const all = folders.map((folder, index): FoundText => {
    const path = join(folder, name);
    return { path, folder, label: index === 0 ? name : path, ...readIfThere(path, readFile) };
  });
  const [first] = all;
  if (first === undefined) throw new Error('no folder to look in');
  return all.find(({ text, failure }) => text !== undefined || failure !== undefined) ?? first;
}

interface Variable {
  readonly text: string;
  /** Its name in a message: `AIRANK_PER_MINUTE`, `AIRANK_PER_MINUTE in .env`. */
  readonly label: string;
  /** The folder that a path in it is relative to. */
  readonly base: string;
}

export interface Variables {
  /** Undefined when unset or empty. */
  get(name: string): Variable | undefined;
  /** Every name that is set in any source, with how a message names it. */
  readonly labels: ReadonlyMap<string, string>;
  /** Words for a fix: `in the environment or in /srv/airank/.env, which is not there`. */
  readonly places: string;
}

interface VariableSources extends SourceOptions {
  readonly folders: readonly string[];
  readonly readFile: ReadFile;
}

/**
 * Reads variables: the command line wins over the environment, and that over `.env`; process.env is not changed. An
 * empty text means unset, and an empty variable of the real environment hides the value in `.env`.
 */
function readVariables(sources: VariableSources, faults: string[]): Variables {
  const { env, overrides = {}, cwd, folders, readFile } = sources;
  const file = findText('.env', folders, readFile);
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
  add(env, '');
  add(overrides, ' on the command line');
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
    ? `${path}, which does not exist`
    : `.env (neither ${paths.join(' nor ')} exists)`;
}

export const defaultConfigFile = 'airank.config.yaml';

export interface ConfigFile {
  /** Its name in a message: as the user wrote it. */
  readonly source: string;
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly lineOf: LineOf;
}

/** The line on which the value of a key begins. Undefined: it is not there, or stands behind an alias. */
type LineOf = (path: readonly string[]) => number | undefined;

export type FoundFile =
  | { readonly state: 'absent' }
  | { readonly state: 'broken' }
  | { readonly state: 'read'; readonly file: ConfigFile };

type Parsed = { readonly value: unknown; readonly lineOf: LineOf } | { readonly faults: readonly string[] };

/** YAML 1.2, so JSON too. A fault names the place but quotes nothing: a line that does not parse may hold anything. */
function parseYaml(source: string, text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    prettyErrors: true,
    lineCounter: lines,
    logLevel: 'silent',
  });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    const faults = problems.map((problem) => {
      const at = problem.linePos?.[0];
      const where = at === undefined ? source : `${source}:${at.line}:${at.col}`;
      // The parser quotes the file after a colon: leave that out.
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
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      lineOf: (path) => {
        const node = document.getIn(path, true);
        const at = isNode(node) ? node.range?.[0] : undefined;
        return at === undefined ? undefined : lines.linePos(at).line;
      },
    };
  } catch {
    const got = 'aliases (*name) that do not resolve, or too many of them';
    return { faults: [faultText({ place: source, expected: 'YAML that can be read', got })] };
  }
}

/**
 * Reads the file without checking its shape. `named` is AIRANK_CONFIG; without it the first of `folders` that
 * has a file of that name.
 */
function readConfigFile(
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
  // An empty file, or one of comments only, is allowed.
  const value = parsed.value ?? {};
  if (!isObject(value)) {
    faults.push(faultText({ place: source, expected: 'a mapping of settings', got: shown(value) }));
    return { state: 'broken' };
  }
  return { state: 'read', file: { source, folder: dirname(path), data: value, lineOf: parsed.lineOf } };
}

function textOf(named: Variable | undefined, folders: readonly string[], readFile: ReadFile) {
  if (named === undefined) return findText(defaultConfigFile, folders, readFile);
  const path = resolve(named.base, named.text);
  return { label: named.text, path, ...readIfThere(path, readFile) };
}

type SettingOrigin = 'variable' | 'file' | 'default';

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
