// The scheduler with everything around it: locks and histories in Postgres, gates that jobs share,
// metrics, messages, and a stop in two steps.
import type { Gate } from '../api/gate/gate.ts';
import type { AccountConfig } from '../config/config.ts';
import { messageOf } from '../core/errors.ts';
import type { Stream } from '../streams/stream.ts';
import { createAccountGate } from '../sync/run/account-gate.ts';
import type { SyncEvent } from '../sync/run/events.ts';
import type { SyncDeps } from '../sync/run/sync-options.ts';
import { readBudget } from '../warehouse/budget/budget-report.ts';
import { tryLock } from '../warehouse/connection/session-lock.ts';
import { readFreshness } from '../warehouse/reports/freshness.ts';
import { noteJobBegins, readJobHistories } from '../warehouse/reports/job-runs.ts';
import { readNoticedDrift } from '../warehouse/reports/noticed-drift.ts';
import { readNotices, saveNotices } from '../warehouse/reports/notices.ts';
import type { Job } from './define-job.ts';
import { endWithin } from './end-within.ts';
import { findDrift } from './find-drift.ts';
import type { Health } from './http-server.ts';
import type { Metrics } from './metrics.ts';
import { createNoticeBook } from './notice-book.ts';
import { type DueJob, unanswered } from './overdue.ts';
import { runJob, schedulerLock } from './run-job.ts';
import { findInKind, type JobKinds, runKind } from './run-kind.ts';
import { checkEveryMs, runScheduler, type SchedulerState } from './scheduler.ts';
import { findInError, findInRun, findLate, findUnreachable } from './troubles.ts';
import { sendToWebhooks } from './webhooks.ts';

export interface UnattendedOptions {
  readonly deps: Omit<SyncDeps, 'emit' | 'gateOf'>;
  readonly jobs: readonly Job[];
  /** Those that the configuration has switched on. */
  readonly streams: readonly Stream[];
  readonly scrub: (text: string) => string;
  readonly metrics: Metrics;
  /** What follows a batch, and what is tried again now and then. Nothing waits for it; both may reject. */
  readonly follow?: { afterBatch(): Promise<void>; onLook(): Promise<void> };
  /** How jobs that do not sync are done. */
  readonly kinds: JobKinds;
  /** Told of every event of every run. */
  readonly emit?: (event: SyncEvent) => void;
}

export interface Unattended {
  health(): Health;
  /** Works until `stop` is aborted; pages in flight get `graceMs` to be stored. */
  work(stop: AbortSignal): Promise<void>;
}

/** Time for pages in flight. With the end of the run it stays within the ten seconds that supervisors give. */
const graceMs = 7_000;
/** Time for messages about trouble that are being sent at the stop. */
const tellAtEndMs = 1_000;
/** Three looks missed in a row: something hangs. */
const aliveMs = 3 * checkEveryMs;

