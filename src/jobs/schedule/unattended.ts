// The scheduler with everything around it: locks and histories in Postgres, the queue, metrics and messages. What it
// gives to the queue is done by workers (src/jobs/worker/), in this process or in others.

import { endWithin } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { askOnLockSession, tryLock } from '../../db/session-lock.ts';
import { isDisturbance } from '../../db/sqlstate.ts';
import { readOpenBatches, readWorkers } from '../../queue/queue-report.ts';
import { hasOpenBatches } from '../../queue/queued-batches.ts';
import { noteKnownJobs, readJobHistories } from '../../status/job-runs.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { Job } from '../define-job.ts';
import { checkData } from './check-data.ts';
import { createPulse, type Health } from './http-server.ts';
import { findInError, findInRun, findUnreachable } from './incidents.ts';
import type { Metrics } from './metrics.ts';
import { createNotifier } from './notifications.ts';
import type { DueJob } from './overdue.ts';
import { enqueueJob, settleBatches } from './queue-job.ts';
import { findInKindRun, schedulerLock } from './run-job.ts';
import { checkEveryMs, runScheduler, type SchedulerState } from './scheduler.ts';
import { type CurrentSettings, createSharedSettings, storeSettings } from './share-settings.ts';

interface UnattendedOptions {
  readonly deps: Pick<SyncDeps, 'pool' | 'db' | 'clock' | 'logger'>;
  readonly current: () => CurrentSettings;
  readonly jobs: readonly Job[];
  readonly scrub: (text: string) => string;
  readonly metrics: Metrics;
  /** Follows a batch, or a look at the data; may reject. */
  readonly follow: (what: 'batch' | 'look') => Promise<void>;
  readonly onState?: (state: SchedulerState) => void;
}

interface Unattended {
  health(): Health;
  check(): void;
  work(stop: AbortSignal): Promise<void>;
}

/** Time for messages about incidents that are being sent at the stop. */
const deliverAtEndMs = 1_000;
/** Time for what follows a batch and is under way at the stop. */
const followAtEndMs = 7_000;
/** Pause between counts of the queue for the metrics. */
const countEveryMs = 10_000;
/** Three looks missed in a row: something hangs. */
const aliveMs = 3 * checkEveryMs;

export function createUnattended(options: UnattendedOptions): Unattended {
  const { current, jobs, metrics } = options;
  const { pool, db, clock, logger } = options.deps;
  const deps = () => ({ ...options.deps, config: current().config });
  const startedMs = clock.now();
  let state: SchedulerState | 'starting' = 'starting';
  let lookedMs = startedMs;
  let lookedAtDataMs: number | undefined;
  let countedMs: number | undefined;
  let ring: () => void = () => undefined;
  const settings = createSharedSettings(
    () => current().config,
    (config) => storeSettings(db, config),
  );
  const names = jobs.map((job) => job.name);
  const onBeat = (isUp: boolean) => {
    metrics.onDatabase(isUp);
    if (settings.haveChanged()) ring();
  };
  const pulse = createPulse({ clock, ask: () => askOnLockSession(pool), onBeat });
  const { onIncidents, onWebhook } = metrics;
  const notifier = createNotifier({
    ...{ db, clock, logger, onIncidents, onWebhook, scrub: options.scrub },
    config: () => current().config,
  });
  /** Start of an outage, known to the working scheduler; a standby leaves it to that one. */
  let awaySinceMs: number | undefined;
  let following: Promise<void> = Promise.resolve();
  const follow = (what: 'batch' | 'look') => {
    following = following
      .then(() => options.follow(what))
      .catch((error: unknown) => logger.error({ event: 'follow.failed', after: what, err: error }));
  };

  /** Passes results of batches to metrics, to people, and to whatever follows new data. */
  const settle = async (stop: AbortSignal) => {
    await settings.share();
    const settled = await settleBatches(deps(), stop, (one) =>
      notifier.store(one.kind === 'sync' ? findInRun(one.summary) : findInKindRun(one.run)),
    );
    for (const one of settled) metrics.onRun(one.kind === 'sync' ? one.summary : one.run);
    if (settled.length === 0) return;
    notifier.deliver();
    lookedAtDataMs = undefined;
    if (settled.some(({ kind }) => kind === 'sync')) follow('batch');
  };

  const run = async (due: DueJob): Promise<'done' | 'busy'> => {
    try {
      return await enqueueJob(deps(), due);
    } catch (error) {
      // Not the job's fault: it stays due.
      if (isDisturbance(error)) return 'busy';
      metrics.onBrokenRun(due.job.name);
      notifier.note(findInError(due.job.name, messageOf(error)));
      notifier.deliver();
      throw error;
    }
  };

  const look = async (): Promise<'soon' | 'later'> => {
    const next = (await hasOpenBatches(db)) ? 'soon' : 'later';
    if (countedMs === undefined || clock.now() - countedMs >= countEveryMs) {
      countedMs = clock.now();
      metrics.onQueue(await readOpenBatches(db), await readWorkers(db));
    }
    const isFresh = lookedAtDataMs !== undefined && clock.now() - lookedAtDataMs < checkEveryMs;
    if (!isFresh) await lookAtAll();
    return next;
  };

  const lookAtAll = async () => {
    lookedAtDataMs = clock.now();
    for (const findings of await checkData({ db, clock, jobs, metrics }, current())) notifier.note(findings);
    notifier.note(findUnreachable(undefined, current().config.databasePatienceMs));
    notifier.deliver();
    follow('look');
  };

  const onState = (next: SchedulerState) => {
    if (next === 'database_unreachable') {
      if (state === 'working') awaySinceMs = clock.now();
      else if (awaySinceMs !== undefined)
        notifier.tellAway(findUnreachable(clock.now() - awaySinceMs, current().config.databasePatienceMs));
    } else {
      awaySinceMs = undefined;
      // From now on another process stores what is told.
      if (next === 'standing_by') notifier.forget();
    }
    // Another scheduler may work meanwhile, with its own settings.
    if (next !== 'working') settings.forget();
    state = next;
    lookedMs = clock.now();
    metrics.onState(next);
    options.onState?.(next);
  };

  return {
    health: () => ({
      alive: clock.now() - lookedMs < aliveMs,
      ready: (state === 'working' || state === 'standing_by') && pulse.isUp(),
      state: state === 'starting' || pulse.isUp() ? state : 'database_unreachable',
    }),
    check: () => ring(),
    async work(stop) {
      let stoppedMs: number | undefined;
      const onStop = () => {
        stoppedMs = clock.now();
      };
      stop.addEventListener('abort', onStop, { once: true });
      const beating = pulse.beat(stop);
      try {
        await runScheduler(
          {
            jobs,
            timeZone: current().config.timeZone,
            clock,
            logger,
            lead: () => tryLock(pool, schedulerLock),
            histories: async () => {
              await noteKnownJobs(db, names);
              return await readJobHistories(db, names);
            },
            run,
            settle: () => settle(stop),
            look,
            onState,
            onStart: (check) => {
              ring = check;
            },
          },
          stop,
        );
      } finally {
        stop.removeEventListener('abort', onStop);
        const leftMs = stoppedMs === undefined ? 0 : stoppedMs + followAtEndMs - clock.now();
        await Promise.all([
          endWithin(clock, notifier.delivering(), deliverAtEndMs),
          // A message that a channel took must be noted, or it is sent again.
          endWithin(clock, following, Math.max(leftMs, deliverAtEndMs)),
        ]);
      }
      await beating;
    },
  };
}
