// Rows of bi_history that are the last of their stream and client, of their week and month, and the measures of them.
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

const publishClients = async (runDate: string, clients: readonly string[]) =>
  await publishRecords(db, {
    stream: 'clientes',
    runDate,
    records: clients.map((id) => ({ id, nombre: `Client ${id}` })),
  });
const publishDay = async (runDate: string, clientId: string, citations: Readonly<Record<string, number>>) => {
  const records = Object.entries(citations).map(([dominio, citas]) => ({ dominio, citas, ventana: '7d' }));
  await publishRecords(db, { stream: 'sources', runDate, clientId, records, key: [['dominio']] });
  const money = { canal: 'chat', importe: 100, moneda: 'EUR', pedidos: 1 };
  await publishRecords(db, { stream: 'revenue', runDate, clientId, records: [money], key: [['canal']] });
};

// Thursday the 30th of April to Tuesday the 12th of May.
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publishClients('2026-04-30', ['c1', 'c2', 'c3']);
  await publishDay('2026-04-30', 'c1', { 'a.test': 1, 'gone.test': 5 });
  await publishDay('2026-04-30', 'c2', { 'a.test': 10 });
  await publishDay('2026-04-30', 'c3', { 'a.test': 1000 });
  await publishDay('2026-05-02', 'c1', { 'a.test': 2, 'gone.test': 5 });
  await publishDay('2026-05-04', 'c1', { 'a.test': 3 });
  await publishDay('2026-05-04', 'c2', { 'a.test': 20 });
  await publishDay('2026-05-11', 'c1', { 'a.test': 4 });
  // c2 is a date behind, and c3 left.
  await publishDay('2026-05-12', 'c1', { 'a.test': 7 });
  await publishClients('2026-05-12', ['c1', 'c2']);
  await refreshViews(db);
  await refreshMapping(db);
});
afterAll(async () => {
  await database.drop();
});

const numbers = async (query: string) => {
  const { rows } = await database.pool.query<unknown[]>({ text: query, rowMode: 'array' });
  return rows;
};
const sourcesOf = (which: string) =>
  numbers(
    `select run_date::text, client_id, sum(citation_count)::int from bi_history.sources where ${which} group by 1, 2 order by 1, 2`,
  );

it('counts a client that is a date behind with its last date, and one that left on none', async () => {
  expect(await sourcesOf('is_latest')).toEqual([
    ['2026-05-04', 'c2', 20],
    ['2026-05-12', 'c1', 7],
  ]);
});

it('marks the last complete date of each week and month so far', async () => {
  expect(await sourcesOf('is_week_end')).toEqual([
    ['2026-04-30', 'c2', 10],
    ['2026-04-30', 'c3', 1000],
    ['2026-05-02', 'c1', 7],
    ['2026-05-04', 'c1', 3],
    ['2026-05-04', 'c2', 20],
    ['2026-05-12', 'c1', 7],
  ]);
  expect(await sourcesOf('is_month_end')).toEqual([
    ['2026-04-30', 'c1', 6],
    ['2026-04-30', 'c2', 10],
    ['2026-04-30', 'c3', 1000],
    ['2026-05-04', 'c2', 20],
    ['2026-05-12', 'c1', 7],
  ]);
});

it('says the same of a date that is published again', async () => {
  await publishDay('2026-05-12', 'c1', { 'a.test': 7 });
  expect(await sourcesOf('is_latest')).toHaveLength(2);
  expect(
    await numbers(
      `select run_date::text, next_date::text from sync.slice where stream = 'sources' and client_id = 'c2' order by 1`,
    ),
  ).toEqual([
    ['2026-04-30', '2026-05-04'],
    ['2026-05-04', null],
  ]);
});

it('has measures whose sum now is what bi says, of each view that is there twice', async () => {
  const histories = catalogue().filter(({ schema }) => schema === 'bi_history');
  const views = catalogue().filter(({ schema }) => schema === 'bi');
  for (const history of histories) {
    const now = views.find(({ name }) => name === history.name);
    if (now === undefined || now.name === 'freshness') continue;
    const all = [...measuresOf(history), ...rowMeasuresOf(history)].filter(({ name }) =>
      name.endsWith('_now'),
    );
    const same = [...measuresOf(now), ...rowMeasuresOf(now)];
    expect(all.map(({ name }) => name.replace(/_now$/, ''))).toEqual(same.map(({ name }) => name));
    const [left] = await numbers(`select ${all.map(({ sql }) => sql).join(', ')} from ${history.view}`);
    const [right] = await numbers(`select ${same.map(({ sql }) => sql).join(', ')} from ${now.view}`);
    expect(left, history.view).toEqual(right);
  }
  expect(await numbers(`select sum(revenue_amount)::int from bi_history.revenue where is_latest`)).toEqual([
    [200],
  ]);
});
