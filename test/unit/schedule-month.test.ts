// The real scheduler and the real node-cron over a month with both changes of the clocks, deploys,
// crashes, outages and a laptop asleep. SHOW=1 prints each job's successes by day.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineJob, type Job } from '../../src/schedule/define-job.ts';
import { loadConfiguredJobs } from '../../src/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { createSchedulerWorld, type SchedulerWorld, type WorldProcess } from '../support/scheduler-world.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const timeZone = 'Europe/Madrid';
/** Madrid skips 02:00–03:00 on 29 March, Sydney shows 02:00–03:00 twice on 5 April. */
const extra = [
  defineJob({ name: 'madrid-0230', description: 'x', schedule: '30 2 * * *' }),
  defineJob({ name: 'sydney-0230', description: 'x', schedule: '30 2 * * *', timeZone: 'Australia/Sydney' }),
  defineJob({ name: 'hourly', description: 'x', schedule: '0 * * * *' }),
];
const minutes: Readonly<Record<string, number>> = {
  'daily-snapshot': 40,
  'weekly-full-walk': 180,
  'rank-watch': 4,
};

const until = (text: string) => vi.advanceTimersByTimeAsync(Date.parse(text) - Date.now());

/** Every moment by looking at each minute of the clock on the wall: a definition of its own. */
function momentsOf(job: Job, from: string, to: string): number[] {
  if (job.schedule === undefined) return [];
  const zone = job.timeZone ?? timeZone;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const shows = (ms: number) => format.format(ms);
  const [minute, hours, , , weekday] = job.schedule.split(' ');
  const fits = (wall: string) =>
    Number(wall.slice(14)) === Number(minute) &&
    (hours === '*' ||
      (hours ?? '')
        .split(',')
        .map(Number)
        .includes(Number(wall.slice(11, 13)))) &&
    (weekday === '*' || new Date(`${wall.slice(0, 10)}T00:00Z`).getUTCDay() === 0);
  const found: number[] = [];
  const seen = new Set<string>();
  const stepMs = 5 * 60_000;
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += stepMs) {
    const wall = shows(ms);
    const skipped = (Date.parse(`${wall}Z`) - Date.parse(`${shows(ms - stepMs)}Z`) - stepMs) / 60_000;
    for (let ago = skipped; ago > 0; ago -= 5) {
      // What the clocks skip comes as much later.
      const missing = new Date(Date.parse(`${wall}Z`) - ago * 60_000)
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ');
      if (fits(missing)) found.push(ms + (skipped - ago) * 60_000);
    }
    if (fits(wall) && !seen.has(wall)) found.push(ms);
    seen.add(wall);
  }
  return [...new Set(found)].sort((a, b) => a - b);
}

