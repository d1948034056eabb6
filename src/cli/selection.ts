// The streams, clients, accounts and run date that flags choose, by configuration, job files and warehouse.

import { readClientNames } from '../alerts/store/notes.ts';
import { type NamedClient, namedClient } from '../config/names.ts';
import { didYouMean, hintOf } from '../config/nearest-name.ts';
import { ConfigError } from '../core/errors.ts';
import { atOnce, type Executor } from '../db/database.ts';
import { accountsThatForgot } from '../forget/block-client.ts';
import type { SyncJob } from '../jobs/define-job.ts';
import { isSyncJob, resolveJob } from '../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../jobs/schedule/load-jobs.ts';
import type { Stream } from '../streams/stream.ts';
import { readListedClients } from '../sync/plan/plan-facts.ts';
import type { SyncOptions } from '../sync/run/sync-options.ts';
import { readSettings, type Settings } from './context.ts';
import type { FlagsOf } from './define-command.ts';
import { runDateFlag } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** --account and --client: whose data a command is about, by what the warehouse knows. */
export interface ClientFlags {
  readonly account?: string;
  readonly client?: string;
}

interface ChosenClient {
  readonly account: string;
  /** '': the account itself. */
  readonly clientId: string;
}

/**
 * A client is named as everywhere (`namedClient`). Without --client: the account itself.
 * @throws ConfigError when there is none, or several
 */
export function chooseClient(flags: ClientFlags, known: readonly NamedClient[]): ChosenClient {
  const account = chooseAccount(flags.account, known);
  const those = known.filter((one) => account === undefined || one.account === account);
  if (flags.client === undefined) {
    const accounts = [...new Set(those.map((one) => one.account))];
    const [only, another] = accounts;
    if (only !== undefined && another === undefined) return { account: only, clientId: '' };
    throw new ConfigError([
      only === undefined
        ? 'No account has data yet. Run: airank sync'
        : `Expected --account to be one of ${accounts.join(', ')}, got nothing`,
    ]);
  }
  const { client } = flags;
  const { account: of, clientId } = namedClient(
    those,
    client,
    '--client to be the identifier or name of a client',
  );
  return { account: of, clientId };
}

/** Undefined: not given. @throws ConfigError when nothing is known of it */
export function chooseAccount(flag: string | undefined, known: readonly NamedClient[]): string | undefined {
  const accounts = [...new Set(known.map((one) => one.account))];
  if (flag === undefined || accounts.includes(flag)) return flag;
  const hint = didYouMean(flag, accounts) ?? `Known: ${accounts.join(', ') || 'none yet'}.`;
  throw new ConfigError([`Expected --account to name an account with data, got "${flag}". ${hint}`]);
}

