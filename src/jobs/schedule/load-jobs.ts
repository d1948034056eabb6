// Reads the job files of a folder: one default export each, checked all at once.
import { readdir } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config } from '../../config/config.ts';
import { hintOf } from '../../config/nearest-name.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { packageRoot } from '../../core/files.ts';
import { isObject, valueAt } from '../../core/json.ts';
import { catalog, knownTags } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Job } from '../define-job.ts';
import { checkJob } from './job-shape.ts';

/** Since Node 22.15; `register` is deprecated where it is, and Node 26 warns of it. */
const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: object) => unknown };

/** Node strips types by itself: from 22.18 and 24 on. */
export const readsTypeScript = Boolean((process.features as { readonly typescript?: unknown }).typescript);

let hooked: Promise<void> | undefined;

/** Hooks imports for the whole process; calling it again changes nothing. */
async function hookJobFiles(): Promise<void> {
  hooked ??= hook();
  await hooked;
}

async function hook(): Promise<void> {
  const hooks = new URL('./job-file-hooks.mjs', import.meta.url).href;
  if (registerHooks === undefined) return nodeModule.register(hooks);
  const { resolve } = await import(hooks);
  registerHooks({ resolve });
}

type ImportedJob = { readonly value: unknown } | { readonly fault: string };

async function importJob(folder: string, name: string): Promise<ImportedJob> {
  try {
    const module: unknown = await import(pathToFileURL(join(folder, name)).href);
    return { value: valueAt(module, ['default']) };
  } catch (error) {
    const place = placeOf(error, dirname(folder)) ?? `${basename(folder)}/${name}`;
    const expected = 'Expected a module with a job as its default export';
    return { fault: `${place}: ${expected}, got an error: ${messageOf(error)}${importHint(error, name)}` };
  }
}

/**
 * Finds file and line in errors with which Node gives them: a syntax error, or an import that the other file
 * does not export.
 */
function placeOf(error: unknown, from: string): string | undefined {
  const [, url, line] = (error instanceof Error && /^(file:\S+):(\d+)\n/.exec(error.stack ?? '')) || [];
  return url === undefined ? undefined : `${relative(from, fileURLToPath(url))}:${line}`;
}

/** Goes by Node's error codes. A missing export has none: it may be a type. */
function importHint(error: unknown, name: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && !readsTypeScript) {
    return `. Node ${process.versions.node} cannot read TypeScript: use 22.18, 24 or newer, or write .mjs with types in comments, /** @type {import('airank-warehouse').Job} */`;
  }
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return '. Write an object instead of an enum, exports instead of a namespace';
  }
  const mayBeType = error instanceof SyntaxError && code === undefined && name.endsWith('ts');
  return mayBeType ? '. Import types by "import type"' : '';
}

function jobsFolder(): string {
  return join(packageRoot(), import.meta.url.endsWith('.ts') ? 'jobs' : 'dist/jobs');
}

interface KnownNames {
  /** Undefined streams or accounts are unknown here, so their names are not checked. */
  readonly streams: ReadonlySet<string> | undefined;
  readonly accounts: ReadonlySet<string> | undefined;
}

/** Loads the jobs of AIRANK_JOBS_DIR, or those of the package; every name in them must be known. */
export async function loadConfiguredJobs(
  config: Pick<Config, 'jobsDir' | 'accounts'>,
  streams: readonly Stream[],
): Promise<readonly Job[]> {
  const all = [...catalog, ...streams];
  const accounts = new Set(config.accounts.map((account) => account.name));
  return await loadJobs(config.jobsDir ?? jobsFolder(), {
    streams: new Set(all.map((stream) => stream.name)),
    // Without an account nothing can run, and names cannot be checked.
    accounts: accounts.size === 0 ? undefined : accounts,
  });
}

/** @throws ConfigError with every fault of every file */
export async function loadJobs(folder: string, known: KnownNames): Promise<readonly Job[]> {
  if (folder !== jobsFolder()) await hookJobFiles();
  const jobs: Job[] = [];
  const fileOf = new Map<string, string>();
  const faults: string[] = [];
  const files = await jobFiles(folder);
  if (files.length === 0) {
    const expected = 'to have at least one job (a .js, .mjs, .ts or .mts file)';
    faults.push(`Expected the folder of AIRANK_JOBS_DIR ${expected}, got none in "${folder}"`);
  }
  for (const name of files) {
    const file = `${basename(folder)}/${name}`;
    const read = await importJob(folder, name);
    if ('fault' in read) {
      faults.push(read.fault);
      continue;
    }
    const checked = checkJob(file, read.value);
    // Names are checked in a file with other faults too, so that all faults come at once.
    const given = isObject(read.value) ? read.value : {};
    faults.push(...checked.faults, ...unknownNames(file, given, known));
    if (checked.job !== undefined) jobs.push(checked.job);
    if (typeof given['name'] !== 'string') continue;
    const other = fileOf.get(given['name']);
    if (other === undefined) fileOf.set(given['name'], file);
    else {
      faults.push(
        `${file}: Expected each job to have another name, got "${given['name']}" here and in ${other}`,
      );
    }
  }
  // Several may import the same file.
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return jobs;
}

async function jobFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new ConfigError([
      `Expected AIRANK_JOBS_DIR to be a folder of job files, got "${folder}": ${messageOf(error)}`,
    ]);
  });
  return names.filter(isJobFile).sort();
}

function isJobFile(name: string): boolean {
  return /(?<!\.d)\.m?[jt]s$/.test(name);
}

function unknownNames(file: string, job: Readonly<Record<string, unknown>>, known: KnownNames): string[] {
  const check = (what: string, names: unknown, all: ReadonlySet<string>) =>
    (Array.isArray(names) ? names : [])
      .filter((name: unknown): name is string => typeof name === 'string' && name !== '' && !all.has(name))
      .map(
        (name) =>
          `${file}: Expected ${what} to be among ${[...all].join(', ')}, got "${name}"${hintOf(name, [...all])}`,
      );
  return [
    ...(known.streams === undefined ? [] : check('streams', job['streams'], known.streams)),
    ...check('streams.tags', valueAt(job, ['streams', 'tags']), new Set(knownTags)),
    ...(known.accounts === undefined ? [] : check('accounts', job['accounts'], known.accounts)),
  ];
}
