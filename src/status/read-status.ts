// Reads what `airank status` shows as one value, and decides whether everything is fine.
import { countOpenAlerts } from '../alerts/store/list-alerts.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import { runDateIn } from '../core/run-date.ts';
import { plural } from '../core/text.ts';
import type { Executor } from '../db/database.ts';
import { type OpenBatch, readOpenBatches, readWorkers, type WorkerLine } from '../queue/queue-report.ts';
import { type BudgetState, readBudgets } from '../store/budget/budget-report.ts';
import { reserveOf } from '../store/budget/ledger.ts';
import { type FixedKeys, readAllFixedKeys } from '../store/pages/record-keys.ts';
import type { Stream } from '../streams/stream.ts';
import {
  type OpenWrites,
  readOpenWrites,
  readWriteUses,
  type WriteUse,
} from '../writes/store/list-writes.ts';
import {
  type AccountStatus,
  accountStatus,
  type BudgetStatus,
  generalProblem,
  type Problem,
  problemsOf,
  type StatusFacts,
  staleAfterDays,
} from './account-status.ts';
import { type BackupNote, readLastBackup } from './job-runs.ts';
import { readLostDates } from './missing-dates.ts';
import { readDaysOfARound, readOpenRuns } from './open-runs.ts';
import { type AccountScopes, readScopes } from './read-scopes.ts';
import {
  type BatchLine,
  type DriftStatus,
  readDrift,
  readIncompleteSlices,
  readIncrementalWalks,
  readLastBatches,
  readNewestDays,
  readStreamStatus,
  readViewFaults,
  type ViewFault,
} from './status-report.ts';
import { type Readiness, readReadiness } from './view-readiness.ts';

interface StatusInput {
  readonly config: Config;
  readonly streams: readonly Stream[];
  /** The tightest deadline that a job gives a stream; undefined: none does. */
  readonly deadlineHours: (stream: Stream, account: string) => number | undefined;
  readonly now: Date;
}

export async function readStatusFacts(
  db: Executor,
  input: Pick<StatusInput, 'streams' | 'deadlineHours'> & { readonly config: Pick<Config, 'accounts'> },
  today: string,
): Promise<StatusFacts> {
  const { config, streams, deadlineHours } = input;
  const states = streams.filter(({ shape }) => shape === 'state').map(({ name }) => name);
  const byName = new Map(streams.map((stream) => [stream.name, stream]));
  const published = readNewestDays(db);
  // If no account is configured, because a key is missing, the accounts with data are shown.
  const configured = config.accounts.map((account) => account.name);
  const accounts = configured.length > 0 ? configured : (await published).map((day) => day.account);
  const [days, runs, withinDays, ofStreams, incomplete, incrementalWalks, lost] = await Promise.all([
    published,
    readOpenRuns(db),
    readDaysOfARound(db, accounts),
    readStreamStatus(db),
    readIncompleteSlices(db),
    readIncrementalWalks(db),
    readLostDates(db, { accounts, states, today }),
  ]);
  const scopesOf = async (account: string): Promise<[string, AccountScopes]> => {
    const mayBeDays = (name: string) => {
      const stream = byName.get(name);
      const hours = stream === undefined ? undefined : deadlineHours(stream, account);
      const days = hours === undefined ? staleAfterDays : Math.ceil(hours / 24);
      return Math.max(days, withinDays.get(account) ?? 0);
    };
    return [account, await readScopes(db, { account, streams, today, mayBeDays, runs })];
  };
  const scopes = new Map(await Promise.all(accounts.map(scopesOf)));
  return { streams: ofStreams, days, incomplete, incrementalWalks, lost, scopes, runs, withinDays };
}

const lastBatches = 5;

export interface KeyedStream {
  readonly stream: string;
  /** Key of the list that was found in the answer; null: the API reference gives it, or there is none. */
  readonly list_key: string | null;
  /** Paths that identify a record; []: its content does; null: no record seen yet. */
  readonly record_key: FixedKeys['recordKey'] | null;
}

interface QueueStatus {
  readonly batches: readonly OpenBatch[];
  readonly workers: readonly WorkerLine[];
}

export interface StatusReport {
  readonly fine: boolean;
  readonly problems: readonly Problem[];
  readonly today: string;
  readonly accounts: readonly AccountStatus[];
  readonly batches: readonly BatchLine[];
  readonly queue: QueueStatus;
  readonly record_keys: readonly KeyedStream[];
  readonly drift: readonly DriftStatus[];
  readonly stale_views: readonly ViewFault[];
  /** Alerts on the figures of clients that last, and that nobody has seen. */
  readonly open_alerts: number;
  readonly writes: WritesStatus;
  readonly last_backup: BackupNote | null;
  /** Null: the schema is not up to date. */
  readonly views: Readiness | null;
}

