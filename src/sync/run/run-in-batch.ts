// The run of one account in a batch: planned from what is known when it begins, worked off, and written down.
import { setMaxListeners } from 'node:events';
import { createApiClient, type RequestInfo } from '../../api/client.ts';
import { otherDay } from '../../api/exchange.ts';
import { createAccountGate } from '../../api/gate/gate.ts';
import type { AccountConfig } from '../../config/config.ts';
import { linkSignals } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { readBudget } from '../../store/budget/budget-report.ts';
import { LostRunError, type RunPlace, startRun } from '../../store/slices/runs.ts';
import { accountPlan } from '../plan/forecast.ts';
import { type PlanFacts, readPlanFacts } from '../plan/plan-facts.ts';
import { otherDayText, WrongDayError } from './day-watch.ts';
import { type AccountResult, runAccount } from './run-account.ts';
import { type RunSummary, runVerdict, summarizeAccount, totalsOf } from './summary.ts';
import type { RunDeps, RunOptions } from './sync-options.ts';

/** Writes in the transaction that ends the run. */
type AtEnd = (tx: Executor, summary: RunSummary) => Promise<void>;

/**
 * @throws only what the account cannot survive, such as a lost warehouse
 * @throws LostRunError when others go on with the run
 */
export async function runInBatch(
  deps: RunDeps,
  options: RunOptions,
  account: AccountConfig,
  place: RunPlace,
  atEnd?: AtEnd,
): Promise<RunSummary> {
  const { clock, config, db, retry } = deps;
  const { job, runDate, signal, stop } = options;
  // Each account and slice that waits listens: Node would warn of a leak from the eleventh on.
  setMaxListeners(0, signal, stop);
  const withRetry = <Result>(work: () => Promise<Result>) => retry.run(work, stop);
  const startedAt = clock.now();
  const facts = await withRetry(() => readPlanFacts(db, config, account, options));
  const { summary: plan } = accountPlan(facts, config, account, options, new Date(startedAt));
  const run = await withRetry(() => startRun(db, { ...place, account: account.name, runDate, plan }));
  const logger = deps.logger.child({ account: account.name, run_id: run.id });
  logger.debug({ event: 'run.started', job, run_date: runDate });
  try {
    const here = { ...deps, logger, facts };
    const { result, requests } = await walkAccount(here, options, account, run.id);
    const budget = await withRetry(() => readBudget(db, account, config));
    const figures = summarizeAccount(result, { requests, ...budget });
    const verdict = runVerdict([figures]);
    const summary = { run_id: run.id, run_date: runDate, status: verdict.status, ...figures };
    const end = async (tx: Executor) => {
      await run.finish(verdict.status, summary, tx);
      await atEnd?.(tx, summary);
    };
    await withRetry(() => (atEnd === undefined ? end(db) : db.transaction().execute(end)));
    const times = {
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
    };
    const totals = totalsOf({ ...verdict, ...times, accounts: [figures] });
    logger.info({ event: 'run.finished', job, run_date: runDate, ...totals });
    return summary;
  } catch (error) {
    if (error instanceof LostRunError) throw error;
    // The queue goes on with an account whose run was stopped, or whose warehouse was away.
    const goesOn = stop.aborted || error instanceof WarehouseError || isDisturbance(error);
    const status = place.isQueued === true && goesOn ? 'stopped' : 'failed';
    // The warehouse may be what failed; the run is then found dead by the lock of its process.
    await run.finish(status, null).catch(() => undefined);
    throw error;
  }
}

/** An account that cannot be asked at all: its run fails without a request, and says why. */
export async function endWithoutRun(
  db: Executor,
  {
    fault,
    deaths,
    ...place
  }: RunPlace & {
    readonly account: string;
    readonly runDate: RunDate;
    readonly fault: string;
    readonly deaths?: number;
  },
): Promise<void> {
  const { account, runDate } = place;
  const nothing = { account, outcomes: [], warnings: [], ended: fault, deferredUntil: undefined };
  const run = await startRun(db, { ...place, plan: null });
  const figures = summarizeAccount(nothing, { requests: 0, usedToday: 0, remainingToday: 0 });
  const counted = deaths === undefined ? {} : { deaths };
  const summary: RunSummary = { run_id: run.id, run_date: runDate, status: 'failed', ...figures, ...counted };
  await run.finish('failed', summary);
}

async function walkAccount(
  deps: RunDeps & { readonly facts: PlanFacts },
  options: RunOptions,
  account: AccountConfig,
  runId: number,
): Promise<{ result: AccountResult; requests: number }> {
  const { config, clock, logger } = deps;
  const onFull = (until: Date, isAsked: boolean) =>
    deps.emit({ kind: 'full', account: account.name, until, isAsked });
  const gate = createAccountGate({ ...deps, onFull }, account);
  let requests = 0;
  const onRequest = ({ status, unsent }: Pick<RequestInfo, 'status' | 'unsent'>) => {
    if (unsent) return;
    requests += 1;
    deps.emit({
      kind: 'request',
      account: account.name,
      status,
      remainingToday: gate.remainingToday(),
    });
  };
  const day = linkSignals(options.signal);
  let agrees = options.isOwnDate !== true;
  const onClock = (aheadMs: number) => {
    // The first answer decides: later ones may come from another of the server's machines.
    if (agrees) return;
    const other = otherDay(aheadMs, clock.now(), config.timeZone);
    agrees = other === undefined;
    if (other === undefined) return;
    // It is broken off before its answer is reported.
    requests += 1;
    day.abort(new WrongDayError('clock', otherDayText(other, account.name)));
  };
  const client = createApiClient({ account, http: config.http, gate, clock, logger, onRequest, onClock });
  try {
    const remainingToday = () => (requests === 0 ? undefined : gate.remainingToday());
    const { signal } = day;
    const input = { ...deps, ...options, signal, account, client, runId, remainingToday };
    return { result: await runAccount(input), requests };
  } finally {
    day.release();
    await gate.close();
    await client.close();
  }
}
