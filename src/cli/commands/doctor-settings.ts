// Doctor: settings and jobs.
import { statSync } from 'node:fs';
import { proxyFor, proxyHost } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import {
  type ExplainedSetting,
  explainFiles,
  explainSecretFiles,
  explainSettings,
  type SecretFile,
} from '../../config/explain-settings.ts';
import { commonSettings } from '../../config/settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import type { Job } from '../../jobs/define-job.ts';
import { isSyncJob, resolveJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { planJobs } from '../../jobs/schedule/plan-jobs.ts';
import { readJobHistories } from '../../status/job-runs.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { readSettings, type Settings, type Terminal } from '../context.ts';
import { ofListedClients } from '../selection.ts';
import type { Check } from './doctor-check.ts';
import { hungryText } from './plan-text.ts';

/** Doctor on the settings: each with where it came from, and every fault of all of them. */
interface CheckedSettings {
  readonly checks: readonly Check[];
  /** Of these, settings that few people set and that have their defaults: JSON has them, the text only their number. */
  readonly untouched: readonly Check[];
  readonly explained: readonly ExplainedSetting[];
  /** Undefined: nothing else can be checked. Without accounts when only those are at fault. */
  readonly settings: Settings | undefined;
}

export function checkSettings(terminal: Terminal): CheckedSettings {
  const explained = explainSettings(terminal);
  const known = new Set(explained.flatMap((setting) => setting.faults));
  const notes = new Set<string>();
  const { settings, faults } = tryRead(terminal, true, notes);
  const usable = settings ?? tryRead(terminal, false, notes).settings;
  const checked = explained.map((one) => ({
    checks: checkSetting(one),
    isUntouched: one.from === 'default' && !commonSettings.includes(one.name),
  }));
  const others = faults.filter((fault) => !known.has(fault));
  return {
    checks: [
      { area: 'settings', level: 'fine', text: explainFiles(terminal) },
      ...checked.flatMap(({ checks }) => checks),
      ...[...notes].map((text): Check => ({ area: 'settings', level: 'warning', text })),
      ...(settings === undefined ? [] : checkKeys(settings.config)),
      ...explainSecretFiles(terminal).flatMap(checkReaders),
      ...others.map((text): Check => ({ area: 'settings', level: 'fault', text })),
    ],
    untouched: checked.flatMap(({ checks, isUntouched }) => (isUntouched ? checks : [])),
    explained,
    settings: usable,
  };
}

function tryRead(terminal: Terminal, needAccounts: boolean, notes: Set<string>) {
  try {
    const onNote = (note: string) => notes.add(note);
    return { settings: readSettings(terminal, { needAccounts, onNote }), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { settings: undefined, faults: error.faults };
  }
}

function checkSetting({ variable, from, shown, faults }: ExplainedSetting): Check[] {
  if (faults.length > 0) return faults.map((text) => ({ area: 'settings', level: 'fault', text }));
  if (from === undefined || shown === undefined) return [];
  const source = from === variable ? 'environment' : from.replace(`${variable} in `, '');
  return [{ area: 'settings', level: 'fine', label: variable, text: `${shown} (${source})` }];
}

function checkKeys({ accounts, http }: Config): Check[] {
  return accounts.map(({ name, apiKey, authHeader, baseUrl }) => {
    const proxy = proxyFor(baseUrl, http.proxy);
    const through = proxy === undefined ? '' : `, through the proxy ${proxyHost(proxy)} (HTTPS_PROXY)`;
    const key = `a key of ${plural(apiKey.reveal().length, 'character')}`;
    const text = `account ${name}: ${key}, sent to ${baseUrl.host} as ${authHeader}${through}`;
    return { area: 'settings', level: 'fine', text };
  });
}

function checkReaders({ path, holds }: SecretFile): Check[] {
  const mode = modeOf(path);
  if ((mode & 0o044) === 0) return [];
  const who = (mode & 0o004) === 0 ? 'its group' : 'everybody on this machine';
  const text = `${path} holds a secret (${holds}), and ${who} may read it (mode ${mode.toString(8)})`;
  return [{ area: 'settings', level: 'warning', text, fix: `chmod 600 ${path}` }];
}

/** Nothing where it cannot be told: on Windows, or of a file that cannot be reached, which is a fault of its own. */
function modeOf(path: string): number {
  try {
    return process.platform === 'win32' ? 0 : statSync(path).mode & 0o777;
  } catch {
    return 0;
  }
}

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
