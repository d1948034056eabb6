// The job files that `airank init` writes: those that come along, into the folder that the scheduler then reads.
import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
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
  const { folder, isSet } = folderOf(terminal);
  const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
  const files = jobs.map((job) => ({ name: `${job.name}.mjs`, text: jobFileText(job) }));
  return { folder: relative(terminal.cwd, folder), isSet, files };
}

/** Somebody has jobs of their own. */
export async function hasJobFiles(terminal: Terminal): Promise<boolean> {
  const names = await readdir(folderOf(terminal).folder).catch(() => []);
  return names.some(isJobFile);
}

function folderOf(terminal: Terminal): { readonly folder: string; readonly isSet: boolean } {
  const { jobsDir } = readSettings(terminal, { needAccounts: false }).config;
  return { folder: jobsDir ?? resolve(terminal.cwd, 'jobs'), isSet: jobsDir !== undefined };
}
