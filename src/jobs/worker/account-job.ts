// One account of a batch of the queue: its run, and what the queue holds for it afterwards.
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { type Clock, linkSignals } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import { ensureStreams } from '../../install/migrate.ts';
import { enqueueNext, mustYield, type QueuePayload } from '../../queue/enqueue.ts';
import type { QueuedBatch } from '../../queue/queued-batches.ts';
import { createLedgerOf } from '../../store/budget/ledger.ts';
import { findRenamedAccounts } from '../../store/renamed-accounts.ts';
import type { Stream } from '../../streams/stream.ts';
import { watchDay } from '../../sync/run/day-watch.ts';
import { olderDateFault } from '../../sync/run/run.ts';
import { endWithoutRun, runInBatch } from '../../sync/run/run-in-batch.ts';
import type { RunSummary } from '../../sync/run/summary.ts';
import type { SyncListener } from '../../sync/run/sync-options.ts';
import type { SyncJob } from '../define-job.ts';
import { resolveJob } from '../schedule/job-shape.ts';
import type { KindWork } from '../schedule/run-job.ts';
import type { CurrentSettings } from '../schedule/share-settings.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: SyncListener;
}

/** Objects that last for one life of the worker. */
export interface LifeDeps extends WorkerDeps {
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly workerId: number;
  /** One for all that the worker does, so that an outage is logged once. */
  readonly retry: DatabaseRetry;
}

export interface JobDeps {
  readonly current: () => CurrentSettings;
  readonly work: (warehouse: { readonly pool: pg.Pool; readonly db: Executor }) => KindWork;
  readonly onJobEnd?: () => void;
  /** A run that lasts longer ends at a page, and the rest is the next job. */
  readonly longestRunMs?: number;
}

interface AccountJobDeps extends LifeDeps, Pick<JobDeps, 'longestRunMs'> {
  readonly config: Config;
  readonly streams: readonly Stream[];
}

export interface AccountJobSignals {
  readonly signal: AbortSignal;
  /** Begins no slice, stores the pages in flight, and ends. */
  readonly stop: AbortSignal;
}

/** Well below the four hours after which the library gives a job to another worker, whoever works on it. */
const longestMs = 30 * 60_000;
/** How often a run asks whether a job of a higher priority waits for it. */
const askMs = 2_000;
/** Waits this long for the day's renewal if a refusal does not say when that is. */
const unknownRenewalMs = 3_600_000;

/**
 * Runs the account to its end, to the end of its budget, or until it is stopped. What is left is a new job of the queue,
 * stored by the transaction that ends the run.
 * @throws LostRunError when others go on with it
 * @throws WarehouseError when the warehouse is gone
 */
export async function runAccountJob(
  deps: AccountJobDeps,
  batch: QueuedBatch,
  job: SyncJob,
  payload: QueuePayload,
  { signal, stop }: AccountJobSignals,
): Promise<void> {
  const { clock, config, db, logger, retry } = deps;
  const runDate = runDateIn(config.timeZone, new Date(clock.now()));
  const place = { batchId: batch.id, workerId: deps.workerId, attempt: payload.attempt, isQueued: true };
  const account = config.accounts.find(({ name }) => name === payload.account);
  const fault =
    account === undefined
      ? `Account ${payload.account} is not in the configuration any more`
      : await retry.run(() => faultOf(deps, account.name, runDate), stop);
  if (account === undefined || fault !== undefined) {
    return await endWithoutRun(db, { ...place, account: payload.account, runDate, fault: fault ?? '' });
  }
  const scope = resolveJob(job, config, deps.streams);
  await retry.run(() => ensureStreams(db, ['envelope', ...scope.streams.map((stream) => stream.name)]), stop);
  const givesWay = watchTurn(deps, payload, stop);
  const day = watchDay(clock, config.timeZone, signal);
  try {
    await runInBatch(
      { ...deps, day, ledger: createLedgerOf(db, config), logger: logger.child({ batch_id: batch.id }) },
      {
        ...scope,
        job: batch.job,
        runDate,
        againSince: batch.dueAt ?? batch.startedAt,
        isOwnDate: true,
        signal: day.signal,
        stop: givesWay.signal,
      },
      account,
      place,
      (tx, summary) => enqueueRest(tx, payload, summary, deps),
    );
  } finally {
    givesWay.end();
    day.release();
  }
}

/** Undefined: the account may be walked. */
async function faultOf(
  { clock, config, db }: AccountJobDeps,
  account: string,
  runDate: RunDate,
): Promise<string | undefined> {
  const now = new Date(clock.now());
  const [second] = await findRenamedAccounts(db, config, { asked: [account], now });
  return second?.text ?? (await olderDateFault(db, account, runDate));
}

/** A stop that also comes after a while, when a job of a higher priority waits for the account, or its batch is cancelled. */
function watchTurn(
  { clock, db, logger, longestRunMs = longestMs }: AccountJobDeps,
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
  { clock, config }: AccountJobDeps,
): Promise<void> {
  if (status === 'stopped') return await enqueueNext(tx, payload, { at: undefined, spreadMs: 0 });
  if (status !== 'deferred') return;
  const at = until === null ? new Date(clock.now() + unknownRenewalMs) : new Date(until);
  await enqueueNext(tx, payload, { at, spreadMs: config.spreadMs });
}
