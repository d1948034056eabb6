// Does a job of the queue, by its kind and with the details from its batch.
import type pg from 'pg';
import * as z from 'zod';
import { type Clock, linkSignals } from '../../core/clock.ts';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import { tryLock } from '../../db/session-lock.ts';
import { isAway, isDisturbance } from '../../db/sqlstate.ts';
import { ensureStreams } from '../../install/migrate.ts';
import type { QueueJob } from '../../queue/engine.ts';
import {
  callWaiting,
  enqueueNext,
  mustYield,
  putBack,
  type QueuePayload,
  turnOf,
} from '../../queue/enqueue.ts';
import {
  endQueuedWork,
  type QueuedBatch,
  readQueuedBatch,
  type TakenBatch,
} from '../../queue/queued-batches.ts';
import { createLedgerOf } from '../../store/budget/ledger.ts';
import { findRenamedAccounts } from '../../store/renamed-accounts.ts';
import { BusyAccountError } from '../../store/slices/runs.ts';
import { watchDay } from '../../sync/run/day-watch.ts';
import { olderDateFault } from '../../sync/run/run.ts';
import { endWithoutRun, runAccount } from '../../sync/run/run-account.ts';
import type { RunSummary } from '../../sync/run/summary.ts';
import type { SyncListener } from '../../sync/run/sync-options.ts';
import type { OtherJob, SyncJob } from '../define-job.ts';
import { isSyncJob, jobOfBatch, resolveJob } from '../schedule/job-shape.ts';
import type { KindWork } from '../schedule/run-job.ts';
import { type CurrentSettings, settingsFault } from '../schedule/share-settings.ts';

export interface JobDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
  readonly current: () => CurrentSettings;
  readonly work: (warehouse: { readonly pool: pg.Pool; readonly db: Executor }) => KindWork;
  readonly onJobEnd?: () => void;
  /** A run that lasts longer ends at a page, and the rest is the next job. */
  readonly longestRunMs?: number;
}

/** Objects that last for one life of the worker. */
interface TakeDeps extends JobDeps {
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly workerId: number;
  /** One for all that the worker does, so that an outage is logged once. */
  readonly retry: DatabaseRetry;
}

interface JobSignals {
  readonly signal: AbortSignal;
  /** Once aborted, begins no slice, stores the pages in flight, and ends. */
  readonly stop: AbortSignal;
}

/**
 * Runs a job that does not sync.
 * @throws the signal's reason when it was stopped: another worker makes what is missing
 * @throws the error of a database that cannot work now
 */
async function takeOtherJob(
  db: Executor,
  batch: QueuedBatch,
  job: OtherJob,
  work: KindWork,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { missing, summary } = await work(job, batch.dueAt, signal);
    const status = missing === undefined ? 'complete' : 'failed';
    await endQueuedWork(db, batch.id, { status, summary: { missing, result: summary } });
  } catch (error) {
    signal.throwIfAborted();
    // Not the job's fault: the queue gives it to a worker again.
    if (isDisturbance(error)) throw error;
    await endQueuedWork(db, batch.id, { status: 'failed', summary: { missing: messageOf(error) } });
  }
}

const payloadShape = z.object({
  batch: z.int(),
  account: z.string(),
  attempt: z.int(),
  priority: z.int(),
});

/**
 * A job that fails this often for an unforeseen reason, or ends this many workers, fails for good: after half
 * an hour with the pauses of the queue, or about an hour with those of sync.free_worker.
 */
const mostTries = 8;

/** @throws if it could not be finished, so that the queue gives it to a worker again */
export async function takeJob(
  deps: TakeDeps,
  { id, kind, payload: given, tries }: QueueJob,
  signals: JobSignals,
): Promise<void> {
  const { db, logger, pool } = deps;
  const payload = payloadShape.parse(given);
  const turn = await tryLock(pool, turnOf(kind, payload.account));
  if (turn === undefined) return await putBack(db, kind, id, payload);
  let isPutBack = false;
  try {
    await doJob(deps, id, payload, signals);
  } catch (error) {
    if (error instanceof BusyAccountError) {
      isPutBack = true;
      return await putBack(db, kind, id, payload);
    }
    const { account, batch } = payload;
    logger.warn({ event: 'queue.job_aborted', batch_id: batch, account, tries, error: messageOf(error) });
    if (tries < mostTries || isPassing(error, signals)) throw error;
    const fault = `Failed ${tries} times before its run began: ${messageOf(error)}`;
    await endAsFailed(deps, payload, fault);
  } finally {
    await turn.release();
    // Jobs that are not called begin half a minute later at most.
    if (!isPutBack) await callWaiting(db, kind, payload.account).catch(() => undefined);
    deps.onJobEnd?.();
  }
}

async function doJob(deps: TakeDeps, id: string, payload: QueuePayload, signals: JobSignals): Promise<void> {
  const { db } = deps;
  signals.stop.throwIfAborted();
  const batch = await readQueuedBatch(db, id, payload);
  if (batch === undefined) return;
  const { deaths } = batch;
  if (deaths >= mostTries)
    return await endAsFailed(deps, payload, deathsText(payload.account, batch), deaths);
  const job = jobOfBatch(batch.id, batch.selection);
  if (!isSyncJob(job)) return await takeOtherJob(db, batch, job, deps.work(deps), signals.stop);
  await takeAccount(deps, batch, job, payload, signals);
}