/** @throws ConfigError with every client that no account has */
function readNamedClients(
  given: readonly string[],
  known: readonly NamedClient[],
  expected = '--clients to be identifiers or names of clients',
): readonly NamedClient[] {
  const faults: string[] = [];
  const found = given.flatMap((text) => {
    try {
      return withName(known, text, expected);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return found;
}

/** An identifier stands for that client in every account that has it. @throws ConfigError where there is none */
export function withName(
  known: readonly NamedClient[],
  text: string,
  expected: string,
): readonly NamedClient[] {
  const those = text === '' ? [] : known.filter(({ clientId }) => clientId === text);
  return those.length > 0 ? those : [namedClient(known, text, expected)];
}

/**
 * Selects what to sync before `ofListedClients` can answer: client lists of accounts that have none yet.
 * Undefined: nothing to sync.
 */
export async function missingLists(
  db: Executor,
  { accounts, clientsStream: stream, clientIds }: Selection,
): Promise<Pick<Selection, 'accounts' | 'streams' | 'clientIds' | 'clientFits'> | undefined> {
  if (clientIds === undefined || stream === undefined) return undefined;
  const lists = await atOnce(db, (one) =>
    Promise.all(accounts.map(({ name }) => readListedClients(one, name, stream))),
  );
  const unlisted = accounts.filter((_, index) => lists[index] === undefined);
  if (unlisted.length === 0) return undefined;
  return { accounts: unlisted, streams: [stream], clientIds: undefined, clientFits: undefined };
}

/**
 * Narrows named clients to those that the newest list of each account has. Where an account has no list, or
 * the stream of lists is switched off, names are taken as they are written. A job names clients by identifier
 * only.
 * @throws ConfigError with every name that is on no list
 */
export async function ofListedClients<
  Some extends Pick<Selection, 'accounts' | 'clientsStream' | 'clientIds' | 'clientFits'>,
>(db: Executor, selection: Some, { clients, job }: Pick<SelectionFlags, 'clients' | 'job'>): Promise<Some> {
  const { accounts, clientsStream: stream, clientIds } = selection;
  if (clientIds === undefined || stream === undefined) return selection;
  const isOfJob = clients === undefined;
  const [clientNames, ...lists] = await atOnce(db, (one) =>
    Promise.all([
      readClientNames(one),
      ...accounts.map(async ({ name: account }) => ({
        account,
        listed: await readListedClients(one, account, stream),
      })),
    ]),
  );
  const names = new Map(clientNames.map(({ account, clientId, name }) => [keyOf(account, clientId), name]));
  const known: NamedClient[] = [];
  const dates = new Set<string>();
  for (const { account, listed } of lists) {
    if (listed === undefined) return selection;
    dates.add(listed.runDate);
    known.push(
      ...listed.ids.map((clientId) => ({
        account,
        clientId,
        name: (isOfJob ? undefined : names.get(keyOf(account, clientId))) ?? clientId,
      })),
    );
  }
  try {
    const expected = isOfJob ? `clients of job ${job} to be identifiers of clients` : undefined;
    const found = readNamedClients(clientIds, known, expected);
    const keys = new Set(found.map(({ account, clientId }) => keyOf(account, clientId)));
    return {
      ...selection,
      clientIds: [...new Set(found.map(({ clientId }) => clientId))],
      clientFits: (clientId, account) => keys.has(keyOf(account, clientId)),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const forgotten = await accountsThatForgot(db, clientIds);
    throw new ConfigError([
      ...error.faults,
      ...forgotten.map(
        ({ account, clientId }) =>
          `Client "${clientId}" of account ${account} was deleted by airank forget, whose --help says how to let it back in`,
      ),
      `The list of clients is from ${[...dates].sort().join(', ')}. To see clients that joined since, run: airank sync --streams ${stream.name}`,
    ]);
  }
}

function keyOf(account: string, clientId: string): string {
  return JSON.stringify([account, clientId]);
}

export type SelectionFlags = FlagsOf<typeof selectionFlags> & { readonly again?: boolean };

type Selection = Pick<
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
  '--job <name>': 'the streams, clients and accounts of this job, fetched as it does',
  '--streams <names>': 'only these streams, separated by commas',
  '--clients <ids>': 'only these clients, by id or name, separated by commas (a comma in one: \\,)',
  '--accounts <names>': 'only these accounts, separated by commas',
  '--walk <kind>': {
    about: 'full: every page of archives; auto: incrementally if the budget needs it',
    choices: ['full', 'auto'],
  },
  '--run-date <date>': 'YYYY-MM-DD (default: today in AIRANK_TIMEZONE)',
} as const;

/** @throws ConfigError with every fault of every flag */
export async function readSelection(
  flags: SelectionFlags,
  settings: Pick<Settings, 'config' | 'streams'>,
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
  const runDate = runDateFlag(flags.runDate, config.timeZone, new Date(), faults);
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
 * Checks the flags that need no account, so that a wrong flag is reported before a missing key.
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
  const names = jobs.map((candidate) => candidate.name);
  if (job === undefined) {
    faults.push(`Expected --job to be one of ${names.join(', ')}, got "${name}"${hintOf(name, names)}`);
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
    const hints = unknown.map((name) => hintOf(name, known)).join('');
    faults.push(`Expected ${flag} to be among ${known.join(', ')}; got "${unknown.join('", "')}"${hints}`);
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
