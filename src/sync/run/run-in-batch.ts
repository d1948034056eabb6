// The run of one account in a batch: planned from what is known when it begins, worked off, and written down.
import { createApiClient, type RequestInfo } from '../../api/client.ts';
import type { AccountConfig } from '../../config/config.ts';
import { readBudget } from '../../warehouse/budget/budget-report.ts';
import { startRun } from '../../warehouse/slices/runs.ts';
import { accountPlan } from '../plan/account-plan.ts';
import { type PlanFacts, readPlanFacts } from '../plan/plan-facts.ts';
import { createAccountGate } from './account-gate.ts';
import type { Patience } from './patience.ts';
import { type AccountResult, runAccount } from './run-account.ts';
import { type RunSummary, runVerdict, summarizeAccount, totalsOf } from './summary.ts';
import type { SyncDeps, SyncOptions } from './sync-options.ts';

export interface RunDeps extends SyncDeps {
  readonly patience: Patience;
}

/** @throws only what the account cannot survive, such as a lost warehouse */
export async function runInBatch(
  deps: RunDeps,
  options: SyncOptions,
  account: AccountConfig,
  batchId: number,
): Promise<RunSummary> {
  const { clock, config, db, pool, patience } = deps;
  const { job, runDate } = options;
  const outlast = <Result>(work: () => Promise<Result>) =>
    patience.outlast(work, options.stop ?? options.signal);
  const startedAt = clock.now();
  const facts = await outlast(() => readPlanFacts(db, config, account, options));
  const { summary: plan } = accountPlan(facts, config, account, options, new Date(startedAt));
  const run = await outlast(() => startRun(pool, db, { batchId, account: account.name, runDate, plan }));
  const logger = deps.logger.child({ account: account.name, run_id: run.id });
  logger.info({ event: 'run.started', job, run_date: runDate });
  try {
    const here = { ...deps, logger, facts };
    const { result, requests } = await walkAccount(here, options, account, run.id);
    const budget = await outlast(() => readBudget(db, account, config));
    const figures = summarizeAccount(result, { requests, ...budget });
    const verdict = runVerdict([figures]);
    const summary = { run_id: run.id, run_date: runDate, status: verdict.status, ...figures };
    await outlast(() => run.finish(verdict.status, summary));
    const times = {
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
    };
    const totals = totalsOf({ ...verdict, ...times, accounts: [figures] });
    logger.info({ event: 'run.finished', job, run_date: runDate, ...totals });
    return summary;
  } catch (error) {
    // The warehouse may be what failed; the run is then found dead by its lock.
    await run.finish('failed', null).catch(() => undefined);
    throw error;
  } finally {
    await run.release();
  }
}

async function walkAccount(
  deps: RunDeps & { readonly facts: PlanFacts },
  options: SyncOptions,
  account: AccountConfig,
  runId: number,
): Promise<{ result: AccountResult; requests: number }> {
  const { config, clock, logger } = deps;
  const shared = deps.gateOf?.(account);
  const gate = shared ?? createAccountGate(deps, account);
  let requests = 0;
  const onRequest = ({ status, unsent }: Pick<RequestInfo, 'status' | 'unsent'>) => {
    if (unsent) return;
    requests += 1;
    deps.emit({
      kind: 'request',
      account: account.name,
      status,
      remainingToday: gate.stats().remainingToday,
    });
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
      // Before the run's own first request, a shared gate may still report a day that is over.
      remainingToday: () => (requests === 0 ? undefined : gate.stats().remainingToday),
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
