// test/bench/schedule/main.ts: a month of the real scheduler under a fake clock, each job's successes by day.
import { auditJob, monthTable, overlaps } from '../../support/schedule-audit.ts';
import { liveThroughTheMonth, monthJobs, monthStart } from '../../support/schedule-month.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const write = (line = '') => process.stdout.write(`${line}\n`);

const jobs = await monthJobs();
const startMs = Date.parse(monthStart);
const clock = createVirtualClock(startMs);
const RealDate = globalThis.Date;
class FakeDate extends RealDate {
  static override now(): number {
    return clock.now();
  }
  constructor(...args: readonly [] | readonly [string | number | Date]) {
    super(args[0] ?? clock.now());
  }
}
globalThis.Date = FakeDate as DateConstructor;
const { world, incidents } = await liveThroughTheMonth(jobs, {
  until: (moment) => clock.runUntil(RealDate.parse(moment) - startMs),
  pass: (ms) => clock.runUntil(clock.worldMs() + ms),
});
globalThis.Date = RealDate;
clock.restore();

write(
  'Successes by day. Real: the scheduler, node-cron, what is overdue. Model: locks, runs and their table.',
);
write();
for (const line of monthTable(jobs, world, incidents)) write(line);
write();
const audits = jobs.map((job) => auditJob(job, world));
const row = (cells: readonly (string | number)[]) =>
  write(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(18) : String(cell).padStart(10))).join(''));
row(['job', 'moments', 'answered', 'replaced', 'missed', 'doubled']);
for (const { job, moments, excused, missed, doubled, invented } of audits) {
  const answered = moments.length - excused.length - missed.length;
  row([job.name, moments.length, answered, excused.length, missed.length, doubled.length + invented.length]);
}
write();
write(
  'Replaced: nothing could run until the next moment, whose run took its place; the API shows today only.',
);
const wrong = audits.flatMap(({ missed, doubled, invented }) => [...missed, ...doubled, ...invented]).length;
const overlapping = overlaps(world).length;
write(`${wrong === 0 ? 'None missed, none doubled' : `${wrong} wrong`}; ${overlapping} runs overlapped.`);
process.exitCode = wrong + overlapping === 0 ? 0 : 1;
