// A run: one execution of a job over its accounts, side by side, each under its own budget.
import type pg from 'pg';
import { createApiClient, type RequestInfo } from '../../api/client.ts';
import { createGate, type Gate } from '../../api/gate/gate.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Stream } from '../../streams/stream.ts';
import { readBudget } from '../../warehouse/budget/budget-report.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import { ensureStreams } from '../../warehouse/schema/migrate.ts';
import { startRun } from '../../warehouse/slices/runs.ts';
import { newestPublished } from '../../warehouse/slices/slices.ts';
import { type AccountPlan, accountPlan } from '../plan/account-plan.ts';
import type { WalkMode } from '../plan/plan.ts';
import { type PlanFacts, readPlanFacts } from '../plan/plan-facts.ts';
import type { SyncListener } from './events.ts';
import { createPatience, type Patience } from './patience.ts';
import { refreshAfterRun } from './refresh-after-run.ts';
import { type AccountResult, runAccount } from './run-account.ts';
import { type RunSummary, runVerdict, summarizeAccount, totalsOf } from './summary.ts';

export interface SyncDeps {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
  /** Gates that outlive the run, so that runs side by side on one account share its order of requests. */
  readonly gateOf?: (account: AccountConfig) => Gate;
}

export interface SyncOptions {
  /** Name of the job, or `sync` for one run by hand. */
  readonly job: string;
  readonly runDate: RunDate;
  readonly accounts: readonly AccountConfig[];
  readonly streams: readonly Stream[];
  /** The stream that lists an account's clients; undefined when it is switched off. */
  readonly clientsStream: Stream | undefined;
  /** Undefined: the account itself and every client. */
  readonly clientIds: readonly string[] | undefined;
  /** Of the known clients only those, and not the account itself. */
  readonly clientFits?: ((clientId: string) => boolean) | undefined;
  /** Walk and publish again what this run date has already. */
  readonly again: boolean;
  /** Of that, what was published since then is left alone: an attempt before this one has done it. */
  readonly againSince?: Date | undefined;
  /** Streams whose vanished records are gone, as somebody said. */
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  /** `full`: archives are walked in full whatever the budget says. */
  readonly walk: WalkMode;
  /** Places in the line for requests, before (negative) or behind others of the account. Default 0. */
  readonly placesBack?: number;
  /** The moment of the schedule that the run answers. */
  readonly dueAt?: Date | undefined;
  /** Ends the run at once; what is stored stays. */
  readonly signal: AbortSignal;
  /** Begins no slice any more, stores the pages in flight, and ends. */
  readonly stop?: AbortSignal;
}

/**
 * Brings one run date into the warehouse, as far as the budget goes.
 * @throws ConfigError when a newer run date is published already
 * @throws WarehouseError when the warehouse is gone
 */
export async function runSync(deps: SyncDeps, options: SyncOptions): Promise<RunSummary> {
  const { clock, logger: parent, config } = deps;
  const patience = createPatience({ clock, logger: parent, patienceMs: config.databasePatienceMs });
  const outlast = <Result>(work: () => Promise<Result>) =>
    patience.outlast(work, options.stop ?? options.signal);
  await outlast(() => refuseOlderDate(deps.db, options));
  const names = options.streams.map((stream) => stream.name);
  await outlast(() => ensureStreams(deps.db, ['envelope', ...names]));
  const startedAt = deps.clock.now();
  const plans = await outlast(() => readPlans(deps, options));
  const plan = {
    streams: names,
    client_ids: options.clientIds ?? null,
    walk: options.walk,
    accounts: plans.map(({ summary }) => summary),
  };
  const { job, runDate, dueAt } = options;
  const run = await outlast(() => startRun(deps.pool, deps.db, { job, runDate, plan, dueAt }));
  const logger = parent.child({ run_id: run.id });
  logger.info({ event: 'run.started', job: options.job, run_date: options.runDate });
  try {
    const accounts = await Promise.all(
      plans.map(async ({ account, facts }) => {
        const here = { ...deps, logger, patience, facts };
        const { result, requests } = await runOneAccount(here, options, account, run.id);
        const budget = await outlast(() => readBudget(deps.db, account, config));
        return summarizeAccount(result, { requests, ...budget });
      }),
    );
    // Whoever stops a run has no time for views; the next one sees to them.
    const isStopped = (options.stop ?? options.signal).aborted;
    const views = isStopped
      ? { drift: [], view_failures: [] }
      : await refreshAfterRun(deps.db, deps.config.mapping, logger);
    const summary: RunSummary = {
      run_id: run.id,
      job: options.job,
      run_date: options.runDate,
      ...runVerdict(accounts),
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(deps.clock.now()).toISOString(),
      accounts,
      ...views,
    };
    await outlast(() => run.finish(summary.status, summary));
    logger.info({ event: 'run.finished', job, run_date: runDate, ...totalsOf(summary) });
    return summary;
  } catch (error) {
    // The warehouse may be what failed; the run is then found dead by its lock.
    await run.finish('failed', null).catch(() => undefined);
    throw error;
  } finally {
    await run.release();
  }
}

