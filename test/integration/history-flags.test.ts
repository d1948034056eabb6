// Rows of bi_history that are the last of their stream and client, of their week and month, and the measures of them.
import { beforeAll, expect, it } from 'vitest';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { measuresOf, rowMeasuresOf } from '../../src/db/code/measures.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const publish = (stream: string, runDate: string, records: readonly object[], more: object = {}) =>
  publishRecords(database.db, { stream, runDate, records, ...more });
const publishClients = (runDate: string, clients: readonly string[]) =>
  publish(
    'clientes',
    runDate,
    clients.map((id) => ({ id, nombre: `Client ${id}` })),
  );
const publishDay = async (runDate: string, clientId: string, citations: Readonly<Record<string, number>>) => {
  const records = Object.entries(citations).map(([dominio, citas]) => ({ dominio, citas, ventana: '7d' }));
  await publish('sources', runDate, records, { clientId, key: [['dominio']] });
  const money = { canal: 'chat', importe: 100, moneda: 'EUR', pedidos: 1 };
  await publish('revenue', runDate, [money], { clientId, key: [['canal']] });
};

// Thursday the 30th of April to Tuesday the 12th of May.
beforeAll(async () => {
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
  await refreshViews(database.db);
  await refreshMapping(database.db);
});
const { lines } = database;
const sourcesOf = (which: string) =>
  lines(
    `select run_date, client_id, sum(citation_count)::int from bi_history.sources where ${which} group by 1, 2 order by 1, 2`,
  );

it('counts a client that is a date behind with its last date, and one that left on none', async () => {
  const latest = ['2026-05-04 c2 20', '2026-05-12 c1 7'];
  expect(await sourcesOf('is_latest')).toEqual(latest);
  // Published again it says the same.
  await publishDay('2026-05-12', 'c1', { 'a.test': 7 });
  expect(await sourcesOf('is_latest')).toEqual(latest);
});

it('marks the last complete date of each week and month so far', async () => {
  const both = ['2026-04-30 c2 10', '2026-04-30 c3 1000', '2026-05-04 c2 20', '2026-05-12 c1 7'];
  const weeks = ['2026-05-02 c1 7', '2026-05-04 c1 3'];
  expect(await sourcesOf('is_week_end')).toEqual([...both, ...weeks].sort());
  expect(await sourcesOf('is_month_end')).toEqual(['2026-04-30 c1 6', ...both]);
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
    const left = await lines(`select ${all.map(({ sql }) => sql).join(', ')} from ${history.view}`);
    const right = await lines(`select ${same.map(({ sql }) => sql).join(', ')} from ${now.view}`);
    expect(left, history.view).toEqual(right);
  }
  expect(await lines('select sum(revenue_amount)::int from bi_history.revenue where is_latest')).toEqual([
    '200',
  ]);
});
