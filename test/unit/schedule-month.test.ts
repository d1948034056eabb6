// The real scheduler over a month with both changes of the clocks, deploys,
// crashes, outages and a laptop asleep.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineJob } from '../../src/jobs/define-job.ts';
import { auditJob, overlaps } from '../support/schedule-audit.ts';
import { liveThroughTheMonth, monthJobs, monthStart, timeZone } from '../support/schedule-month.ts';
import { createSchedulerWorld } from '../support/scheduler-world.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
const until = (moment: string) => pass(Date.parse(moment) - Date.now());

describe('a month unattended', () => {
  test('misses no moment and doubles none, over changes of the clocks, deploys, crashes and outages', async () => {
    vi.setSystemTime(monthStart);
    const jobs = await monthJobs();
    const { world, standIn } = await liveThroughTheMonth(jobs, { until, pass });
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
    const world = createSchedulerWorld({ jobs: [daily], timeZone, runMinutes: () => 2 });
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
    const world = createSchedulerWorld({ jobs: [hourly], timeZone, runMinutes: () => 90 });
    const one = world.start('a');
    await until('2026-06-01T12:30:00Z');
    await one.stop();
    // 07:00's first, from 07:59 to 09:29; then the newest that is due each time.
    const runs = world.runs.map((run) => `${run.dueAt?.toISOString().slice(11, 16)} ${run.status}`);
    expect(runs).toEqual(['07:00 complete', '09:00 complete', '10:00 complete', '12:00 stopped']);
  });
});
