// A configuration read from files that exist only in the test.
import type { Config, Limits } from '../../src/config/config.ts';
import { type LoadOptions, loadConfig } from '../../src/config/load-config.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { createLogger } from '../../src/core/logger.ts';

export type Files = Readonly<Record<string, string>>;

export const cwd = '/work/dir';
export const good = { AIRANK_BASE_URL: 'https://api.example.com', AIRANK_API_KEY: 'k-1234567890' };

/** Reads from `files`, by absolute path or by name below `cwd`. */
export function readFrom(files: Files): (path: string) => string {
  return (path) => {
    const text = files[path] ?? (path.startsWith(`${cwd}/`) ? files[path.slice(cwd.length + 1)] : undefined);
    if (text !== undefined) return text;
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
}

type Extra = Partial<Pick<LoadOptions, 'needAccounts' | 'overrides' | 'limits'>>;

export function load(env: NodeJS.ProcessEnv, files: Files = {}, extra: Extra = {}): Config {
  return loadConfig({ env, cwd, readFile: readFrom(files), ...extra });
}

/** As it is where nothing is set. */
export const unset = load({}, {}, { needAccounts: false });

/** An account that no server answers. */
export const nobody = { AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_API_KEY: 'test-key-123456' };

/** Limits that no test meets. */
export const unlimited = { AIRANK_PER_MINUTE: '1000000', AIRANK_PER_DAY: '1000000' };

/** An account each, named after its key. */
export function accountsConfig(
  url: string,
  keys: readonly string[],
  env: Readonly<Record<string, string>> = {},
  limits?: Partial<Limits>,
): Config {
  const variable = (name: string) => `KEY_${name.toUpperCase().replaceAll('-', '_')}`;
  const accounts = keys.map((name) => ({ name, api_key_env: variable(name) }));
  const named = Object.fromEntries(keys.map((name) => [variable(name), name]));
  return load(
    { AIRANK_BASE_URL: url, ...unlimited, ...named, ...env },
    { 'airank.config.yaml': JSON.stringify({ accounts }) },
    { limits },
  );
}

export const silent = createLogger({ level: 'silent', format: 'json', secrets: [], write: () => undefined });

/** The faults of a configuration; none when it loads. */
export function faultsOf(env: NodeJS.ProcessEnv, files: Files = {}, extra: Extra = {}): readonly string[] {
  try {
    load(env, files, extra);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

/** The faults of a file beside an environment that is sound. */
export function fileFaults(text: string, env: NodeJS.ProcessEnv = good): readonly string[] {
  return faultsOf(env, { 'airank.config.yaml': text });
}
