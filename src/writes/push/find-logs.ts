// The logs of a job: paths whose last part may be a pattern.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { namePattern } from '../../core/text.ts';

export interface FoundLogs {
  /** The one written to longest ago first; each once. */
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

async function filesOf(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const fits = namePattern(basename(pattern));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isDirectory() && fits(entry.name)).map(({ name }) => name);
  const files = await Promise.all(names.map((name) => fileOf(join(folder, name))));
  return files
    .sort((a, b) => a.writtenMs - b.writtenMs || numbersLast(a.path, b.path))
    .map(({ path }) => path);
}

/** One that goes meanwhile is told when it is opened. */
async function fileOf(path: string): Promise<{ readonly path: string; readonly writtenMs: number }> {
  const facts = await stat(path).catch(() => undefined);
  return { path, writtenMs: facts?.mtimeMs ?? 0 };
}

/** `access.log.2` before `access.log.1`. */
function numbersLast(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}