export function createUnattended(options: UnattendedOptions): Unattended {
  const { deps, jobs, streams, metrics, scrub } = options;
  const { config, pool, db, clock, logger } = deps;
  const startedMs = clock.now();
  let state: SchedulerState | 'starting' = 'starting';
  let lookedMs = startedMs;
  const names = jobs.map((job) => job.name);
  const reportNames = jobs.filter(({ kind }) => kind === 'report').map(({ name }) => name);
  const gates = new Map<string, Gate>();

  const gateOf = (account: AccountConfig): Gate => {
    const known = gates.get(account.name);
    if (known !== undefined) return known;
    const gate = createAccountGate({ ...deps, logger: logger.child({ account: account.name }) }, account);
    gates.set(account.name, gate);
    return gate;
  };

  const newBook = () =>
    createNoticeBook({
      clock,
      logger,
      load: () => readNotices(db),
      save: (notices) => saveNotices(db, notices),
      send: (told) =>
        sendToWebhooks(
          {
            webhooks: config.webhooks,
            withValues: config.webhookValues,
            logger,
            scrub,
            onResult: metrics.onWebhook,
          },
          told,
        ),
    });
  let book = newBook();
  /** Since when the database is away from the working scheduler; a standby leaves it to that one. */
  let away: { readonly sinceMs: number } | undefined;

  let telling: Promise<void> = Promise.resolve();
  /** Nothing waits for it: a webhook that hangs delays neither a run nor the stop. */
  const tell = () => {
    const kinds = new Map<string, number>();
    for (const { kind } of book.lasting()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    metrics.onTroubles(kinds);
    telling = book.tell();
  };

  let following: Promise<void> = Promise.resolve();
  /** One after the other, as with messages. */
  const follow = (what: 'afterBatch' | 'onLook') => {
    const { follow: port } = options;
    if (port === undefined) return;
    following = following
      .then(() => port[what]())
      .catch((error: unknown) => logger.error({ event: `${what}.failed`, err: error }));
  };

  const run = async (due: DueJob, signal: AbortSignal, stop: AbortSignal): Promise<'done' | 'busy'> => {
    const emit = (event: SyncEvent) => {
      metrics.onEvent(event);
      options.emit?.(event);
    };
    try {
      const { job, dueAt } = due;
      if (job.kind === 'report') {
        const done = await runKind(deps, { job, kinds: options.kinds, dueAt, signal: stop });
        if (done === undefined) return 'busy';
        metrics.onRun(done);
        book.note(findInKind(done));
        return 'done';
      }
      const summary = await runJob({ ...deps, emit, gateOf }, { job, dueAt, streams, signal, stop });
      if (summary === undefined) return 'busy';
      metrics.onRun(summary);
      book.note(findInRun(summary));
      follow('afterBatch');
    } catch (error) {
      if (stop.aborted) throw error;
      metrics.onBrokenRun(due.job.name);
      book.note(findInError(due.job.name, messageOf(error)));
      throw error;
    } finally {
      tell();
    }
    return 'done';
  };

  const look = async () => {
    const now = new Date(clock.now());
    const histories = await readJobHistories(db, names);
    for (const job of jobs) {
      const history = histories.get(job.name);
      if (history === undefined) continue;
      const waiting = unanswered(job, history, now, config.timeZone)?.dueAt;
      metrics.onLag(job.name, waiting === undefined ? 0 : now.getTime() - waiting.getTime());
      if (history.answeredUntil !== undefined) metrics.onLastSuccess(job.name, history.answeredUntil);
    }
    const accounts = config.accounts.map((account) => account.name);
    const freshness = await readFreshness(
      db,
      accounts,
      streams.map((stream) => stream.name),
    );
    metrics.onFreshness(freshness);
    for (const account of config.accounts) {
      metrics.onBudget(account.name, (await readBudget(db, account, config)).remainingToday);
    }
    book.note(findLate(freshness, streams, jobs, now));
    book.note(findDrift(await readNoticedDrift(db)));
    book.note(findUnreachable(undefined, config.databasePatienceMs));
    tell();
    follow('onLook');
  };

  const onState = (next: SchedulerState) => {
    if (next === 'working') away = undefined;
    else if (next === 'standing_by') {
      away = undefined;
      // From now on another process stores what is told.
      if (state === 'working' || state === 'database_unreachable') book = newBook();
    } else if (state === 'working') away = { sinceMs: clock.now() };
    else if (away !== undefined) {
      book.note(findUnreachable(clock.now() - away.sinceMs, config.databasePatienceMs));
      tell();
    }
    state = next;
    lookedMs = clock.now();
    metrics.onState(next);
  };

  return {
    health: () => ({
      alive: clock.now() - lookedMs < aliveMs,
      ready: state === 'working' || state === 'standing_by',
      state,
    }),
    async work(stop) {
      const end = new AbortController();
      const timer = { id: undefined as NodeJS.Timeout | undefined };
      let stoppedMs: number | undefined;
      const onStop = () => {
        stoppedMs = clock.now();
        timer.id = setTimeout(() => end.abort(stop.reason), graceMs);
      };
      stop.addEventListener('abort', onStop, { once: true });
      try {
        await runScheduler(
          {
            jobs,
            timeZone: config.timeZone,
            clock,
            logger,
            lead: () => tryLock(pool, schedulerLock),
            histories: async () => {
              await noteJobBegins(db, reportNames);
              return await readJobHistories(db, names);
            },
            run: (due) => run(due, end.signal, stop),
            look,
            onState,
          },
          stop,
        );
      } finally {
        stop.removeEventListener('abort', onStop);
        clearTimeout(timer.id);
        const leftMs = stoppedMs === undefined ? 0 : stoppedMs + graceMs - clock.now();
        await Promise.all([
          endWithin(clock, telling, tellAtEndMs),
          // What a channel takes is to be noted, or it is told again.
          endWithin(clock, following, Math.max(leftMs, tellAtEndMs)),
        ]);
        await Promise.all([...gates.values()].map((gate) => gate.close()));
      }
    },
  };
}
