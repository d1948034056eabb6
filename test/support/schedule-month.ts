// A month in the life of a scheduler: both changes of the clocks, deploys, crashes, outages and a laptop asleep.
import type { Job } from '../../src/jobs/define-job.ts';
import { defineJob } from '../../src/jobs/define-job.ts';
import { loadConfiguredJobs } from '../../src/jobs/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { createSchedulerWorld, type SchedulerWorld, type WorldProcess } from './scheduler-world.ts';

export const timeZone = 'Europe/Madrid';
export const monthStart = '2026-03-15T00:00:00Z';
const monthEnd = '2026-04-07T00:00:00Z';

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

export const minutesOf = (job: string): number => minutes[job] ?? 2;

/** Loads the jobs that come with the package, and adds awkward ones. */
export async function monthJobs(): Promise<readonly Job[]> {
  return [...(await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog)), ...awkwardJobs];
}

/** Time that passes when told, whoever fakes it. */
interface MonthTime {
  until(moment: string): Promise<void>;
  pass(ms: number): Promise<void>;
}

interface Downtime {
  readonly from: string;
  readonly to: string;
}

/** Nothing could run: no process, no database, or an API that answers nothing. */
export const downtimes = {
  /** Over the night run. */
  noProcess: { from: '2026-03-17T01:00Z', to: '2026-03-17T07:00Z' },
  asleep: { from: '2026-03-21T09:00Z', to: '2026-03-23T10:00Z' },
  noDatabase: { from: '2026-03-26T02:00Z', to: '2026-03-26T04:30Z' },
  noApi: { from: '2026-04-02T01:00Z', to: '2026-04-02T12:00Z' },
} as const satisfies Readonly<Record<string, Downtime>>;

/** Lives through the month. `standIn`: the states of a second scheduler before and after the first one dies. */
export async function liveThroughTheMonth(
  jobs: readonly Job[],
  time: MonthTime,
): Promise<{ world: SchedulerWorld; standIn: readonly unknown[] }> {
  const world = createSchedulerWorld({ jobs, timeZone, runMinutes: minutesOf });
  let working: WorldProcess = world.start('a');
  const deploy = async (at: string, name: string) => {
    await time.until(at);
    await working.stop();
    await time.pass(20_000);
    working = world.start(name);
  };
  const away = async (downtime: Downtime, begin: () => void, end: () => void) => {
    await time.until(downtime.from);
    begin();
    await time.until(downtime.to);
    end();
  };
  // In the middle of the night run, and within a minute of the time at which others are due.
  await deploy('2026-03-16T02:35:00Z', 'b');
  await away(
    downtimes.noProcess,
    () => working.kill(),
    () => {
      working = world.start('c');
    },
  );
  await deploy('2026-03-18T07:00:00Z', 'd');
  await deploy('2026-03-18T07:01:00Z', 'e');
  await away(
    downtimes.asleep,
    () => working.kill(),
    () => {
      working = world.start('f');
    },
  );
  await away(
    downtimes.noDatabase,
    () => {
      world.databaseUp = false;
    },
    () => {
      world.databaseUp = true;
    },
  );
  await time.until('2026-03-27T02:30:00Z');
  working.kill();
  await time.pass(10_000);
  working = world.start('g');
  // A second one stands by over the change of the clocks, and takes over when the first dies.
  await time.until('2026-03-28T20:00:00Z');
  const standIn = world.start('h');
  await time.until('2026-03-28T20:05:00Z');
  const states = [standIn.state];
  await time.until('2026-03-29T01:10:00Z');
  working.kill();
  await time.pass(6_000);
  states.push(standIn.state);
  working = standIn;
  await away(
    downtimes.noApi,
    () => {
      world.apiUp = false;
    },
    () => {
      world.apiUp = true;
    },
  );
  await deploy('2026-04-04T15:29:50Z', 'i');
  await deploy('2026-04-04T16:29:50Z', 'j');
  await time.until(monthEnd);
  await working.stop();
  return { world, standIn: states };
}