interface WritesStatus {
  readonly open: readonly OpenWrites[];
  /** Use of the write limits, by accounts that have any. */
  readonly uses: readonly WriteUse[];
}

/** @param db undefined: there is no warehouse yet; one given by `atOnce` takes the fewest trips */
export async function readStatus(db: Executor | undefined, input: StatusInput): Promise<StatusReport> {
  const { config, now } = input;
  const today = runDateIn(config.timeZone, now);
  const [facts, budgets, rest] =
    db === undefined
      ? [{ streams: [], days: [], incomplete: [] }, new Map<string, BudgetStatus>(), nothingYet]
      : await Promise.all([readStatusFacts(db, input, today), budgetsOf(db, config), readRest(db, config)]);
  const names = new Set(
    [...config.accounts, ...facts.days].map((one) => ('name' in one ? one.name : one.account)),
  );
  const enabled = new Set(input.streams.map((stream) => stream.name));
  const accounts = [...names].map((account) =>
    accountStatus(account, facts, budgets.get(account) ?? null, today, enabled),
  );
  const nothing = accounts.every((account) => account.run_date === null);
  const problems = nothing
    ? [generalProblem('Nothing has been synced yet', 'airank sync')]
    : [...accounts.flatMap((account) => problemsOf(account, config.timeZone)), ...queueProblems(rest.queue)];
  return { fine: problems.length === 0, problems, today, accounts, ...rest };
}

type RestOfStatus = Omit<StatusReport, 'fine' | 'problems' | 'today' | 'accounts'>;

const nothingYet: RestOfStatus = {
  batches: [],
  queue: { batches: [], workers: [] },
  record_keys: [],
  drift: [],
  stale_views: [],
  open_alerts: 0,
  writes: { open: [], uses: [] },
  last_backup: null,
  views: null,
};

async function readRest(db: Executor, config: Config): Promise<RestOfStatus> {
  const [batches, open, workers, record_keys, drift, stale_views, open_alerts, writes, last_backup, views] =
    await Promise.all([
      readLastBatches(db, lastBatches),
      readOpenBatches(db),
      readWorkers(db),
      keyedStreams(db),
      readDrift(db),
      readViewFaults(db),
      countOpenAlerts(db),
      writesOf(db, config),
      readLastBackup(db),
      readReadiness(db),
    ]);
  const queue = { batches: open, workers };
  return { batches, queue, record_keys, drift, stale_views, open_alerts, writes, last_backup, views };
}

async function writesOf(db: Executor, config: Config): Promise<WritesStatus> {
  const open = await readOpenWrites(db);
  const accounts = [...new Set(open.map(({ account }) => account))];
  return { open, uses: await readWriteUses(db, accounts, config) };
}

async function budgetsOf(db: Executor, config: Config): Promise<Map<string, BudgetStatus>> {
  const states = await readBudgets(db, config.accounts, config);
  return new Map(
    config.accounts.flatMap((account) => {
      const budget = states.get(account.name);
      return budget === undefined ? [] : [[account.name, budgetStatus(account, budget, config)]];
    }),
  );
}

export function budgetStatus(account: AccountConfig, budget: BudgetState, config: Config): BudgetStatus {
  return {
    used_today: budget.usedToday,
    per_day: account.perDay,
    reserved_for_people: reserveOf(account),
    remaining_today: budget.remainingToday,
    renews_at: budget.renewsAt.toISOString(),
    renewal: budget.renewalLearnedAt !== undefined ? 'learned' : config.learnDayRenewal ? 'assumed' : 'set',
    closed_until: budget.closedUntil?.toISOString() ?? null,
  };
}

function queueProblems({ batches, workers }: QueueStatus): readonly Problem[] {
  const waiting = batches.reduce((sum, batch) => sum + (batch.oldest_due === null ? 0 : batch.waiting), 0);
  if (waiting === 0 || workers.some((worker) => worker.kinds.length > 0 && worker.state === 'working'))
    return [];
  const text = `${plural(waiting, 'account run')} ${waiting === 1 ? 'waits' : 'wait'} in the queue and no worker takes any: see airank jobs`;
  return [generalProblem(text, 'airank schedule')];
}

async function keyedStreams(db: Executor): Promise<KeyedStream[]> {
  return (await readAllFixedKeys(db)).map(({ stream, listKeys, recordKey }) => ({
    stream,
    list_key:
      listKeys.length === 0 ? null : listKeys.map((key) => (key === '' ? 'the body itself' : key)).join(', '),
    record_key: recordKey ?? null,
  }));
}
