// A configuration read from files that exist only in the test.
import type { Config } from '../../src/config/config.ts';
import { type LoadOptions, loadConfig } from '../../src/config/load-config.ts';
import { ConfigError } from '../../src/core/errors.ts';

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

export type Extra = Partial<Pick<LoadOptions, 'needAccounts' | 'overrides' | 'knownStreams' | 'onNote'>>;

export function load(env: NodeJS.ProcessEnv, files: Files = {}, extra: Extra = {}): Config {
  return loadConfig({ env, cwd, readFile: readFrom(files), ...extra });
}

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
