// Figures of several clients together: names that differ, lines without jumps, money by period, rows that are clients.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { measuresOf, rowMeasuresOf } from '../../src/db/code/measures.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

const point = (fecha: string, puntuacion: number) => ({
  metodo: 'v2',
  comparable: true,
  fecha,
  puntuacion,
  dimensiones: { trust: puntuacion },
});
const period = (desde: string, hasta: string) => ({ periodo: { desde, hasta } });
const sale = (canal: string, importe: number) => ({ canal, importe, moneda: 'EUR', pedidos: 1 });

async function publishRank(
  clientId: string,
  points: readonly object[],
  runDate = '2026-03-04',
): Promise<void> {
  const slice = { stream: 'airank_history', clientId, runDate, records: points };
  await publishRecords(db, { ...slice, key: [['fecha']] });
}

async function publishRevenue(runDate: string, sales: readonly object[], rest: object): Promise<void> {
  const slice = { stream: 'revenue', clientId: 'c1', runDate, records: sales, rest: { ...rest } };
  await publishRecords(db, { ...slice, key: [['canal']] });
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  const client = (id: string, nombre: string) => ({ id, nombre, sector: 'travel', pais: 'ES' });
  for (const [account, names] of Object.entries({
    one: ['Acme', 'Acme', 'Beta', 'Solo'],
    two: ['Acme', 'Beta'],
  })) {
    const records = names.map((name, place) => client(`${account === 'one' ? 'c' : 'd'}${place + 1}`, name));
    await publishRecords(db, { stream: 'clientes', account, runDate: '2026-03-04', records });
  }
  // As accounts of the tests are called.
  const runDate = '2026-02-01';
  await publishRecords(db, {
    stream: 'clientes',
    runDate,
    records: [client('c1', 'Uno'), client('c2', 'Dos')],
  });
  await publishRank('c1', [point('2026-03-01', 40), point('2026-03-04', 46)]);
  await publishRank('c2', [point('2026-03-01', 60), point('2026-03-02', 62), point('2026-03-03', 64)]);
  await publishRevenue(
    '2026-01-30',
    [sale('chat', 90), sale('search', 5)],
    period('2026-01-01', '2026-01-30'),
  );
  await publishRevenue('2026-01-31', [sale('chat', 100)], period('2026-01-01', '2026-01-31'));
  await publishRevenue(
    '2026-02-01',
    [sale('chat', 3), sale('search', 1)],
    period('2026-02-01', '2026-02-01'),
  );
  await publishRevenue(
    '2026-03-04',
    [sale('chat', 70), sale('search', 2)],
    period('2026-02-01', '2026-02-28'),
  );
  await refreshViews(db);
  await refreshMapping(db);
});
afterAll(async () => {
  await database.drop();
});

async function read(query: string): Promise<unknown[][]> {
  const { rows } = await database.pool.query<unknown[]>({ text: query, rowMode: 'array' });
  return rows;
}

/** The SQL of a saved measure. */
function measure(view: string, name: string): string {
  const of = catalogue().find((one) => one.view === view);
  const all = of === undefined ? [] : [...measuresOf(of), ...rowMeasuresOf(of)];
  return all.find((one) => one.name === name)?.sql ?? `'no ${name}'`;
}

it('gives each client a name of its own', async () => {
  const names = await read(
    `select client_key, client_name from bi.clients where account <> 'default' and not is_account order by 1`,
  );
  expect(names).toEqual([
    ['one/c1', 'Acme (one/c1)'],
    ['one/c2', 'Acme (one/c2)'],
    ['one/c3', 'Beta (one)'],
    ['one/c4', 'Solo'],
    ['two/d1', 'Acme (two)'],
    ['two/d2', 'Beta (two)'],
  ]);
  expect(await read(`select listed_name from bi.clients where client_key = 'one/c1'`)).toEqual([['Acme']]);
  expect(await read('select client_name from bi.clients group by 1 having count(*) > 1')).toEqual([]);
});

it('has sector and country in every view with a client', async () => {
  const { rows } = await database.pool.query<{ view: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname as view from pg_class as c
     where c.relnamespace::regnamespace::text in ('bi', 'bi_history') and exists (
       select from pg_attribute where attrelid = c.oid and attname = 'client_name')
     and (select count(*) from pg_attribute where attrelid = c.oid and attname in ('client_sector', 'client_country')) <> 2`,
  );
  expect(rows).toEqual([]);
  const [row] = await read(
    `select client_sector, client_country from bi.rank_trend where client_id = 'c1' limit 1`,
  );
  expect(row).toEqual(['travel', 'ES']);
});

it('counts clients as rows of the list of clients, and not the account itself', async () => {
  const rows = measure('bi.clients', 'row_count');
  expect(await read(`select account, ${rows}::int from bi.clients group by 1 order by 1`)).toEqual([
    ['default', 2],
    ['one', 4],
    ['two', 2],
  ]);
});

it('draws the line of a portfolio from the same clients each day', async () => {
  const line = `select date::text, ${measure('bi.rank_daily', 'avg_score')}::float8 from bi.rank_daily group by 1 order by 1`;
  expect(await read(line)).toEqual([
    ['2026-03-01', 50],
    ['2026-03-02', 51],
    ['2026-03-03', 52],
    ['2026-03-04', 55],
  ]);
  expect(
    await read(
      `select client_id, date::text, score::int, point_date::text from bi.rank_daily where date = '2026-03-04' order by 1`,
    ),
  ).toEqual([
    ['c1', '2026-03-04', 46, '2026-03-04'],
    ['c2', '2026-03-04', 64, '2026-03-03'],
  ]);
});

it('has no mean of points of several clients, which jumps where one has none', async () => {
  const mean = measure('bi.rank_trend', 'avg_score');
  const points = 'bi.rank_trend where';
  expect(await read(`select ${mean}::float8 from ${points} date = '2026-03-01'`)).toEqual([[null]]);
  expect(await read(`select ${mean}::float8 from ${points} client_id = 'c1'`)).toEqual([[43]]);
});

it('says of dimensions what is so now', async () => {
  const now = measure('bi.rank_dimensions', 'avg_score_now');
  expect(await read(`select client_id, ${now}::int from bi.rank_dimensions group by 1 order by 1`)).toEqual([
    ['c1', 46],
    ['c2', 64],
  ]);
});

it('has money once a period, by the newest word on it', async () => {
  const sum = measure('bi.revenue_by_period', 'sum_revenue_amount');
  expect(
    await read(
      `select period_start_date::text, max(period_end_date)::text, ${sum}::int from bi.revenue_by_period group by 1 order by 1`,
    ),
  ).toEqual([
    // The other channel of January is in its last list no more.
    ['2026-01-01', '2026-01-31', 100],
    ['2026-02-01', '2026-02-28', 72],
  ]);
});

it('shows the last of periods that overlap', async () => {
  for (const day of ['05', '06', '07']) {
    await publishRevenue(
      `2026-03-${day}`,
      [sale('chat', Number(day))],
      period(`2026-02-${day}`, `2026-03-${day}`),
    );
  }
  expect(
    await read('select period_start_date::text, revenue_amount::int from bi.revenue_by_period order by 1'),
  ).toEqual([
    ['2026-01-01', 100],
    ['2026-02-07', 7],
  ]);
});
