// Doctor on the job files: read as the scheduler reads them.
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import type { Executor } from '../../db/database.ts';
import type { Job } from '../../jobs/define-job.ts';
import { isSyncJob } from '../../jobs/schedule/is-sync-job.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { planJobs } from '../../jobs/schedule/plan-jobs.ts';
import { resolveJob } from '../../jobs/schedule/resolve-job.ts';
import { readJobHistories } from '../../status/job-runs.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { hungryText } from '../print/print-plan-jobs.ts';
import type { Settings } from '../setup/context.ts';
import { ofListedClients } from '../setup/named-clients.ts';
import type { Check } from './check.ts';

/** @param db undefined: there is no warehouse that could tell of clients and requests */
export async function checkJobs(
  settings: Pick<Settings, 'config' | 'streams'>,
  db?: Executor,
): Promise<readonly Check[]> {
  const { config, streams } = settings;
  try {
    const jobs = await loadConfiguredJobs(config, streams);
    const where = config.jobsDir === undefined ? 'that come along' : `in ${config.jobsDir}`;
    const text = `${plural(jobs.length, 'job')} ${where}: ${jobs.map(({ name }) => name).join(', ')}`;
    const known = db === undefined ? [] : await checkKnown(db, settings, jobs);
    return [{ area: 'settings', level: 'fine', text }, ...known];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((text): Check => ({ area: 'settings', level: 'fault', text }));
  }
}

/** Jobs that would eat the day, and clients of theirs that no list has. */
async function checkKnown(
  db: Executor,
  { config, streams }: Pick<Settings, 'config' | 'streams'>,
  jobs: readonly Job[],
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const warn = (text: string, fix?: string) =>
    checks.push({ area: 'settings', level: 'warning', text, ...(fix !== undefined && { fix }) });
  for (const job of jobs.filter(isSyncJob)) {
    await ofListedClients(db, resolveJob(job, config, streams), { job: job.name }).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) warn(fault);
    });
  }
  const histories = await readJobHistories(
    db,
    jobs.map(({ name }) => name),
  );
  for (const account of config.accounts) {
    const plans = await planJobs({ db, config, streams, account, jobs, histories, now: new Date() });
    for (const plan of plans) {
      const hungry = hungryText(plan, account.perDay - reserveOf(account));
      if (hungry !== undefined) warn(`account ${account.name}: ${hungry.text}`, hungry.fix);
    }
  }
  return checks;
}
