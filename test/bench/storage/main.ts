// test/bench/storage/main.ts [clients products dates]: what a history takes on disc, by how much of it changes a day,
// as versions, as the whole database with its typed rows, and in two other layouts. Versions are written through the
// real publish code.
import type pg from 'pg';
import { addDays, type RunDate } from '../../../src/core/run-date.ts';
import { createDatabase } from '../../../src/db/database.ts';
import { createPool } from '../../../src/db/pool.ts';
import { migrate } from '../../../src/install/migrate.ts';
import { publishRecords } from '../../support/publish-records.ts';
import { withBenchDatabase } from '../bench-database.ts';
import { measureLayouts, type Size } from './layouts.ts';
import { productRecord, revisions, type World } from './world.ts';

const [clients = 4, products = 300, dates = 90] = process.argv.slice(2).map(Number);
const world: World = { clients, products, dates };
const changePercents = [3, 20, 100];
const firstDate = '2026-01-01' as RunDate;

const write = (line = '') => process.stdout.write(`${line}\n`);
const number = (value: number) => value.toLocaleString('en-US');
const megabytes = (value: number) => (value / 1e6).toFixed(1);

/** One history in a database of its own. */
async function measure(changePercent: number): Promise<Size[]> {
  return await withBenchDatabase(async (url) => {
    const pool = createPool({ connectionString: url, max: 4, applicationName: 'bench' });
    try {
      await migrate(pool, ['products']);
      const emptyBytes = await databaseBytes(pool);
      const db = createDatabase(pool);
      for (const [index, day] of revisions(world, changePercent).entries()) {
        const runDate = addDays(firstDate, index);
        for (let client = 0; client < clients; client += 1) {
          const records = day
            .slice(client * products, (client + 1) * products)
            .map((revision, product) => productRecord(client * products + product, revision));
          await publishRecords(db, { stream: 'products', clientId: `cliente_${client}`, runDate, records });
        }
        // Autovacuum would do this between two days.
        await pool.query('vacuum');
      }
      const wholeBytes = (await databaseBytes(pool)) - emptyBytes;
      const [versions, ...others] = await measureLayouts(pool);
      const whole = { layout: 'the whole database', tableBytes: wholeBytes, indexBytes: 0 };
      return [...(versions === undefined ? [] : [versions, { ...versions, ...whole }]), ...others];
    } finally {
      await pool.end();
    }
  });
}

/** Less what an empty schema takes, this is what the history takes, bookkeeping and typed rows included. */
async function databaseBytes(pool: pg.Pool): Promise<number> {
  await pool.query('vacuum');
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes);
}

function line(cells: readonly string[]): void {
  const widths = [12, 28, 10, 10, 10, 10, 14];
  write(
    cells
      .map((cell, index) => (index === 1 ? cell.padEnd(28) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
}

const startedAt = performance.now();
write(
  `${number(clients)} clients × ${number(products)} records × ${number(dates)} run dates = ${number(clients * products * dates)} records and dates, ` +
    `${number(Buffer.byteLength(JSON.stringify(productRecord(1, 1))))} bytes of JSON each. MB on disc after vacuum.`,
);
write();
line(['changes/day', 'layout', 'rows', 'tables', 'indexes', 'MB', 'of versions']);
for (const percent of changePercents) {
  const sizes = await measure(percent);
  const total = (size: Size) => size.tableBytes + size.indexBytes;
  const [versions] = sizes;
  for (const size of sizes) {
    const ratio = versions === undefined ? 0 : total(size) / total(versions);
    line([
      size === versions ? `${percent} %` : '',
      size.layout,
      number(size.rows),
      megabytes(size.tableBytes),
      megabytes(size.indexBytes),
      megabytes(total(size)),
      size === versions ? '' : `${ratio.toFixed(2)} ×`,
    ]);
  }
}
write();
write(`Took ${Math.round((performance.now() - startedAt) / 1000)} s.`);
