// A run: one execution of a job over its accounts, side by side, each under its own budget.
import type pg from 'pg';
import { createApiClient } from '../api/client.ts';
import { createGate } from '../api/gate.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import type { Ledger } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import { ConfigError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { RunDate } from '../core/run-date.ts';
import type { Stream } from '../streams/stream.ts';
import { readBudget } from '../warehouse/budget-report.ts';
import type { Executor } from '../warehouse/database.ts';
import { ensureStreams } from '../warehouse/migrate.ts';
import { startRun } from '../warehouse/runs.ts';
import { newestPublished } from '../warehouse/slices.ts';
import { type AccountResult, runAccount } from './account-run.ts';
import type { SyncListener } from './events.ts';
import type { WalkMode } from './plan.ts';
import { type AccountPlan, readAccountPlan } from './read-plan.ts';
import { refreshAfterRun } from './refresh-after-run.ts';
import { type RunSummary, runVerdict, summarizeAccount } from './summary.ts';

export interface SyncDeps {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
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
  /** Walk and publish again what this run date has already. */
  readonly again: boolean;
  /** `full`: archives are walked in full whatever the budget says. */
  readonly walk: WalkMode;
  readonly signal: AbortSignal;
}

/**
 * Brings one run date into the warehouse, as far as the budget goes.
 * @throws ConfigError when a newer run date is published already
 * @throws WarehouseError when the warehouse is gone
 */
export async function runSync(deps: SyncDeps, options: SyncOptions): Promise<RunSummary> {
  await refuseOlderDate(deps.db, options);
  await ensureStreams(deps.db, ['envelope', ...options.streams.map((stream) => stream.name)]);
  const startedAt = deps.clock.now();
  const plan = {
    streams: options.streams.map((stream) => stream.name),
    client_ids: options.clientIds ?? null,
    accounts: await readPlans(deps, options),
  };
  const run = await startRun(deps.pool, deps.db, { job: options.job, runDate: options.runDate, plan });
  const logger = deps.logger.child({ run_id: run.id });
  logger.info({ event: 'run.started', job: options.job, run_date: options.runDate });
  try {
    const accounts = await Promise.all(
      options.accounts.map(async (account) => {
        const { result, requests } = await runOneAccount({ ...deps, logger }, options, account, run.id);
        return summarizeAccount(result, { requests, ...(await readBudget(deps.db, account, deps.config)) });
      }),
    );
    const views = await refreshAfterRun(deps.db, deps.config.mapping, logger);
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
    await run.finish(summary.status, summary);
    logger.info({ event: 'run.finished', status: summary.status, exit_code: summary.exit_code });
    return summary;
  } catch (error) {
    // The warehouse may be what failed; the run is then found dead by its lock.
    await run.finish('failed', null).catch(() => undefined);
    throw error;
  }
}

/** What each account is expected to take, made before the first request. */
async function readPlans(deps: SyncDeps, options: SyncOptions): Promise<AccountPlan[]> {
  const plans: AccountPlan[] = [];
  for (const account of options.accounts) {
    const now = new Date(deps.clock.now());
    const { summary } = await readAccountPlan(deps.db, deps.config, account, options, now);
    plans.push(summary);
  }
  return plans;
}

async function runOneAccount(
  deps: SyncDeps,
  options: SyncOptions,
  account: AccountConfig,
  runId: number,
): Promise<{ result: AccountResult; requests: number }> {
  const { config, clock } = deps;
  const logger = deps.logger.child({ account: account.name });
  const gate = createGate({
    account: account.name,
    ledger: deps.ledger,
    clock,
    perMinute: account.perMinute,
    concurrency: config.http.concurrency,
    logger,
  });
  let requests = 0;
  const onRequest = () => {
    requests += 1;
    deps.emit({ kind: 'request', account: account.name, leftToday: gate.stats().leftToday });
  };
  const client = createApiClient({ account, http: config.http, gate, clock, logger, onRequest });
  try {
    const result = await runAccount({
      account,
      config,
      db: deps.db,
      client,
      clock,
      logger,
      runId,
      runDate: options.runDate,
      selected: options,
      walk: options.walk,
      leftToday: () => gate.stats().leftToday,
      again: options.again,
      signal: options.signal,
      emit: deps.emit,
    });
    return { result, requests };
  } finally {
    await gate.close();
    await client.close();
  }
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
