// The run of one account: planned from what is known at its beginning, worked off and recorded. Called for batches by
// hand (run.ts) and by workers (src/jobs/worker/).
import { setMaxListeners } from 'node:events';
import { createApiClient, type RequestInfo } from '../../api/client.ts';
import { otherDay } from '../../api/exchange.ts';
import { createAccountGate } from '../../api/gate/gate.ts';
import type { AccountConfig } from '../../config/config.ts';
import { linkSignals } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { readBudget } from '../../store/budget/budget-report.ts';
import { LostRunError, type RunPlace, startRun } from '../../store/slices/runs.ts';
import { accountPlan } from '../plan/forecast.ts';
import { type PlanFacts, readPlanFacts } from '../plan/plan-facts.ts';
import { AccountState } from './account-state.ts';
import { otherDayText, WrongDayError } from './day-watch.ts';
import { type RunSummary, runVerdict, summarizeAccount, totalsOf } from './summary.ts';
import type { RunEnds, RunQuestion, SyncDeps, SyncListener } from './sync-options.ts';
import { type AccountResult, walkAccount } from './walk-account.ts';

export interface RunDeps extends Omit<SyncDeps, 'pool'> {
  readonly retry: DatabaseRetry;
}

interface AccountWork {
  readonly account: AccountConfig;
  readonly question: RunQuestion;
  readonly place: RunPlace;
  readonly ends: RunEnds;
  /** Writes within the transaction that ends the run. */
  readonly atEnd?: (tx: Executor, summary: RunSummary) => Promise<void>;
}

/**
 * @throws only what ends the account's run, such as a lost warehouse
 * @throws LostRunError when others go on with the run
 */
export async function runAccount(deps: RunDeps, work: AccountWork): Promise<RunSummary> {
  const { clock, config, db, retry } = deps;
  const { account, question, place, ends, atEnd } = work;
  const { runDate } = question;
  const { stop } = ends;
  // Each waiting account and slice listens, and Node warns of a leak from the eleventh on.
  setMaxListeners(0, ends.signal, stop);
  const startedAt = clock.now();
  const { facts, run } = await retry(async () => {
    const facts = await readPlanFacts(db, config, account, question);
    const { summary: plan } = accountPlan(facts, config, account, question, new Date(startedAt));
    return { facts, run: await startRun(db, { ...place, account: account.name, runDate, plan }) };
  }, stop);
  const logger = deps.logger.child({ account: account.name, run_id: run.id });
  logger.debug({ event: 'run.started', run_date: runDate });
  try {
    const { result, requests } = await askAndWalk({ ...deps, logger }, work, { runId: run.id, facts });
    const summary = await retry(async () => {
      const figures = summarizeAccount(result, { requests, ...(await readBudget(db, account, config)) });
      const { status } = runVerdict([figures]);
      const whole = { run_id: run.id, run_date: runDate, status, ...figures };
      const end = async (tx: Executor) => {
        await run.finish(status, whole, tx);
        await atEnd?.(tx, whole);
      };
      await (atEnd === undefined ? end(db) : db.transaction().execute(end));
      return whole;
    }, stop);
    const times = {
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
    };
    const totals = totalsOf({ ...runVerdict([summary]), ...times, accounts: [summary] });
    logger.info({ event: 'run.finished', run_date: runDate, ...totals });
    return summary;
  } catch (error) {
    if (error instanceof LostRunError) throw error;
    // The queue resumes an account whose run was stopped, or whose warehouse was away.
    const goesOn = stop.aborted || error instanceof WarehouseError || isDisturbance(error);
    const status = place.isQueued === true && goesOn ? 'stopped' : 'failed';
    // The failure may be the warehouse's; then the lock of this process shows that the run is dead.
    await run.finish(status, null).catch(() => undefined);
    throw error;
  }
}

/** Fails the run of an account that cannot be asked at all, without a request, and says why. */
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

/** Opens the account's gate and client, and walks until all phases are done. */
async function askAndWalk(
  deps: RunDeps,
  { account, question, ends }: AccountWork,
  { runId, facts }: { readonly runId: number; readonly facts: PlanFacts },
): Promise<{ result: AccountResult; requests: number }> {
  const { config, clock, db, emit, logger, retry } = deps;
  const onFull = (until: Date, isAsked: boolean) =>
    emit({ kind: 'full', account: account.name, until, isAsked });
  const gate = createAccountGate({ ...deps, onFull }, account);
  let requests = 0;
  const onRequest = ({ status, unsent }: Pick<RequestInfo, 'status' | 'unsent'>) => {
    if (unsent) return;
    requests += 1;
    emit({ kind: 'request', account: account.name, status, remainingToday: gate.remainingToday() });
  };
  const day = linkSignals(ends.signal);
  let agrees = question.isOwnDate !== true;
  const onClock = (aheadMs: number) => {
    // The first answer decides, as later ones may come from another of the server's machines.
    if (agrees) return;
    const other = otherDay(aheadMs, clock.now(), config.timeZone);
    agrees = other === undefined;
    if (other === undefined) return;
    // It is aborted before its answer is reported.
    requests += 1;
    day.abort(new WrongDayError('clock', otherDayText(other, account.name)));
  };
  const client = createApiClient({ account, http: config.http, gate, clock, logger, onRequest, onClock });
  let progress: () => void = () => undefined;
  const listen: SyncListener = (event) => {
    if (event.kind === 'page') progress();
    emit(event);
  };
  const run = {
    ...{ account, config, db, clock, client, question, runId, values: config },
    ends: { ...ends, signal: day.signal },
    remainingToday: () => (requests === 0 ? undefined : gate.remainingToday()),
    state: new AccountState(account, listen, logger),
  };
  try {
    const walk = async (stored: () => void) => {
      progress = stored;
      return await walkAccount(run, facts);
    };
    return { result: await retry(walk, ends.stop), requests };
  } finally {
    day.release();
    await gate.close();
    await client.close();
  }
}
