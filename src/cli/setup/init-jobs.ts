// The job files that `airank init` writes: those that come along, into the folder that the scheduler then reads.
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';
import { isJobFile, loadConfiguredJobs } from '../../schedule/load-jobs.ts';
import { catalog } from '../../streams/catalog.ts';
import { jobFileText } from '../print/job-file-text.ts';
import { readSettings, type Terminal } from './context.ts';

export interface InitJobs {
  /** Relative to the working folder. */
  readonly folder: string;
  /** AIRANK_JOBS_DIR names the folder already. */
  readonly isSet: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export async function initJobs(terminal: Terminal): Promise<InitJobs> {
  const { folder, isSet } = ownJobsFolder(terminal);
  const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
  const files = jobs.map((job) => ({ name: `${job.name}.mjs`, text: jobFileText(job) }));
  return { folder: relative(terminal.cwd, folder), isSet, files };
}

/** Somebody has jobs of their own. */
export async function hasJobFiles(terminal: Terminal): Promise<boolean> {
  const names = await readdir(ownJobsFolder(terminal).folder).catch(() => []);
  return names.some(isJobFile);
}

/** Where a job file of one's own goes. In a clone jobs/ holds those that come along, which are under version control. */
export function ownJobsFolder(terminal: Terminal): { readonly folder: string; readonly isSet: boolean } {
  const { jobsDir } = readSettings(terminal, { needAccounts: false }).config;
  const { cwd } = terminal;
  const isClone = resolve(cwd) === resolve(packageRoot());
  const folder = jobsDir ?? (isClone ? join(cwd, 'config', 'jobs') : join(cwd, 'jobs'));
  return { folder, isSet: jobsDir !== undefined };
}