function deathsText(account: string, { deaths, job }: TakenBatch): string {
  const byHand = account === '' ? `airank jobs run ${job}` : `airank sync --accounts ${account}`;
  return (
    `Its worker died ${deaths} times in a row, so it is not tried again before the job is due next. ` +
    `The logs of the machines say why, such as out of memory. To run it by hand: ${byHand}`
  );
}

/** A stop, a lost database and settings that differ are not the job's fault. */
function isPassing(error: unknown, { signal, stop }: JobSignals): boolean {
  return signal.aborted || stop.aborted || error instanceof WarehouseError || isAway(error);
}

/**
 * Ends the job as failed; the scheduler then treats it like every failure.
 * @throws if the database is away after all
 */
async function endAsFailed(
  { clock, current, db, workerId }: TakeDeps,
  { account, attempt, batch }: QueuePayload,
  fault: string,
  deaths?: number,
): Promise<void> {
  const counted = deaths === undefined ? {} : { deaths };
  if (account === '')
    return await endQueuedWork(db, batch, { status: 'failed', summary: { missing: fault, ...counted } });
  const runDate = runDateIn(current().config.timeZone, new Date(clock.now()));
  const place = { batchId: batch, workerId, attempt, isQueued: true };
  await endWithoutRun(db, { ...place, account, runDate, fault, ...counted });
}

/** Well below the four hours after which the library gives a job to another worker, even if it is worked on. */
const longestMs = 30 * 60_000;
/** Pause between checks whether a job of a higher priority waits for the run. */
const askMs = 2_000;
/** Waits this long for the day's renewal if a refusal does not say when that is. */
const unknownRenewalMs = 3_600_000;

/**
 * Runs the account to its end, to the end of its budget, or until it is stopped. The rest becomes a new job of the
 * queue, stored by the transaction that ends the run.
 * @throws LostRunError when others go on with it
 * @throws WarehouseError when the warehouse is gone, or the settings are not the scheduler's
 */
async function takeAccount(
  deps: TakeDeps,
  batch: QueuedBatch,
  job: SyncJob,
  payload: QueuePayload,
  { signal, stop }: JobSignals,
): Promise<void> {
  const { clock, db, retry } = deps;
  const { config, streams } = deps.current();
  const differ = await settingsFault(db, config);
  if (differ !== undefined) throw new WarehouseError(differ);
  const account = config.accounts.find(({ name }) => name === payload.account);
  if (account === undefined)
    return await endAsFailed(deps, payload, `Account ${payload.account} is no longer in the configuration`);
  const now = new Date(clock.now());
  const runDate = runDateIn(config.timeZone, now);
  const scope = resolveJob(job, config, streams);
  const fault = await retry(async () => {
    const [second] = await findRenamedAccounts(db, config, { asked: [account.name], now });
    await ensureStreams(db, ['envelope', ...scope.streams.map((stream) => stream.name)]);
    return second?.text ?? (await olderDateFault(db, account.name, runDate));
  }, stop);
  if (fault !== undefined) return await endAsFailed(deps, payload, fault);
  const givesWay = watchTurn(deps, payload, stop);
  const day = watchDay(clock, config.timeZone, signal);
  try {
    await runAccount(
      {
        ...deps,
        config,
        ledger: createLedgerOf(db, config),
        logger: deps.logger.child({ batch_id: batch.id, job: batch.job }),
      },
      {
        account,
        question: { ...scope, runDate, againSince: batch.dueAt ?? batch.startedAt, isOwnDate: true },
        place: { batchId: batch.id, workerId: deps.workerId, attempt: payload.attempt, isQueued: true },
        ends: { ...day, stop: givesWay.signal },
        atEnd: (tx, summary) => enqueueRest(tx, payload, summary, { clock, spreadMs: config.spreadMs }),
      },
    );
  } finally {
    givesWay.end();
    day.release();
  }
}

/** Adds to `stop` a stop when a job of a higher priority waits for the account, or its batch is cancelled. */
function watchTurn(
  { clock, db, logger, longestRunMs = longestMs }: TakeDeps,
  payload: QueuePayload,
  stop: AbortSignal,
): { readonly signal: AbortSignal; end(): void } {
  const outranked = linkSignals(stop);
  const ended = new AbortController();
  const endsMs = clock.now() + longestRunMs;
  const watch = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(askMs, ended.signal);
      const isLong = clock.now() >= endsMs;
      if (!isLong && !(await mustYield(db, payload).catch(() => false))) continue;
      logger.info({ event: isLong ? 'run.cut' : 'run.yielded', account: payload.account });
      outranked.abort(new Error('The rest of the account is the next job'));
      return;
    }
  };
  // Ends by the sleep that is aborted.
  watch().catch(() => undefined);
  return {
    signal: outranked.signal,
    end() {
      ended.abort();
      outranked.release();
    },
  };
}

async function enqueueRest(
  tx: Executor,
  payload: QueuePayload,
  { status, deferred_until: until }: RunSummary,
  { clock, spreadMs }: { readonly clock: Clock; readonly spreadMs: number },
): Promise<void> {
  if (status === 'stopped') return await enqueueNext(tx, payload, { at: undefined, spreadMs: 0 });
  if (status !== 'deferred') return;
  const at = until === null ? new Date(clock.now() + unknownRenewalMs) : new Date(until);
  await enqueueNext(tx, payload, { at, spreadMs });
}
