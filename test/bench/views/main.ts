// test/bench/views/main.ts [clients [days [url [views [streams]]]]]: every curated view under the filters of a
// dashboard, p95 of 20 queries in a generated warehouse, beside its target. With the url of a database that this has
// filled before, only the queries run. After that each column of each view is asked for a value. `views` is a pattern of their names; `streams`, separated by commas, are filled
// if they are not there: a database can take a few first.
import { catalogue } from '../../../src/db/code/catalogue.ts';
import { createPool } from '../../../src/db/pool.ts';
import { withEmptyPostgres } from '../../support/empty-postgres.ts';
import { measureColumns } from './columns.ts';
import { fillWarehouse, lastDay } from './fill.ts';
import { filtersOf, measure, type Timing } from './measure.ts';

const [clients = 500, days = 1095] = process.argv.slice(2, 4).map(Number);
const [given, only, wanted] = process.argv.slice(4);
const rounds = 20;
const write = (line: string) => process.stdout.write(`${line}\n`);

async function run(url: string): Promise<void> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench-views' });
  try {
    const filled = await pool.query(`select to_regclass('snapshot.products') is not null as yes`);
    if (filled.rows[0]?.yes !== true || wanted !== undefined) {
      write(`Generating ${clients} clients × ${days} days.`);
      const begun = performance.now();
      await fillWarehouse(pool, { clients, days }, write, wanted?.split(','));
      const size = await pool.query<{ size: string }>(
        'select pg_size_pretty(pg_database_size(current_database())) as size',
      );
      write(`Done in ${Math.round((performance.now() - begun) / 1000)} s, ${size.rows[0]?.size}.`);
    }
    await report(pool);
  } finally {
    await pool.end();
  }
}

async function report(pool: ReturnType<typeof createPool>): Promise<void> {
  write(
    `\nms, p95 of ${rounds} second looks / of their first looks (rows); × is the ratio to the target of 150 ms (28 days: 300), marked where it is missed.\n`,
  );
  write(
    `${'view'.padEnd(26)}${['client × 365 days', 'all × latest', 'all × 28 days'].map((cell) => cell.padStart(30)).join('')}`,
  );
  let missed = 0;
  const cell = (timing: Timing, targetMs: number) => {
    const isMissed = timing.p95Ms > targetMs;
    if (isMissed) missed += 1;
    return `${timing.p95Ms.toFixed(0)} / ${timing.firstP95Ms.toFixed(0)} (${timing.rows}) ${(timing.p95Ms / targetMs).toFixed(2)} ×${isMissed ? ' !' : '  '}`.padStart(
      30,
    );
  };
  const views = catalogue().filter(({ view }) => only === undefined || view.match(only));
  for (const one of views) {
    const cells: string[] = [];
    for (const { query, targetMs } of filtersOf(one))
      cells.push(cell(await measure(pool, query, rounds, clients), targetMs));
    write(`${one.view.padEnd(26)}${cells.join('')}`);
  }
  if (only === undefined || 'api.products_daily'.match(only)) {
    const query = (client: string) =>
      `select * from api.products_daily where client_id = '${client}' and run_date > date '${lastDay}' - 365`;
    write(
      `${'api.products_daily'.padEnd(26)}${cell(await measure(pool, query, rounds, clients), 50)}   (target 50 ms)`,
    );
  }
  write(`\n${missed === 0 ? 'No target is missed.' : `Missed: ${missed}.`}`);
  write(
    '\nEach view whole, and the filters on one column that take more than three times as long (–: stopped at six times).\n',
  );
  write(`\nSlow filters: ${await measureColumns(pool, views, write)}.`);
}

if (given === undefined) await withEmptyPostgres(run);
else await run(given);
