// The job files that `airank init` writes: those that come along, into the folder that the scheduler then reads.
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';
import { count, plural } from '../../core/plural.ts';
import { isSyncJob } from '../../jobs/schedule/is-sync-job.ts';
import { isJobFile, loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { eatsTheDay, leastRequests, runsADay } from '../../jobs/schedule/plan-jobs.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { catalog } from '../../streams/catalog.ts';
import { jobFileText } from '../print/job-file-text.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';

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

/** A job that would take too much of each day, and why. */
export interface LeftOut {
  readonly file: string;
  readonly text: string;
}

/** @param count what is known of the clients of the account that is set up */
export async function leftOut(
  { config, streams }: Settings,
  { clients, isAll }: { readonly clients: number; readonly isAll: boolean },
): Promise<readonly LeftOut[]> {
  const [account] = config.accounts;
  if (account === undefined) return [];
  const wholeDay = account.perDay - reserveOf(account);
  const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
  return jobs.filter(isSyncJob).flatMap((job): LeftOut[] => {
    const requests = leastRequests(job, config, streams, clients);
    const runs = runsADay(job, new Date(), config.timeZone);
    if (!eatsTheDay(requests, runs, wholeDay)) return [];
    const takes = `${isAll ? '' : 'more than '}${count(requests * runs)} of the ${plural(wholeDay, 'request')} that jobs have on a day`;
    const whose = `with ${isAll ? '' : 'more than '}${plural(clients, 'client')}`;
    return [{ file: `${job.name}.mjs`, text: `Left out: ${job.name}, which would take ${takes}, ${whose}.` }];
  });
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
