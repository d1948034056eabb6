// Does a job of the queue, by its kind and with the details from its batch; and tells whether a worker may
// take any.
import type pg from 'pg';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/files.ts';
import { runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { tryLock } from '../../db/session-lock.ts';
import { isBusy, isConnectionLost, isDisturbance } from '../../db/sqlstate.ts';
import { readSchedulerSettings, readSchedulerVersion } from '../../db/workers.ts';
import { schemaFault } from '../../install/expect-schema.ts';
import type { QueueJob } from '../../queue/engine.ts';
import { callWaiting, putBack, type QueuePayload, turnOf } from '../../queue/enqueue.ts';
import {
  endQueuedWork,
  type QueuedBatch,
  readQueuedBatch,
  type TakenBatch,
} from '../../queue/queued-batches.ts';
import { BusyAccountError } from '../../store/slices/runs.ts';
import { endWithoutRun } from '../../sync/run/run-in-batch.ts';
import type { OtherJob } from '../define-job.ts';
import { isSyncJob, jobOfBatch } from '../schedule/job-shape.ts';
import { type KindWork, workOff } from '../schedule/run-job.ts';
import { differences, digestOf, sharedValues } from '../schedule/share-settings.ts';
import { type AccountJobSignals, type JobDeps, type LifeDeps, runAccountJob } from './account-job.ts';

const mostNamed = 8;

/**
 * Runs a job that does not sync.
 * @throws the signal's reason when it was stopped: another worker makes what is missing
 * @throws the error of a database that could not do it just now
 */
async function takeOtherJob(
  db: Executor,
  batch: QueuedBatch,
  job: OtherJob,
  work: KindWork,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { missing, summary } = await workOff(work, job, batch.dueAt, signal);
    const status = missing === undefined ? 'complete' : 'failed';
    await endQueuedWork(db, batch.id, { status, summary: { missing, result: summary } });
  } catch (error) {
    signal.throwIfAborted();
    // Says nothing of the job: the queue gives it to somebody again.
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

/** @throws when it could not be brought to an end, so that the queue gives it to somebody again */
export async function takeJob(
  deps: LifeDeps & JobDeps,
  { id, kind, payload: given, tries }: QueueJob,
  signals: AccountJobSignals,
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
    const fault = `Broken off ${tries} times before its run began: ${messageOf(error)}`;
    await endAsFailed(deps, payload, fault);
  } finally {
    await turn.release();
    // Jobs that are not called begin half a minute later at most.
    if (!isPutBack) await callWaiting(db, kind, payload.account).catch(() => undefined);
    deps.onJobEnd?.();
  }
}

async function doJob(
  deps: LifeDeps & JobDeps,
  id: string,
  payload: QueuePayload,
  signals: AccountJobSignals,
): Promise<void> {
  const { db } = deps;
  signals.stop.throwIfAborted();
  const batch = await readQueuedBatch(db, id, payload);
  if (batch === undefined) return;
  const { deaths } = batch;
  if (deaths >= mostTries)
    return await endAsFailed(deps, payload, deathsText(payload.account, batch), deaths);
  const job = jobOfBatch(batch.id, batch.selection);
  if (!isSyncJob(job)) return await takeOtherJob(db, batch, job, deps.work(deps), signals.stop);
  const { config, streams } = deps.current();
  const fault = await settingsFault(db, config);
  if (fault !== undefined) throw new WarehouseError(fault);
  await runAccountJob({ ...deps, config, streams }, batch, job, payload, signals);
}

function deathsText(account: string, { deaths, job }: TakenBatch): string {
  const byHand = account === '' ? `airank jobs run ${job}` : `airank sync --accounts ${account}`;
  return (
    `The worker that had it died ${deaths} times in a row, so nobody tries again before the job is due next. ` +
    `The logs of the machines say why, such as out of memory. By hand: ${byHand}`
  );
}

/** A stop, a database that is away, settings that differ: none says anything of the job. */
function isPassing(error: unknown, { signal, stop }: AccountJobSignals): boolean {
  return (
    signal.aborted ||
    stop.aborted ||
    error instanceof WarehouseError ||
    isConnectionLost(error) ||
    isBusy(error)
  );
}

/**
 * Ends the job as failed; the scheduler then treats it like every failure.
 * @throws if the database is away after all
 */
async function endAsFailed(
  { clock, current, db, workerId }: LifeDeps & JobDeps,
  { account, attempt, batch }: QueuePayload,
  fault: string,
  deaths?: number,
): Promise<void> {
  const counted = deaths === undefined ? {} : { deaths };
  if (account === '')
    return await endQueuedWork(db, batch, { status: 'failed', summary: { missing: fault, ...counted } });
  const runDate = runDateIn(current().config.timeZone, new Date(clock.now()));
  const place = { batchId: batch, workerId, attempt, isQueued: true, account };
  await endWithoutRun(db, { ...place, runDate, fault, ...counted });
}

/** Why a worker may take no jobs: the schema is that of another release, or its settings are not the scheduler's. */
export async function whyWait(pool: pg.Pool, db: Executor, config: Config): Promise<string | undefined> {
  return (await schemaFault(pool)) ?? (await settingsFault(db, config));
}

/** The cheap part of whyWait. */
export async function settingsFault(db: Executor, config: Config): Promise<string | undefined> {
  const scheduler = await readSchedulerVersion(db);
  if (scheduler === undefined) return 'no scheduler has worked on this warehouse yet. Start: airank schedule';
  const version = packageVersion();
  if (scheduler.version !== version)
    return `the scheduler has version ${scheduler.version}, this worker ${version}`;
  if (ownDigest(config, scheduler.salt) === scheduler.digest) return undefined;
  const own = sharedValues(config, scheduler.salt);
  const names = differences(await readSchedulerSettings(db), own);
  // The scheduler has just stored others.
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `settings differ from the scheduler's: ${names.slice(0, mostNamed).join(', ')}${more}. Give both the same configuration`;
}

/** Cached: with thousands of accounts a digest takes some milliseconds, and each job asks. */
const digests = new WeakMap<Config, { readonly salt: string; readonly digest: string }>();

function ownDigest(config: Config, salt: string): string {
  const known = digests.get(config);
  if (known?.salt === salt) return known.digest;
  const digest = digestOf(sharedValues(config, salt));
  digests.set(config, { salt, digest });
  return digest;
}
