// A world for the real scheduler: memory in place of the database, runs that take their time, processes
// that start, stop and die. Time is whoever fakes the timers'.
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import type { DueJob } from '../../src/jobs/schedule/overdue.ts';
import { type Lease, runScheduler, type SchedulerState } from '../../src/jobs/schedule/scheduler.ts';
import type { JobAttempt, JobHistory } from '../../src/status/job-runs.ts';

interface WorldRun extends JobAttempt {
  readonly job: string;
  readonly process: string;
  status: JobAttempt['status'];
  finishedAt: Date | undefined;
}

export interface WorldProcess {
  readonly name: string;
  readonly state: SchedulerState | undefined;
  /** SIGTERM: resolves when it has ended. */
  stop(): Promise<void>;
  /** SIGKILL: it does nothing any more, and its locks are free. */
  kill(): void;
}

export interface SchedulerWorld {
  readonly runs: readonly WorldRun[];
  databaseUp: boolean;
  apiUp: boolean;
  start(name: string): WorldProcess;
}

interface WorldOptions {
  readonly jobs: readonly Job[];
  readonly timeZone: string;
  readonly runMinutes: (job: string) => number;
}

const silent = pino({ level: 'silent' });
const downMessage = 'the database is down';

export function createSchedulerWorld(options: WorldOptions): SchedulerWorld {
  const runs: WorldRun[] = [];
  const runsOf = new Map<string, readonly WorldRun[]>();
  let begunAt: Date | undefined;
  /** Holder by lock. */
  const locks = new Map<string, string>();
  const dead = new Set<string>();
  const world = { runs, databaseUp: true, apiUp: true, start };

  const needDatabase = () => {
    if (!world.databaseUp) throw new Error(downMessage);
  };

  function lease(key: string, owner: string): Lease | undefined {
    needDatabase();
    if (locks.has(key)) return undefined;
    locks.set(key, owner);
    const isOurs = () => world.databaseUp && locks.get(key) === owner;
    return {
      check: async () => isOurs(),
      release: async () => {
        if (locks.get(key) === owner) locks.delete(key);
      },
    };
  }

  function historyOf(name: string): JobHistory {
    const own = runsOf.get(name) ?? [];
    const newest = own.findLastIndex((run) => run.status === 'complete');
    const lastSuccess = own[newest];
    const failures = own.slice(newest + 1).filter((run) => run.status === 'failed').length;
    const times = [lastSuccess?.startedAt, lastSuccess?.dueAt].flatMap((date) => date?.getTime() ?? []);
    const answeredUntil = times.length === 0 ? undefined : new Date(Math.max(...times));
    return {
      answeredUntil,
      lastSuccess,
      lastAttempt: own.at(-1),
      failures,
      ...(begunAt !== undefined && { begunAt }),
    };
  }

  async function run(due: DueJob, owner: string, stop: AbortSignal): Promise<'done' | 'busy'> {
    const { name } = due.job;
    const lock = lease(`job ${name}`, owner);
    if (lock === undefined) return 'busy';
    const row: WorldRun = {
      id: runs.length + 1,
      job: name,
      process: owner,
      status: 'running',
      startedAt: new Date(),
      finishedAt: undefined,
      dueAt: due.dueAt,
      deferredUntil: undefined,
      continues: false,
      cancelled: false,
    };
    runs.push(row);
    runsOf.set(name, [...(runsOf.get(name) ?? []), row]);
    const stopped = await systemClock.sleep(options.runMinutes(name) * 60_000, stop).then(
      () => false,
      () => true,
    );
    if (dead.has(owner)) return await new Promise(() => undefined);
    row.finishedAt = new Date();
    // A run that ends while the database is gone cannot say so; its lock is gone as well.
    if (stopped || !world.databaseUp) row.status = 'stopped';
    else row.status = world.apiUp ? 'complete' : 'failed';
    await lock.release();
    return 'done';
  }

  function start(name: string): WorldProcess {
    const stop = new AbortController();
    let state: SchedulerState | undefined;
    const alive = <Value>(work: () => Value): Value => {
      if (dead.has(name)) throw new Error(`${name} is dead`);
      return work();
    };
    const ended = runScheduler(
      {
        jobs: options.jobs,
        timeZone: options.timeZone,
        clock: systemClock,
        logger: silent,
        lead: async () => alive(() => lease('scheduler', name)),
        histories: async () => {
          alive(needDatabase);
          begunAt ??= new Date();
          return new Map(options.jobs.map((job) => [job.name, historyOf(job.name)]));
        },
        run: async (due) => alive(() => run(due, name, stop.signal)),
        settle: async () => alive(needDatabase),
        look: async () => {
          alive(needDatabase);
          return 'later';
        },
        onState: (next) => {
          if (!dead.has(name)) state = next;
        },
      },
      stop.signal,
    );
    return {
      name,
      get state() {
        return state;
      },
      stop: async () => {
        stop.abort(new Error('SIGTERM'));
        await ended;
      },
      kill: () => {
        dead.add(name);
        state = undefined;
        for (const [key, owner] of locks) if (owner === name) locks.delete(key);
        for (const one of runs) if (one.process === name && one.status === 'running') one.status = 'stopped';
        stop.abort(new Error('SIGKILL'));
      },
    };
  }

  return world;
}