interface Planned {
  readonly account: AccountConfig;
  readonly facts: PlanFacts;
  readonly summary: AccountPlan;
}

/** What each account is expected to take, made before the first request. */
async function readPlans({ db, config, clock }: SyncDeps, options: SyncOptions): Promise<Planned[]> {
  const plans: Planned[] = [];
  for (const account of options.accounts) {
    const facts = await readPlanFacts(db, config, account, options);
    const { summary } = accountPlan(facts, config, account, options, new Date(clock.now()));
    plans.push({ account, facts, summary });
  }
  return plans;
}

async function runOneAccount(
  deps: SyncDeps & { readonly patience: Patience; readonly facts: PlanFacts },
  options: SyncOptions,
  account: AccountConfig,
  runId: number,
): Promise<{ result: AccountResult; requests: number }> {
  const { config, clock } = deps;
  const logger = deps.logger.child({ account: account.name });
  const shared = deps.gateOf?.(account);
  const gate = shared ?? createAccountGate({ ...deps, logger }, account);
  let requests = 0;
  const onRequest = ({ status, unsent }: Pick<RequestInfo, 'status' | 'unsent'>) => {
    if (unsent) return;
    requests += 1;
    deps.emit({ kind: 'request', account: account.name, status, leftToday: gate.stats().leftToday });
  };
  const client = createApiClient({ account, http: config.http, gate, clock, logger, onRequest });
  try {
    const result = await runAccount({
      account,
      config,
      db: deps.db,
      patience: deps.patience,
      facts: deps.facts,
      client,
      clock,
      logger,
      runId,
      runDate: options.runDate,
      selected: options,
      walk: options.walk,
      // Before the run's own first request a shared gate may tell of a day that is over.
      leftToday: () => (requests === 0 ? undefined : gate.stats().leftToday),
      again: options.again,
      againSince: options.againSince,
      acceptVanished: options.acceptVanished ?? new Set(),
      placesBack: options.placesBack ?? 0,
      signal: options.signal,
      stop: options.stop ?? options.signal,
      emit: deps.emit,
    });
    return { result, requests };
  } finally {
    if (shared === undefined) await gate.close();
    await client.close();
  }
}

/** The order of an account's requests, under its share of the ledger. */
export function createAccountGate(
  deps: Pick<SyncDeps, 'config' | 'ledger' | 'clock' | 'logger'>,
  account: AccountConfig,
): Gate {
  return createGate({
    account: account.name,
    ledger: deps.ledger,
    clock: deps.clock,
    perMinute: account.perMinute,
    concurrency: deps.config.http.concurrency,
    logger: deps.logger,
  });
}

async function refuseOlderDate(db: Executor, options: SyncOptions): Promise<void> {
  const faults: string[] = [];
  for (const account of options.accounts) {
    const newest = await newestPublished(db, account.name);
    if (newest !== undefined && options.runDate < newest) {
      faults.push(
        `Expected --run-date to be ${newest} or later, the newest published date of account ${account.name}, ` +
          `got ${options.runDate}: the API shows today's data only, so an older date cannot be read any more`,
      );
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
}