interface Downtime {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** Nothing could run: no process, no database, or an API that answers nothing. */
const downtimes: readonly Downtime[] = [
  { from: '2026-03-17T01:00Z', to: '2026-03-17T07:00Z', why: 'no process (6 h over the night run)' },
  { from: '2026-03-21T09:00Z', to: '2026-03-23T10:00Z', why: 'laptop asleep (49 h)' },
  { from: '2026-03-26T02:00Z', to: '2026-03-26T04:30Z', why: 'database away (2.5 h)' },
  { from: '2026-04-02T01:00Z', to: '2026-04-02T12:00Z', why: 'API away (11 h)' },
];
const [noProcess, asleep, noDatabase, noApi] = downtimes;

async function liveThroughTheMonth(world: SchedulerWorld): Promise<void> {
  let working: WorldProcess = world.start('a');
  const deploy = async (at: string, name: string) => {
    await until(at);
    await working.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    working = world.start(name);
  };
  const away = async (downtime: Downtime | undefined, begin: () => void, end: () => void) => {
    if (downtime === undefined) return;
    await until(downtime.from);
    begin();
    await until(downtime.to);
    end();
  };
  // In the middle of the night run, and within a minute of the time at which others are due.
  await deploy('2026-03-16T02:35:00Z', 'b');
  await away(
    noProcess,
    () => working.kill(),
    () => (working = world.start('c')),
  );
  await deploy('2026-03-18T07:00:00Z', 'd');
  await deploy('2026-03-18T07:01:00Z', 'e');
  await away(
    asleep,
    () => working.kill(),
    () => (working = world.start('f')),
  );
  await away(
    noDatabase,
    () => (world.databaseUp = false),
    () => (world.databaseUp = true),
  );
  // A crash while the night run works; started again by its supervisor.
  await until('2026-03-27T02:30:00Z');
  working.kill();
  await vi.advanceTimersByTimeAsync(10_000);
  working = world.start('g');
  // A second one stands by over the change of the clocks, and takes over when the first dies.
  await until('2026-03-28T20:00:00Z');
  const standIn = world.start('h');
  await until('2026-03-28T20:05:00Z');
  expect([working.state, standIn.state]).toEqual(['working', 'standing_by']);
  await until('2026-03-29T01:10:00Z');
  working.kill();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(standIn.state).toBe('working');
  working = standIn;
  await away(
    noApi,
    () => (world.apiUp = false),
    () => (world.apiUp = true),
  );
  await deploy('2026-04-04T15:29:50Z', 'i');
  await deploy('2026-04-04T16:29:50Z', 'j');
  await until('2026-04-14T00:00:00Z');
  await working.stop();
}

/** Successes of each job by the day of its schedule. */
function tableOf(jobs: readonly Job[], world: SchedulerWorld): string[] {
  const days = new Map<string, Map<string, number>>();
  for (const run of world.runs) {
    if (run.status !== 'complete') continue;
    const zone = jobs.find((job) => job.name === run.job)?.timeZone ?? timeZone;
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(run.dueAt ?? run.startedAt);
    const row = days.get(day) ?? new Map<string, number>();
    days.set(day, row.set(run.job, (row.get(run.job) ?? 0) + 1));
  }
  const names = jobs.map((job) => job.name);
  return [
    ['day       ', ...names].join('  '),
    ...[...days].sort().map(([day, row]) => {
      const cells = names.map((name) => String(row.get(name) ?? '.').padStart(name.length));
      const why = downtimes.filter(({ from, to }) => day >= from.slice(0, 10) && day <= to.slice(0, 10));
      return [day, ...cells, ...why.map((one) => one.why)].join('  ');
    }),
  ];
}

describe('a month unattended', () => {
  test('misses no moment and doubles none, over changes of the clocks, deploys, crashes and outages', async () => {
    const jobs = [...(await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog)), ...extra];
    vi.setSystemTime('2026-03-15T00:00:00Z');
    const world = createSchedulerWorld({ jobs, timeZone, runMinutes: (name) => minutes[name] ?? 2 });
    await liveThroughTheMonth(world);
    if (process.env['SHOW'] !== undefined) process.stdout.write(`${tableOf(jobs, world).join('\n')}\n`);

    for (const job of jobs) {
      const done = world.runs.filter((run) => run.job === job.name && run.status === 'complete');
      if (job.once === true) {
        expect(done).toHaveLength(1);
        continue;
      }
      const answered = done.map((run) => run.dueAt?.getTime() ?? 0);
      expect(new Set(answered).size, `${job.name} doubles none`).toBe(answered.length);
      const moments = momentsOf(job, '2026-03-15T00:00Z', '2026-04-13T23:00Z');
      const missed = moments.filter((moment) => !answered.includes(moment));
      // What was missed lies in a downtime that lasted until its next moment was near: that one took its place.
      const unexplained = missed.filter((moment) => {
        const next = moments.find((other) => other > moment) ?? Number.POSITIVE_INFINITY;
        const lateMs = ((minutes[job.name] ?? 2) + 61) * 60_000;
        return !downtimes.some(({ from, to }) => {
          const beginsMs = Date.parse(from) - (minutes[job.name] ?? 2) * 60_000;
          return moment >= beginsMs && moment <= Date.parse(to) && next <= Date.parse(to) + lateMs;
        });
      });
      expect(
        unexplained.map((ms) => new Date(ms).toISOString()),
        `${job.name} misses none`,
      ).toEqual([]);
      const invented = answered.filter(
        (ms) => ms >= Date.parse('2026-03-15T00:00Z') && !moments.includes(ms),
      );
      expect(invented.filter((ms) => ms < Date.parse('2026-04-13T23:00Z'))).toEqual([]);
    }
    // No job ever overlapped itself.
    for (const run of world.runs) {
      const others = world.runs.filter((other) => other.job === run.job && other.id > run.id);
      const endMs = run.finishedAt?.getTime() ?? run.startedAt.getTime();
      expect(others.every((other) => other.startedAt.getTime() >= endMs)).toBe(true);
    }
  }, 120_000);

  test('starts on the second, because node-cron rings', async () => {
    vi.setSystemTime('2026-06-01T07:30:37Z');
    const world = createSchedulerWorld({ jobs: extra.slice(2), timeZone, runMinutes: () => 2 });
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    await one.stop();
    const late = world.runs.slice(1).map((run) => run.startedAt.getTime() - (run.dueAt?.getTime() ?? 0));
    expect(late).toHaveLength(5);
    expect(Math.max(...late)).toBeLessThan(1_000);
  });

  test('a laptop that slept for two days catches up once, within minutes of waking', async () => {
    vi.setSystemTime('2026-06-01T12:00:00Z');
    const daily = defineJob({ name: 'daily', description: 'x', schedule: '15 3 * * *' });
    const world = createSchedulerWorld({ jobs: [daily], timeZone, runMinutes: () => 2 });
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    // Asleep: the clock goes on, and no timer fires.
    vi.setSystemTime('2026-06-03T18:00:00Z');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await one.stop();
    expect(world.runs.map((run) => [run.dueAt?.toISOString(), run.status])).toEqual([
      ['2026-06-01T01:15:00.000Z', 'complete'],
      ['2026-06-03T01:15:00.000Z', 'complete'],
    ]);
  });

  test('a run that is due while it still runs comes when it has ended', async () => {
    vi.setSystemTime('2026-06-01T07:59:00Z');
    const [hourly] = extra.slice(2);
    if (hourly === undefined) throw new Error('no job');
    const world = createSchedulerWorld({ jobs: [hourly], timeZone, runMinutes: () => 90 });
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    await one.stop();
    // 07:00's first, from 07:59 to 09:29; then the newest that is due each time.
    expect(world.runs.map((run) => [run.dueAt?.toISOString().slice(11, 16), run.status])).toEqual([
      ['07:00', 'complete'],
      ['09:00', 'complete'],
      ['10:00', 'complete'],
      ['12:00', 'stopped'],
    ]);
  });
});
