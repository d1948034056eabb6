// The logs of a job: paths whose last part may be a pattern.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { namePattern } from '../../core/name-pattern.ts';

export interface FoundLogs {
  /** The oldest name first, as rotated logs are named; each once. */
  readonly paths: readonly string[];
  /** Patterns that nothing fits, and paths that are not there. */
  readonly missing: readonly string[];
}

export async function findLogs(patterns: readonly string[], cwd: string): Promise<FoundLogs> {
  const paths = new Set<string>();
  const missing: string[] = [];
  for (const pattern of patterns) {
    const found = await filesOf(resolve(cwd, pattern));
    if (found.length === 0) missing.push(pattern);
    for (const path of found) paths.add(path);
  }
  return { paths: [...paths], missing };
}

/** `access.log.2` before `access.log.1` before `access.log`: what was rotated is older. */
async function filesOf(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const fits = namePattern(basename(pattern));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && fits(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}
