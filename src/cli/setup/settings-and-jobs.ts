// Settings and job files together, so that the faults of both come at once.
import { resolve } from 'node:path';
import { explainSettings } from '../../config/explain-settings.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Job } from '../../jobs/define-job.ts';
import { loadConfiguredJobs, loadJobs } from '../../jobs/schedule/load-jobs.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';

/** @throws ConfigError with every fault of every setting and job file */
export async function readSettingsAndJobs(
  terminal: Terminal,
  options: { readonly needAccounts: boolean },
): Promise<{ settings: Settings; jobs: readonly Job[] }> {
  let settings: Settings;
  try {
    settings = readSettings(terminal, options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...error.faults, ...(await faultsOfJobs(terminal))]);
  }
  return { settings, jobs: await loadConfiguredJobs(settings.config, settings.streams) };
}

/** As far as the files can be checked without settings: names of streams and accounts are not checked. */
async function faultsOfJobs(terminal: Terminal): Promise<readonly string[]> {
  const folder = explainSettings(terminal).find((setting) => setting.name === 'jobsDir');
  if (folder?.shown === undefined || !folder.from?.startsWith(folder.variable)) return [];
  try {
    await loadJobs(resolve(terminal.cwd, folder.shown), { streams: undefined, accounts: undefined });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
