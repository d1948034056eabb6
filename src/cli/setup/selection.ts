// The flags that say what to sync, shared by sync and plan. Checked all at once.

import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import type { SyncJob } from '../../jobs/define-job.ts';
import { isSyncJob, resolveJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import type { Stream } from '../../streams/stream.ts';
import type { WalkMode } from '../../sync/plan/plan.ts';
import type { SyncOptions } from '../../sync/run/sync-options.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';
import { runDateFlag } from './flags.ts';

export interface SelectionFlags {
  readonly job?: string;
  readonly streams?: string;
  readonly clients?: string;
  readonly accounts?: string;
  readonly runDate?: string;
  readonly walk?: WalkMode;
  readonly again?: boolean;
}

export type Selection = Pick<
  SyncOptions,
  | 'job'
  | 'runDate'
  | 'isOwnDate'
  | 'accounts'
  | 'streams'
  | 'clientsStream'
  | 'clientIds'
  | 'clientFits'
  | 'walk'
  | 'again'
>;

export const selectionFlags = {
  '--job <name>': 'what a job of jobs/ syncs: its streams, clients, accounts and walk',
  '--streams <names>': 'only these streams, separated by commas',
  '--clients <ids>': 'only these clients, by id or name, separated by commas (a comma in one: \\,)',
  '--accounts <names>': 'only these accounts, separated by commas',
  '--walk <kind>': {
    about: 'full: every page of archives; auto: from the head where the budget asks for it',
    choices: ['full', 'auto'],
  },
  '--run-date <date>': 'YYYY-MM-DD (default: today in AIRANK_TIMEZONE)',
} as const;

/** @throws ConfigError with every fault of every flag */
export async function readSelection(
  flags: SelectionFlags,
  settings: Pick<Settings, 'config' | 'streams'>,
  now = new Date(),
): Promise<Selection> {
  const { config, streams } = settings;
  const faults: string[] = [];
  const job = await readJob(flags.job, settings, faults);
  const scope = job === undefined ? undefined : resolveJob(job, config, streams);
  const chosen = choose('--streams', list(flags.streams), streams, scope?.streams ?? streams, faults);
  const accounts = choose(
    '--accounts',
    list(flags.accounts),
    config.accounts,
    scope?.accounts ?? config.accounts,
    faults,
  );
  const clientIds = list(flags.clients) ?? scope?.clientIds;
  if (clientIds?.length === 0) faults.push('Expected --clients to name at least one client, got none');
  const runDate = runDateFlag(flags.runDate, config.timeZone, now, faults);
  if (faults.length > 0 || runDate === undefined) throw new ConfigError(faults);
  const isWhole = [flags.streams, flags.clients, flags.accounts, flags.runDate, flags.walk].every(
    (flag) => flag === undefined,
  );
  return {
    // A part of a job does not count as a run of the job: the scheduler would take it for a success.
    job: job !== undefined && isWhole ? job.name : 'sync',
    runDate,
    isOwnDate: flags.runDate === undefined,
    accounts,
    streams: chosen,
    clientsStream: streams.find((stream) => stream.name === 'clientes'),
    clientIds,
    clientFits: flags.clients === undefined ? scope?.clientFits : undefined,
    walk: flags.walk ?? scope?.walk ?? 'auto',
    again: flags.again === true || scope?.again === true,
  };
}

/**
 * Judges what needs no account, so that a wrong flag is said before a key that is missing.
 * @throws ConfigError with every fault of those flags
 */
export async function judgeFlags(terminal: Terminal, flags: SelectionFlags): Promise<Settings> {
  const { accounts: _accounts, job: _job, ...others } = flags;
  const settings = readSettings(terminal, { needAccounts: false });
  await readSelection(others, settings);
  return settings;
}

async function readJob(
  name: string | undefined,
  settings: Pick<Settings, 'config' | 'streams'>,
  faults: string[],
): Promise<SyncJob | undefined> {
  if (name === undefined) return undefined;
  const all = await loadConfiguredJobs(settings.config, settings.streams);
  const jobs = all.filter(isSyncJob);
  const job = jobs.find((candidate) => candidate.name === name);
  if (job === undefined) {
    faults.push(
      `Expected --job to be one of ${jobs.map((candidate) => candidate.name).join(', ')}, got "${name}"`,
    );
  }
  return job;
}

/**
 * The streams that a flag names; none without the flag.
 * @throws ConfigError when it names none, or one that is not there
 */
export function readStreamNames(
  flag: string,
  text: string | undefined,
  streams: readonly Stream[],
): ReadonlySet<string> {
  const faults: string[] = [];
  const chosen = choose(flag, list(text), streams, [], faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return new Set(chosen.map((stream) => stream.name));
}

function choose<Named extends { readonly name: string }>(
  flag: string,
  names: readonly string[] | undefined,
  all: readonly Named[],
  otherwise: readonly Named[],
  faults: string[],
): readonly Named[] {
  if (names === undefined) return otherwise;
  if (names.length === 0) faults.push(`Expected ${flag} to hold at least one name, got none`);
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = all.map((one) => one.name);
    const hints = unknown.flatMap((name) => didYouMean(name, known) ?? []);
    const hint = hints.length === 0 ? '' : `. ${hints.join(' ')}`;
    faults.push(`Expected ${flag} to be among ${known.join(', ')}; got "${unknown.join('", "')}"${hint}`);
  }
  return all.filter((one) => names.includes(one.name));
}

/** `a,b\,c` as ["a", "b,c"]; undefined stays undefined. */
export function list(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');
}
