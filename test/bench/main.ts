// test/bench/main.ts [records in thousands [clients]]: prints ratios, asserts nothing.
import { buildIfOlder } from '../support/built-program.ts';
import { withEmptyPostgres } from '../support/empty-postgres.ts';
import { type Cost, cpuOf, measurePipeline } from './pipeline.ts';

const [thousands = 100, clients = 300] = process.argv.slice(2).map(Number);

await buildIfOlder();
const figures = await withEmptyPostgres((url) =>
  measurePipeline(url, Math.max(Math.round((thousands * 1000) / 800), 1), clients),
);
const { records, floor, first, next, again, tiny, deep, tinySlices } = figures;
const write = (line: string) => process.stdout.write(`${line}\n`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');

function line(name: string, cost: Cost, note = ''): void {
  const cells = [
    name.padEnd(28),
    cost.nodeSeconds.toFixed(2).padStart(8),
    cost.postgresSeconds.toFixed(2).padStart(8),
    cpuOf(cost).toFixed(2).padStart(8),
    `${(cpuOf(cost) / cpuOf(floor)).toFixed(2)} ×`.padStart(9),
    cost.wallSeconds.toFixed(1).padStart(8),
    (cost.peakMb === undefined ? '' : `${Math.round(cost.peakMb)} MB`).padStart(8),
  ];
  write(`${cells.join('')}  ${note}`.trimEnd());
}

write(`${count(records)} records on four routes; ${count(tinySlices)} slices of one record.`);
write('CPU seconds                     Node Postgres     both  of floor    wall  memory');
line('floor: fetch, parse, copy', floor);
line('sync, all new', first, `${count(records / first.wallSeconds)} records/s`);
line('next date, 3 % changed', next);
line('again, nothing changed', again, `${figures.versionsWrittenAgain} versions written`);
for (const [name, cost] of [
  ['sync, tiny slices', tiny],
  ['the same, 1,000 dates later', deep],
] as const)
  line(
    name,
    cost,
    `${((cpuOf(cost) / tinySlices) * 1000).toFixed(1)} CPU ms a slice, ${count(tinySlices / cost.wallSeconds)} slices/s`,
  );
