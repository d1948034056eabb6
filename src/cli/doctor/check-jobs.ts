// Doctor on the job files: read as the scheduler reads them.
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { loadConfiguredJobs } from '../../schedule/load-jobs.ts';
import type { Settings } from '../setup/context.ts';
import type { Check } from './check.ts';

export async function checkJobs({
  config,
  streams,
}: Pick<Settings, 'config' | 'streams'>): Promise<readonly Check[]> {
  try {
    const jobs = await loadConfiguredJobs(config, streams);
    const where = config.jobsDir === undefined ? 'that come along' : `in ${config.jobsDir}`;
    const text = `${plural(jobs.length, 'job')} ${where}: ${jobs.map(({ name }) => name).join(', ')}`;
    return [{ area: 'settings', level: 'fine', text }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((text): Check => ({ area: 'settings', level: 'fault', text }));
  }
}
