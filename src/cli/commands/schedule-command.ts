// airank schedule: runs the jobs when they are due, until it is told to stop.

import { type AlertsRun, runAlerts } from '../../alerts/run-alerts.ts';
import { systemClock } from '../../core/clock.ts';
import type { Job } from '../../jobs/define-job.ts';
import { createMetrics } from '../../jobs/schedule/metrics.ts';
import type { SchedulerState } from '../../jobs/schedule/scheduler.ts';
import { createUnattended } from '../../jobs/schedule/unattended.ts';
import { runWorker } from '../../jobs/worker/worker.ts';
import { installQueue } from '../../queue/engine.ts';
import { jobKinds } from '../../queue/enqueue.ts';
import { type OpenWarehouse, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import {
  httpUntil,
  type LiveSettings,
  liveSettings,
  readSettingsAndJobs,
  workerOptions,
} from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { alertsDeps } from './sync-command.ts';

/** @param run checks the figures and sends alerts; only sends if `check` is false */
export function alertsPort(
  run: (options: { readonly check: boolean }) => Promise<Pick<AlertsRun, 'isBusy' | 'broken'>>,
  stop: AbortSignal,
): (what: 'batch' | 'look') => Promise<void> {
  // A process may have died between a batch and its alerts, so looks make up for it until one succeeds.
  let isMadeUp = false;
  return async (what) => {
    if (stop.aborted) return;
    const check = what === 'batch' || !isMadeUp;
    const { isBusy, broken } = await run({ check });
    if (check && !isBusy && broken.length === 0 && !stop.aborted) isMadeUp = true;
  };
}

export const command = defineCommand({
  about: 'run the jobs when they are due, until it is stopped',
  flags: {
    '--no-work': 'only queue jobs and settle them: workers do the rest (airank jobs worker)',
  },
  help: `
Catches up on overdue jobs at the start and every two minutes. Several may
run: one works, the others stand by. SIGTERM (Ctrl-C) stores the pages in
flight and ends within 10 seconds; a second one ends at once.

Answers /healthz, /readyz and /metrics on AIRANK_HTTP_HOST and AIRANK_HTTP_PORT.

Examples:
  $ airank schedule
  $ AIRANK_LOG_FORMAT=json airank schedule 2>> airank.log`,
  async run({ terminal, flags }) {
    const { settings, jobs } = await readSettingsAndJobs(terminal, { needAccounts: true });
    const live = liveSettings(terminal, settings);
    const renewed = () => live.current().config.databaseUrl?.reveal();
    const options = { waits: true, connections: leaderConnections, renewed };
    await withWarehouse(terminal, live.first, options, async (warehouse) => {
      await installQueue(warehouse.pool);
      await schedule(live, jobs, warehouse, { ...terminal, ...flags });
    });
  },
});

/** A worker in the same process has its own beside them. */
const leaderConnections = 4;

async function schedule(
  live: LiveSettings,
  jobs: readonly Job[],
  { pool, db, url }: Pick<OpenWarehouse, 'pool' | 'db' | 'url'>,
  { signal, env, work: works }: Pick<Terminal, 'signal' | 'env'> & { readonly work: boolean },
): Promise<void> {
  const { config, logger, scrub } = live.first;
  const metrics = createMetrics(() => live.current().config.accounts.length);
  const ofAlerts = () => ({ ...alertsDeps(live.current(), { db, pool }), signal });
  const follow = alertsPort((options) => runAlerts(ofAlerts(), options), signal);
  /** The end of either ends the process: a supervisor restarts both. */
  const failed = new AbortController();
  let worker: { readonly end: AbortController; readonly ended: Promise<void> } | undefined;
  const startWorker = () => {
    const end = new AbortController();
    const work = workerOptions(live, url, env, {
      kinds: jobKinds,
      accountsAtOnce: config.accountConcurrency,
      emit: metrics.onEvent,
      onJobEnd: () => unattended.check(),
    });
    const ended = runWorker(work, AbortSignal.any([signal, end.signal])).catch((error: unknown) => {
      logger.error({ event: 'worker.failed', err: error });
      failed.abort(error);
    });
    return { end, ended };
  };
  // A scheduler that stands by takes no jobs either: another one works.
  const onState = (state: SchedulerState) => {
    if (!works || signal.aborted) return;
    if (state === 'working') worker ??= startWorker();
    else if (state === 'standing_by') {
      worker?.end.abort(new Error('Another scheduler works'));
      worker = undefined;
    }
  };
  const deps = { pool, db, clock: systemClock, logger };
  const current = () => live.current();
  const unattended = createUnattended({ deps, current, jobs, scrub, metrics, follow, onState });
  const ended = new AbortController();
  // Closed before the work ends: a flood of requests must not take the time that the stop has.
  const listening = httpUntil(AbortSignal.any([signal, ended.signal]), live.first, {
    health: () => unattended.health(),
    registry: metrics.registry,
  });
  try {
    await unattended.work(AbortSignal.any([signal, failed.signal]));
    failed.signal.throwIfAborted();
  } finally {
    worker?.end.abort();
    await worker?.ended;
    ended.abort();
    await listening;
  }
}
