// The real scheduler over a month with both changes of the clocks, deploys, crashes, outages and a laptop asleep: memory in
// place of the database, runs that take their time, processes that start, stop and die.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { defineJob, type Job } from '../../src/jobs/define-job.ts';
import { nextDue, parseCron } from '../../src/jobs/schedule/cron.ts';
import { loadConfiguredJobs } from '../../src/jobs/schedule/load-jobs.ts';
import type { DueJob } from '../../src/jobs/schedule/overdue.ts';
import { type Lease, runScheduler, type SchedulerState } from '../../src/jobs/schedule/scheduler.ts';
import type { JobAttempt, JobHistory } from '../../src/status/job-runs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { silent } from '../support/config-fixtures.ts';

const timeZone = 'Europe/Madrid';
const monthStart = '2026-03-15T00:00:00Z';
const monthEnd = '2026-04-07T00:00:00Z';
/** The last hour may still be running when the month ends. */
const lastMoment = '2026-04-06T23:00Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
const until = (moment: string) => pass(Date.parse(moment) - Date.now());

interface WorldRun extends JobAttempt {
  readonly job: string;
  readonly process: string;
  status: JobAttempt['status'];
  finishedAt: Date | undefined;
}

interface WorldProcess {
  readonly name: string;
  readonly state: SchedulerState | undefined;
  /** SIGTERM: resolves when it has ended. */
  stop(): Promise<void>;
  /** SIGKILL: it does nothing any more, and its locks are free. */
  kill(): void;
}

interface SchedulerWorld {
  readonly runs: readonly WorldRun[];
  databaseUp: boolean;
  apiUp: boolean;
  start(name: string): WorldProcess;
}

