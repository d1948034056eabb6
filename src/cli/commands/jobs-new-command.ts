// airank jobs new: a job file to start from, with what each line means.

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { explainSettings } from '../../config/explain-settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { packageRoot } from '../../core/files.ts';
import type { Job } from '../../jobs/define-job.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { catalog } from '../../streams/catalog.ts';
import { readSettings } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { show, type Terminal } from '../terminal.ts';

/** Writes a job as the text of a job file. */
export function jobFileText(job: Job): string {
  return [
    '// A job of airank-warehouse. All that a job can say: docs/operating.md, "Jobs".',
    "import { defineJob } from 'airank-warehouse';",
    '',
    'export default defineJob({',
    ...Object.entries(job).map(([name, value]) => `  ${name}: ${literal(value)},`),
    '});',
    '',
  ].join('\n');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`);
  return `{ ${entries.join(', ')} }`;
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The job files that `airank init` writes: copies of the built-in ones, in the folder that the scheduler then reads. */
export interface InitJobs {
  /** Relative to the working folder. */
  readonly folder: string;
  /** True if AIRANK_JOBS_DIR names the folder already. */
  readonly isSet: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export async function initJobs(terminal: Terminal): Promise<InitJobs> {
  const { folder, isSet } = ownJobsFolder(terminal);
  const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
  const files = jobs.map((job) => ({ name: `${job.name}.mjs`, text: jobFileText(job) }));
  return { folder: relative(terminal.cwd, folder), isSet, files };
}

/** The folder for a user's own job files. In a clone, jobs/ holds those of the package. */
function ownJobsFolder(terminal: Terminal): { readonly folder: string; readonly isSet: boolean } {
  const { jobsDir } = readSettings(terminal, { needAccounts: false }).config;
  const { cwd } = terminal;
  const isClone = resolve(cwd) === resolve(packageRoot());
  const folder = jobsDir ?? (isClone ? join(cwd, 'config', 'jobs') : join(cwd, 'jobs'));
  return { folder, isSet: jobsDir !== undefined };
}

export const newCommand = defineCommand({
  about: 'write a job file to start from',
  args: [['<name>', 'name of the job: lower case letters, digits and dashes']],
  help: `
Writes NAME.mjs into AIRANK_JOBS_DIR, or into jobs/ where that is not set (in a
clone config/jobs/), and replaces nothing.

Example:
  $ airank jobs new products-at-noon`,
  async run({ terminal }, name) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
      throw new ConfigError([
        `Expected <name> to be lower case letters, digits and dashes, beginning with a letter, got "${name}"`,
      ]);
    }
    const { folder, isSet } = ownJobsFolder(terminal);
    const file = join(folder, `${name}.mjs`);
    if (isSet) await expectParent(folder);
    await writeNew(folder, file, jobText(name));
    const lines = [
      `Written: ${relative(terminal.cwd, file)}`,
      ...(isSet ? [] : [unsetText(terminal, folder)]),
      'Change it, then: airank jobs',
    ];
    show(terminal, lines.join('\n'));
  },
});

/** Says that the package's own jobs run until AIRANK_JOBS_DIR is set, and none of them after that. */
function unsetText({ env, cwd }: Terminal, folder: string): string {
  const path = relative(cwd, folder);
  const isKnown = explainSettings({ env, cwd }).some(({ from }) => from?.endsWith('in .env') === true);
  return `Set AIRANK_JOBS_DIR=${path}${isKnown ? ' in .env' : ''}: until then the built-in jobs run, and after that only those in ${path}/.`;
}

/** Makes no parent folder: the setting may be misspelt. */
async function expectParent(folder: string): Promise<void> {
  const parent = await stat(dirname(folder)).catch(() => undefined);
  if (parent?.isDirectory() !== true) {
    throw new ConfigError([
      `Expected AIRANK_JOBS_DIR to be in a folder that exists, got "${folder}". Create the folder first`,
    ]);
  }
}

async function writeNew(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new ConfigError([
      `${basename(folder)}/${basename(file)} already exists. Choose another name, or remove the file`,
    ]);
  });
}

function jobText(name: string): string {
  return `// A job of airank-warehouse. All that a job can say: docs/operating.md, "Jobs".
import { defineJob } from 'airank-warehouse';

export default defineJob({
  name: '${name}',
  description: 'Purpose of the job, shown by airank jobs.',

  // When: minute, hour, day of the month, month, day of the week; here every day at noon.
  // In AIRANK_TIMEZONE, or in a zone of its own: timeZone: 'Europe/Madrid'.
  // It first runs at the next such moment; also at once with beginAtOnce: true.
  schedule: '0 12 * * *',

  // What: streams by name, or by tag ({ tags: ['rank'] }); without this line all of them.
  streams: ['airank', 'visibility'],

  // For whom: clients by id, or by pattern ({ matching: 'acme-*' }); accounts by name.
  // clients: ['7'],
  // accounts: ['default'],

  // Fetch again what this run date already has; for jobs that run several times a day.
  // again: true,

  // After this many hours without success, status and webhooks report it.
  // deadlineHours: 30,
});
`;
}
