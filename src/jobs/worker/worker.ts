// A worker takes jobs of the queue as long as its lock holds. If it loses the lock, it ends all its work and
// begins anew under another number, so that what others took over is never written twice.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { linkSignals, sleepUntilStopped } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { createDatabase, type Executor } from '../../db/database.ts';
import { expectWrites } from '../../db/pool.ts';
import { watchRefusedLogin } from '../../db/refused-login.ts';
import { createDatabaseRetry, type DatabaseRetry } from '../../db/retry-on-disconnect.ts';
import { type RegisteredWorker, reapAndLog, registerWorker } from '../../db/workers.ts';
import { schemaFault } from '../../install/expect-schema.ts';
import { startEngine } from '../../queue/engine.ts';
import type { JobKind } from '../../queue/enqueue.ts';
import { settingsFault } from '../schedule/share-settings.ts';
import { type JobDeps, takeJob } from './take-job.ts';

export interface WorkerOptions extends JobDeps {
  readonly openPool: (applicationName: string) => pg.Pool;
  readonly kinds: readonly JobKind[];
  readonly accountsAtOnce: number;
  readonly onState?: (state: WorkerState) => void;
}

export type WorkerState = 'waiting' | 'working' | 'database_unreachable';

const reapMs = 1_000;
/** Number of looks for dead workers between two comparisons of the settings. */
const looksToCompare = 10;
const waitMs = 2_000;
/** Time for pages in flight. With the end of the run it stays within the ten seconds that supervisors give. */
const graceMs = 7_000;

/**
 * Works until `stop` is aborted and its jobs have ended. It waits for a database that is away, however long.
 * @throws WarehouseError when its login is refused for a minute
 */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { clock, current, logger, onState } = options;
  const retry = createDatabaseRetry({
    clock,
    logger,
    async expectWrites() {
      // Between two lives there is no pool.
      const pool = options.openPool('airank-worker');
      await expectWrites(pool).finally(() => pool.end());
    },
    patienceMs: () => current().config.databasePatienceMs,
  });
  const former: number[] = [];
  const refused = watchRefusedLogin(clock);
  const live = async (progress: () => void) => {
    const onAnswer = () => {
      refused.forget();
      progress();
    };
    try {
      await liveOnce({ ...options, retry, former, onAnswer }, stop);
    } catch (error) {
      if (!stop.aborted) onState?.('database_unreachable');
      throw error;
    }
  };
  while (!stop.aborted) {
    try {
      await retry(live, stop);
    } catch (error) {
      if (stop.aborted) break;
      if (!refused.meet(error)) logger.error({ event: 'worker.lost', error: messageOf(error) });
      await sleepUntilStopped(clock, waitMs, stop);
    }
  }
  logger.info({ event: 'worker.stopped' });
}

interface LifeOptions extends WorkerOptions {
  readonly retry: DatabaseRetry;
  /** Numbers of earlier lives, which the next one registers. */
  readonly former: number[];
  readonly onAnswer: () => void;
}

/** One life: a number, a lock, connections. Ends when the lock is lost or `stop` is aborted. */
async function liveOnce(options: LifeOptions, stop: AbortSignal): Promise<void> {
  const { clock, kinds, accountsAtOnce, former, onState } = options;
  const application = `airank-worker-${randomBytes(6).toString('hex')}`;
  const pool = options.openPool(application);
  const db = createDatabase(pool);
  try {
    // Without the tables of this release it cannot even record that it waits.
    for (let said = ''; ; await clock.sleep(waitMs, stop)) {
      const fault = await schemaFault(pool);
      if (fault === undefined) break;
      options.onAnswer();
      said = sayWhyItWaits(options, fault, said);
    }
    const worker = await registerWorker(pool, db, { application, kinds, accountsAtOnce, former });
    options.onAnswer();
    former.length = 0;
    try {
      await workOrWait(options, { pool, db, worker }, stop);
    } finally {
      former.push(worker.id);
      await worker.release();
    }
    onState?.('waiting');
  } finally {
    await pool.end().catch(() => undefined);
  }
}

interface Life {
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly worker: RegisteredWorker;
}

async function workOrWait(
  options: LifeOptions,
  { pool, db, worker }: Life,
  stop: AbortSignal,
): Promise<void> {
  const { clock, logger } = options;
  const end = AbortSignal.any([stop, worker.lost]);
  let said = '';
  while (!end.aborted) {
    const fault = (await schemaFault(pool)) ?? (await settingsFault(db, options.current().config));
    if (fault !== undefined) {
      if (fault !== said) await worker.wait(fault);
      said = sayWhyItWaits(options, fault, said);
      await sleepUntilStopped(clock, waitMs, end);
      continue;
    }
    said = '';
    await takeJobs(options, { pool, db, worker }, end);
  }
  if (worker.lost.aborted && !stop.aborted) {
    logger.error({ event: 'worker.lock_lost', worker_id: worker.id });
    throw worker.lost.reason;
  }
}

/** Takes jobs until its life ends, or its settings differ from the scheduler's. */
async function takeJobs(options: LifeOptions, { pool, db, worker }: Life, end: AbortSignal): Promise<void> {
  const { logger, onState } = options;
  const broken = new AbortController();
  const { signal: stop, abort, release } = linkSignals(end);
  const engine = await startEngine({
    pool,
    kinds: options.kinds,
    work: (job) =>
      takeJob({ ...options, pool, db, workerId: worker.id }, job, { signal: broken.signal, stop }),
    atOnce: options.accountsAtOnce,
    register: (name) => worker.work(name),
    lost: worker.lost,
    onBroken: (error) => worker.giveUp(error),
    logger,
  });
  // Others may have its jobs: nothing waits for pages in flight.
  const onLost = () => broken.abort(worker.lost.reason);
  worker.lost.addEventListener('abort', onLost, { once: true });
  if (worker.lost.aborted) onLost();
  onState?.('working');
  logger.info({
    event: 'worker.working',
    worker_id: worker.id,
    kinds: options.kinds,
    at_once: options.accountsAtOnce,
  });
  let grace: NodeJS.Timeout | undefined;
  try {
    await lookAround(options, db, stop);
    abort(new Error('The settings have changed'));
    grace = setTimeout(() => broken.abort(stop.reason), graceMs);
    if (!worker.lost.aborted) await worker.stopping().catch(() => undefined);
  } finally {
    await engine.stop();
    clearTimeout(grace);
    release();
    worker.lost.removeEventListener('abort', onLost);
  }
}

/** Looks for dead workers, and compares its settings with the scheduler's. Ends at the stop, or when they differ. */
async function lookAround(
  { clock, current, logger }: WorkerOptions,
  db: Executor,
  stop: AbortSignal,
): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    await sleepUntilStopped(clock, reapMs, stop);
    if (stop.aborted) return;
    await reapAndLog(db, logger).catch((error: unknown) => {
      logger.debug({ event: 'worker.reap_failed', err: error });
    });
    if (looks % looksToCompare !== 0) continue;
    const fault = await settingsFault(db, current().config).catch(() => undefined);
    if (fault !== undefined) return logger.warn({ event: 'worker.settings_differ', reason: fault });
  }
}

function sayWhyItWaits({ logger, onState }: WorkerOptions, reason: string, said: string): string {
  onState?.('waiting');
  if (reason !== said) logger.warn({ event: 'worker.waiting', reason });
  return reason;
}