function createSchedulerWorld(jobs: readonly Job[], runMinutes: (job: string) => number): SchedulerWorld {
  const runs: WorldRun[] = [];
  const runsOf = new Map<string, readonly WorldRun[]>();
  let begunAt: Date | undefined;
  /** Holder by lock. */
  const locks = new Map<string, string>();
  const dead = new Set<string>();
  const world = { runs, databaseUp: true, apiUp: true, start };

  const needDatabase = () => {
    if (!world.databaseUp) throw new Error('the database is down');
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
    const stopped = await systemClock.sleep(runMinutes(name) * 60_000, stop).then(
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
        jobs,
        timeZone,
        clock: systemClock,
        logger: silent,
        lead: async () => alive(() => lease('scheduler', name)),
        histories: async () => {
          alive(needDatabase);
          begunAt ??= new Date();
          return new Map(jobs.map((job) => [job.name, historyOf(job.name)]));
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

/** Madrid skips 02:00–03:00 on 29 March, Sydney shows 02:00–03:00 twice on 5 April. */
const awkwardJobs: readonly Job[] = [
  defineJob({ name: 'madrid-0230', description: 'x', schedule: '30 2 * * *' }),
  defineJob({ name: 'sydney-0230', description: 'x', schedule: '30 2 * * *', timeZone: 'Australia/Sydney' }),
  defineJob({ name: 'hourly', description: 'x', schedule: '0 * * * *' }),
];

const minutes: Readonly<Record<string, number>> = {
  'daily-snapshot': 40,
  'weekly-full-refresh': 180,
  'rank-watch': 4,
};

const minutesOf = (job: string): number => minutes[job] ?? 2;

/** Nothing could run: no process, no database, or an API that answers nothing. */
const downtimes = {
  /** Over the night run. */
  noProcess: { from: '2026-03-17T01:00Z', to: '2026-03-17T07:00Z' },
  asleep: { from: '2026-03-21T09:00Z', to: '2026-03-23T10:00Z' },
  noDatabase: { from: '2026-03-26T02:00Z', to: '2026-03-26T04:30Z' },
  noApi: { from: '2026-04-02T01:00Z', to: '2026-04-02T12:00Z' },
};

/** Lives through the month. `standIn`: the states of a second scheduler before and after the first one dies. */
async function liveThroughTheMonth(
  jobs: readonly Job[],
): Promise<{ world: SchedulerWorld; standIn: readonly unknown[] }> {
  const world = createSchedulerWorld(jobs, minutesOf);
  let working: WorldProcess = world.start('a');
  const deploy = async (at: string, name: string) => {
    await until(at);
    await working.stop();
    await pass(20_000);
    working = world.start(name);
  };
  const away = async ({ from, to }: { from: string; to: string }, begin: () => void, end: () => void) => {
    await until(from);
    begin();
    await until(to);
    end();
  };
  // In the middle of the night run, and within a minute of the time at which others are due.
  await deploy('2026-03-16T02:35:00Z', 'b');
  const dies = () => working.kill();
  const begins = (name: string) => () => {
    working = world.start(name);
  };
  const turn = (what: 'databaseUp' | 'apiUp', on: boolean) => () => {
    world[what] = on;
  };
  await away(downtimes.noProcess, dies, begins('c'));
  await deploy('2026-03-18T07:00:00Z', 'd');
  await deploy('2026-03-18T07:01:00Z', 'e');
  await away(downtimes.asleep, dies, begins('f'));
  await away(downtimes.noDatabase, turn('databaseUp', false), turn('databaseUp', true));
  await until('2026-03-27T02:30:00Z');
  working.kill();
  await pass(10_000);
  working = world.start('g');
  // A second one stands by over the change of the clocks, and takes over when the first dies.
  await until('2026-03-28T20:00:00Z');
  const standIn = world.start('h');
  await until('2026-03-28T20:05:00Z');
  const states = [standIn.state];
  await until('2026-03-29T01:10:00Z');
  working.kill();
  await pass(6_000);
  states.push(standIn.state);
  working = standIn;
  await away(downtimes.noApi, turn('apiUp', false), turn('apiUp', true));
  await deploy('2026-04-04T15:29:50Z', 'i');
  await deploy('2026-04-04T16:29:50Z', 'j');
  await until(monthEnd);
  await working.stop();
  return { world, standIn: states };
}

/** What became of each moment of a job; none of it: all was as it should be. */
function auditJob(job: Job, { runs }: SchedulerWorld) {
  const done = runs.filter((run) => run.job === job.name && run.status === 'complete');
  const begun = Date.parse(monthStart);
  const answered = job.once === true ? done.map(() => begun) : done.map((run) => run.dueAt?.getTime() ?? 0);
  const moments = job.once === true ? [begun] : momentsOf(job);
  const inMonth = (ms: number) => ms >= begun && ms < Date.parse(lastMoment);
  const unanswered = moments.filter((moment) => !answered.includes(moment));
  return {
    moments,
    successes: done.length,
    missed: unanswered.filter((moment) => !isExcused(job, moment, moments)),
    doubled: answered.filter((moment, index) => answered.indexOf(moment) !== index),
    /** Answered though no clock showed them. */
    invented: answered.filter((moment) => inMonth(moment) && !moments.includes(moment)),
  };
}

function momentsOf({ schedule = '', timeZone: zone = timeZone }: Job): number[] {
  const { times } = parseCron(schedule);
  const found: number[] = [];
  let next = times && nextDue(times, zone, new Date(Date.parse(monthStart) - 1));
  while (times && next !== undefined && next < new Date(lastMoment)) {
    found.push(next.getTime());
    next = nextDue(times, zone, next);
  }
  return found;
}

/** It lies in a downtime that lasted until its next moment was near: that one took its place. */
function isExcused(job: Job, moment: number, moments: readonly number[]): boolean {
  const next = moments.find((other) => other > moment) ?? Number.POSITIVE_INFINITY;
  const runMs = minutesOf(job.name) * 60_000;
  // A run that fails is tried again after an hour at the latest.
  const lateMs = runMs + 61 * 60_000;
  return Object.values(downtimes).some(
    ({ from, to }) =>
      moment >= Date.parse(from) - runMs && moment <= Date.parse(to) && next <= Date.parse(to) + lateMs,
  );
}

/** Runs of one job that were at work at the same time. */
function overlaps({ runs }: SchedulerWorld): readonly string[] {
  return runs.flatMap((run) => {
    const endMs = run.finishedAt?.getTime() ?? run.startedAt.getTime();
    return runs
      .filter((other) => other.job === run.job && other.id > run.id && other.startedAt.getTime() < endMs)
      .map((other) => `${run.job}: run ${other.id} began before run ${run.id} had ended`);
  });
}

describe('a month unattended', () => {
  test('misses no moment and doubles none, over changes of the clocks, deploys, crashes and outages', async () => {
    vi.setSystemTime(monthStart);
    const packaged = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
    const jobs = [...packaged, ...awkwardJobs];
    const { world, standIn } = await liveThroughTheMonth(jobs);
    expect(standIn).toEqual(['standing_by', 'working']);
    for (const job of jobs) {
      const { moments, successes, missed, doubled, invented } = auditJob(job, world);
      expect([missed, doubled, invented], job.name).toEqual([[], [], []]);
      expect(successes).toBeGreaterThan(moments.length * 0.8);
    }
    expect(overlaps(world)).toEqual([]);
  }, 600_000);

  test('a laptop that slept for two days catches up once, within minutes of waking', async () => {
    vi.setSystemTime('2026-06-01T12:00:00Z');
    const daily = defineJob({ name: 'daily', description: 'x', schedule: '15 3 * * *', beginAtOnce: true });
    const world = createSchedulerWorld([daily], () => 2);
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    // Asleep: the clock goes on, and no timer fires.
    vi.setSystemTime('2026-06-03T18:00:00Z');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await one.stop();
    const runs = world.runs.map((run) => `${run.dueAt?.toISOString().slice(0, 16)} ${run.status}`);
    expect(runs).toEqual(['2026-06-01T01:15 complete', '2026-06-03T01:15 complete']);
  });

  test('a run that is due while it still runs comes when it has ended', async () => {
    vi.setSystemTime('2026-06-01T07:59:00Z');
    const schedule = '0 * * * *';
    const hourly = defineJob({ name: 'hourly', description: 'x', schedule, beginAtOnce: true });
    const world = createSchedulerWorld([hourly], () => 90);
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    await one.stop();
    // 07:00's first, from 07:59 to 09:29; then the newest that is due each time.
    const runs = world.runs.map((run) => `${run.dueAt?.toISOString().slice(11, 16)} ${run.status}`);
    expect(runs).toEqual(['07:00 complete', '09:00 complete', '10:00 complete', '12:00 stopped']);
  });
});
