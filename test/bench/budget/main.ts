// test/bench/budget/main.ts [clients … [percent=100]]: a year of requests for several sizes of agency. percent: what
// archives may take of a day.
import { fixedRunLimits } from '../../../src/config/config.ts';
import { parseRunDate } from '../../../src/core/run-date.ts';
import { otherUsers, serverKinds, shareKey } from './another-user.ts';
import { runGateDay } from './gate-day.ts';
import { simulateYear } from './year.ts';

const asked = process.argv
  .slice(2)
  .map(Number)
  .filter((count) => count > 0);
const sizes = asked.length > 0 ? asked : [50, 200, 1_000, 3_000];
const percent = process.argv
  .slice(2)
  .find((argument) => argument.startsWith('percent='))
  ?.slice('percent='.length);
const days = 365;
const account = { perMinute: 60, perDay: 5_000, reservePercent: 5 };
const limits = {
  fullRefreshDays: fixedRunLimits.fullRefreshDays,
  fullRefreshPercent: Number(percent ?? fixedRunLimits.fullRefreshPercent),
};
const firstDay = parseRunDate('2026-01-01');
if (firstDay === undefined) throw new Error('no date');

const write = (line = '') => process.stdout.write(`${line}\n`);
const number = (value: number) => Math.round(value).toLocaleString('en-US');
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const most = (values: Iterable<number>) => {
  let found = 0;
  for (const value of values) found = Math.max(found, value);
  return found;
};

function row(label: string, cells: readonly string[]): void {
  write(`  ${label.padEnd(52)}${cells.map((cell) => cell.padStart(14)).join('')}`);
}

write(
  `A year on one key: ${account.perMinute} requests a minute, ${number(account.perDay)} a day, ${account.reservePercent} % of them reserved for people.`,
);
write(
  'Real: planner, incremental rule, trust, reservations; the gate on days 1, 90 and 365. The ledger runs in memory; a',
);
write(
  'property test holds it equal to the one in Postgres. Model: the server (fixed minutes and days, 60 to 500 ms),',
);
write(
  'the data (a measurement a client and week with 10 answers and 20 citations; one old record in 200 archive-days',
);
write('changes), one run a day. Not simulated: HTTP, publishing, failures.');
const failures: string[] = [];
for (const clients of sizes) {
  const began = Date.now();
  const year = simulateYear({ clients, days, account, limits, firstDay });
  const at = (day: number) => year.days[day - 1];
  const settled = year.days.slice(30);
  const refused = year.days.reduce((sum, day) => sum + day.refused, 0);
  const worst = most(settled.map((day) => most(day.ages)));
  const fullWorst = most(settled.map((day) => most(day.fullAges)));
  const fullMiddle = median(settled.map((day) => median(day.fullAges)));
  const bound = most(settled.map((day) => day.withinDays));
  const may = Math.floor(account.perDay * (1 - account.reservePercent / 100));
  const used = settled.reduce((sum, day) => sum + day.requests, 0) / (settled.length * may);
  const ratio = (at(365)?.requests ?? 0) / (at(30)?.requests ?? 1);
  const gates = [];
  for (const day of [1, 90, 365]) {
    gates.push(await runGateDay(at(day)?.requests ?? 0, account.perMinute, account.perDay));
  }
  const gateRefused = gates.reduce((sum, gate) => sum + gate.refused, 0);
  write();
  write(`${number(clients)} clients, ${number(at(365)?.ages.length ?? 0)} slices`);
  row('', ['day 1', 'day 30', 'day 90', 'day 365']);
  row(
    'requests',
    [1, 30, 90, 365].map((day) => number(at(day)?.requests ?? 0)),
  );
  row(
    'requests that everything would take, as planned',
    [1, 30, 90, 365].map((day) => number(at(day)?.load ?? 0)),
  );
  row('429s in the year', [number(refused)]);
  row('staleness from day 31, days: worst', [number(worst)]);
  row('staleness from day 31, days: median', [number(median(settled.map((day) => median(day.ages))))]);
  row('days since the last full refresh of an archive: worst', [number(fullWorst)]);
  row('days since the last full refresh of an archive: median', [number(fullMiddle)]);
  row("share of the day's requests used", [`${(used * 100).toFixed(1)} %`]);
  const lateDays =
    year.late.length === 0
      ? ''
      : `, by ${number(median(year.late))} days in the middle, ${number(most(year.late))} at most`;
  write(
    `  changes seen late because of incremental refreshes: ${year.late.length}${lateDays}; not seen by the end: ${year.unseen}`,
  );
  write(
    `  archives that no day has room to walk in full beside high priority, on day 365: ${number(at(365)?.tailsUnseen ?? 0)}`,
  );
  write(
    `  pages of walks that ran out of budget: ${number(year.days.reduce((sum, day) => sum + day.wasted, 0))} in the year`,
  );
  write(
    `  ceil(C / B) + 1 = ${bound} days; day 365 takes ${ratio.toFixed(2)} × day 30; high priority missed on ${year.highMissed} slice-days`,
  );
  write(
    `  the gate, days 1, 90, 365: ${gates.map((gate) => `${number(gate.minutes)} min, ${(gate.share * 100).toFixed(1)} % of the minutes used, ${gate.refused} × 429`).join('; ')}`,
  );
  write(`  simulated in ${((Date.now() - began) / 1_000).toFixed(1)} s`);
  if (refused + gateRefused > 0) failures.push(`${clients} clients: ${refused + gateRefused} × 429`);
  if (worst > bound) failures.push(`${clients} clients: a slice waited ${worst} days, more than ${bound}`);
  // It comes round every 7 days, and then waits for its turn like everything.
  const fullBound = 2 * limits.fullRefreshDays + bound;
  if (fullWorst > fullBound)
    failures.push(`${clients} clients: no full refresh of an archive for ${fullWorst} days`);
  if (ratio > 1.3) failures.push(`${clients} clients: day 365 takes ${ratio.toFixed(2)} × day 30`);
}
write();
write('Somebody else uses the key: requests of ours refused an hour, and use of the minutes by both.');
row('', serverKinds);
for (const other of otherUsers) {
  for (const processes of [1, 2]) {
    const cells: string[] = [];
    for (const kind of serverKinds) {
      const { refused, use } = await shareKey(kind, other, processes);
      cells.push(`${refused.toFixed(1)}  ${(use * 100).toFixed(1)} %`);
      if (other.burst === 0 && refused > 0) failures.push(`${kind}, alone: ${refused} × 429 an hour`);
    }
    row(`${other.what}, ${processes} of our processes`, cells);
  }
}
write();
write(
  failures.length === 0
    ? 'All required: no 429, no starvation, full refreshes come round, flat cost.'
    : failures.join('\n'),
);
process.exitCode = failures.length === 0 ? 0 : 1;
