// The files that `airank init` writes, as texts first: what is there already is found out before anything is written.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { setInEnvText } from '../../config/env-text.ts';
import { writeWhole } from '../../core/write-whole.ts';
import type { InitJobs } from './init-jobs.ts';

export interface InitFile {
  /** A path from the working folder. */
  readonly name: string;
  readonly text: string;
  /** Its owner alone reads what may hold a key. */
  readonly mode: number;
  /** What of it is there already and would be another: a name, or the file itself. */
  readonly replaces: readonly string[];
}

export interface InitValues {
  readonly baseUrl: string;
  /** The key itself, or the file that it stays in. */
  readonly key: { readonly text: string } | { readonly file: string };
  readonly isYaml: boolean;
  /** Undefined: the jobs that come along stay as they are. */
  readonly jobs?: InitJobs;
}

/** @param cwd where they go */
export async function initFiles(cwd: string, values: InitValues): Promise<readonly InitFile[]> {
  const { baseUrl, key, isYaml, jobs } = values;
  const ofKey: Record<string, string> =
    'file' in key ? { AIRANK_API_KEY_FILE: key.file } : { AIRANK_API_KEY: key.text };
  const jobsDir = jobs === undefined || jobs.isSet ? undefined : jobs.folder;
  const env = isYaml
    ? ofKey
    : { AIRANK_BASE_URL: baseUrl, ...ofKey, ...(jobsDir !== undefined && { AIRANK_JOBS_DIR: jobsDir }) };
  const yaml = isYaml ? [await plainFile(cwd, 'airank.config.yaml', yamlText(baseUrl, jobsDir))] : [];
  const jobFiles = (jobs?.files ?? []).map(({ name, text }) =>
    plainFile(cwd, join(jobs?.folder ?? '', name), text),
  );
  return [await envFile(cwd, env), ...yaml, ...(await Promise.all(jobFiles))];
}

async function plainFile(cwd: string, name: string, text: string): Promise<InitFile> {
  const before = await textOf(join(cwd, name));
  return { name, text, mode: 0o644, replaces: before === undefined || before === text ? [] : [name] };
}

async function envFile(cwd: string, given: Readonly<Record<string, string>>): Promise<InitFile> {
  const before = await textOf(join(cwd, '.env'));
  const set = parseEnv(before ?? '');
  // What is set in another way beside it would win over it, or be a fault.
  const others = ['AIRANK_BASE_URL', 'AIRANK_API_KEY', 'AIRANK_API_KEY_FILE'];
  const unset = others.filter((name) => !(name in given) && (set[name] ?? '') !== '');
  const values = { ...given, ...Object.fromEntries(unset.map((name) => [name, ''])) };
  const replaces = Object.entries(values).flatMap(([name, value]) =>
    (set[name] ?? '') === '' || set[name] === value ? [] : [`${name} in .env`],
  );
  const text =
    before ??
    '# Settings of airank-warehouse; all of them: docs/configuration.md. Not for version control.\n';
  return { name: '.env', text: setInEnvText(text, values), mode: 0o600, replaces };
}

function yamlText(baseUrl: string, jobsDir: string | undefined): string {
  return [
    '# Settings of airank-warehouse; all of them: docs/configuration.md. Keys do not belong here, but in .env.',
    `base_url: ${JSON.stringify(baseUrl)}`,
    '# timezone: Europe/Madrid',
    '# per_minute: 60',
    ...(jobsDir === undefined ? [] : [`jobs_dir: ${JSON.stringify(jobsDir)}`]),
    '',
  ].join('\n');
}

export async function writeInitFile(cwd: string, { name, text, mode }: InitFile): Promise<void> {
  const path = join(cwd, name);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, [text], { mode });
}

async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
