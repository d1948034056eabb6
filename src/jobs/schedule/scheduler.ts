// Gives what is due to the queue, as long as it holds the lock of the scheduler; stands by while another does.
// It knows time, locks and runs by its ports only, so that months of it can be simulated.
import { type Clock, createWakeUp } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { watchRefusedLogin } from '../../db/refused-login.ts';
import type { JobHistory } from '../../status/job-runs.ts';
import type { Job } from '../define-job.ts';
import { type DueJob, firstRetryMs, nextMoment, overdue } from './overdue.ts';

export interface Lease {
  check(): Promise<boolean>;
  release(): Promise<void>;
}

interface SchedulerPorts {
  readonly jobs: readonly Job[];
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: another scheduler works. Rejects when the database cannot be reached. */
  lead(): Promise<Lease | undefined>;
  histories(): Promise<ReadonlyMap<string, JobHistory>>;
  /** Gives a job to the queue; `busy`: another process runs it. */
  run(due: DueJob): Promise<'done' | 'busy'>;
  /** Gives results to batches that have ended, before it is asked what is due. */
  settle(): Promise<void>;
  /** Checks everything else while this scheduler works. `soon`: batches are open. */
  look(): Promise<'soon' | 'later'>;
  /** Receives a function that makes the scheduler check at once. */
  onStart?(check: () => void): void;
  onState(state: SchedulerState): void;
}

export type SchedulerState = 'working' | 'standing_by' | 'database_unreachable';

const stateEvents: Readonly<Record<SchedulerState, string>> = {
  working: 'scheduler.working',
  standing_by: 'scheduler.standing_by',
  database_unreachable: 'scheduler.database_unreachable',
};

/** Pause between checks for overdue jobs, beside the moments at which something comes due. */
export const checkEveryMs = 120_000;
/** Pause between tries of a standby to take over, and of a lost database. */
const standByMs = 5_000;
/** Pause between looks at open batches; a worker in the same process reports by itself. */
const openMs = 2_000;

/**
 * Works until `stop` is aborted and the running jobs have ended.
 * @throws WarehouseError when its login is refused for a minute
 */
export async function runScheduler(ports: SchedulerPorts, stop: AbortSignal): Promise<void> {
  const { clock, logger } = ports;
  const wakeUp = createWakeUp(clock);
  const running = new Map<string, Promise<void>>();
  const notBefore = new Map<string, number>();
  // A ring between two waits must not be lost.
  let rung = false;
  const ring = () => {
    rung = true;
    wakeUp.wake();
  };
  ports.onStart?.(ring);
  let nextMs = nextMoment(ports.jobs, new Date(clock.now()), ports.timeZone);
  let lease: Lease | undefined;
  let state: SchedulerState | undefined;
  let isOpen = false;
  const refused = watchRefusedLogin(clock);

  const enter = (next: SchedulerState, error?: unknown) => {
    ports.onState(next);
    if (next === state) return;
    state = next;
    const line = { event: stateEvents[next], jobs: ports.jobs.length };
    if (next === 'database_unreachable') logger.error({ ...line, error: messageOf(error) });
    else logger.info(line);
  };

  const start = (due: DueJob) => {
    const { name } = due.job;
    logger.info({ event: 'job.due', job: name, due_at: due.dueAt?.toISOString() ?? null });
    const run = ports
      .run(due)
      .then((ended) => {
        if (ended === 'busy') notBefore.set(name, clock.now() + standByMs);
      })
      .catch((error: unknown) => {
        // A run that cannot even begin leaves no row to learn from.
        notBefore.set(name, clock.now() + firstRetryMs);
        logger.error({ event: 'job.failed', job: name, err: error });
      })
      .then(() => {
        running.delete(name);
        ring();
      });
    running.set(name, run);
  };

  const check = async () => {
    if (lease !== undefined && !(await lease.check())) {
      await lease.release();
      lease = undefined;
    }
    lease ??= await ports.lead();
    if (lease === undefined) return enter('standing_by');
    enter('working');
    await ports.settle();
    const now = new Date(clock.now());
    for (const due of overdue(ports.jobs, await ports.histories(), now, ports.timeZone)) {
      const { name } = due.job;
      if (stop.aborted) return;
      if (!running.has(name) && (notBefore.get(name) ?? 0) <= now.getTime()) start(due);
    }
    isOpen = (await ports.look()) === 'soon';
  };

  try {
    while (!stop.aborted) {
      rung = false;
      await check().then(refused.forget, (error: unknown) => {
        enter('database_unreachable', error);
        refused.meet(error);
      });
      if (rung || stop.aborted) continue;
      const soon = state !== 'working' || [...notBefore.values()].some((ms) => ms > clock.now());
      const pauseMs = soon ? standByMs : isOpen ? openMs : checkEveryMs;
      const nowMs = clock.now();
      if (nextMs <= nowMs) {
        // It came while the schedule was looked at.
        nextMs = nextMoment(ports.jobs, new Date(nowMs), ports.timeZone);
        continue;
      }
      await wakeUp.wait(Math.min(pauseMs, nextMs - nowMs), stop);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await Promise.all(running.values());
    await lease?.release();
    logger.info({ event: 'scheduler.stopped' });
  }
}
