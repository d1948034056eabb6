// Figures of several clients together: names that differ, lines without jumps, money by period, rows that are clients, and
// rows of bi_history that are the last of their stream and client, of their week and month.
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { measuresOf, rowMeasuresOf } from '../../src/db/code/measures.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const { lines } = database;

async function publishClients(account: string, names: Readonly<Record<string, string>>): Promise<void> {
  const client = { sector: 'travel', pais: 'ES' };
  const records = Object.entries(names).map(([id, nombre]) => ({ ...client, id, nombre }));
  await publishRecords(database.db, { stream: 'clientes', account, runDate: '2026-02-01', records });
}

async function publishRank(clientId: string, scores: Readonly<Record<string, number>>): Promise<void> {
  const records = Object.entries(scores).map(([fecha, puntuacion]) => ({
    ...{ metodo: 'v2', comparable: true, fecha, puntuacion, dimensiones: { trust: puntuacion } },
  }));
  const slice = { stream: 'airank_history', clientId, runDate: '2026-03-04', records };
  await publishRecords(database.db, { ...slice, key: [['fecha']] });
}

async function publishRevenue(
  runDate: string,
  [desde, hasta]: readonly [string, string],
  sales: Readonly<Record<string, number>>,
): Promise<void> {
  const records = Object.entries(sales).map(([canal, importe]) => ({
    ...{ canal, importe, moneda: 'EUR', pedidos: 1 },
  }));
  const slice = { stream: 'revenue', clientId: 'c1', runDate, records, rest: { periodo: { desde, hasta } } };
  await publishRecords(database.db, { ...slice, key: [['canal']] });
}

beforeAll(async () => {
  await publishClients('one', { c1: 'Acme', c2: 'Acme', c3: 'Beta', c4: 'Solo' });
  await publishClients('two', { d1: 'Acme', d2: 'Beta' });
  await publishClients('default', { c1: 'Uno', c2: 'Dos' });
  await publishRank('c1', { '2026-03-01': 40, '2026-03-04': 46 });
  await publishRank('c2', { '2026-03-01': 60, '2026-03-02': 62, '2026-03-03': 64 });
  await publishRevenue('2026-01-30', ['2026-01-01', '2026-01-30'], { chat: 90, search: 5 });
  await publishRevenue('2026-01-31', ['2026-01-01', '2026-01-31'], { chat: 100 });
  await publishRevenue('2026-02-01', ['2026-02-01', '2026-02-01'], { chat: 3, search: 1 });
  await publishRevenue('2026-03-04', ['2026-02-01', '2026-02-28'], { chat: 70, search: 2 });
  await refreshViews(database.db);
  await refreshMapping(database.db);
});

/** The SQL of a saved measure. */
function measure(view: string, name: string): string {
  const of = catalogue().find((one) => one.view === view);
  const all = of === undefined ? [] : [...measuresOf(of), ...rowMeasuresOf(of)];
  return all.find((one) => one.name === name)?.sql ?? `'no ${name}'`;
}

it('gives each client a name of its own', async () => {
  expect(
    await lines(
      `select client_key, client_name from bi.clients where account <> 'default' and not is_account order by 1`,
    ),
  ).toEqual([
    'one/c1 Acme (one/c1)',
    'one/c2 Acme (one/c2)',
    'one/c3 Beta (one)',
    'one/c4 Solo',
    'two/d1 Acme (two)',
    'two/d2 Beta (two)',
  ]);
  expect(await lines(`select listed_name from bi.clients where client_key = 'one/c1'`)).toEqual(['Acme']);
});

it('counts clients as rows of the list of clients, and not the account itself', async () => {
  const rows = measure('bi.clients', 'row_count');
  const counted = await lines(`select account, ${rows}::int from bi.clients group by 1 order by 1`);
  expect(counted).toEqual(['default 2', 'one 4', 'two 2']);
});

it('draws the line of a portfolio from the same clients each day', async () => {
  const mean = measure('bi.rank_daily', 'avg_score');
  expect(await lines(`select date, ${mean}::float8 from bi.rank_daily group by 1 order by 1`)).toEqual([
    '2026-03-01 50',
    '2026-03-02 51',
    '2026-03-03 52',
    '2026-03-04 55',
  ]);
  expect(
    await lines(
      `select client_id, score::int, point_date from bi.rank_daily where date = '2026-03-04' order by 1`,
    ),
  ).toEqual(['c1 46 2026-03-04', 'c2 64 2026-03-03']);
});

it('has no mean of points of several clients, which jumps where one has none', async () => {
  const mean = `select ${measure('bi.rank_trend', 'avg_score')}::float8 from bi.rank_trend`;
  expect(await lines(`${mean} where date = '2026-03-01'`)).toEqual(['-']);
  expect(await lines(`${mean} where client_id = 'c1'`)).toEqual(['43']);
});

it('says of dimensions what is so now', async () => {
  const now = measure('bi.rank_dimensions', 'avg_score_now');
  const said = await lines(`select client_id, ${now}::int from bi.rank_dimensions group by 1 order by 1`);
  expect(said).toEqual(['c1 46', 'c2 64']);
});

it('has money once a period, by the newest word on it, and of periods that overlap the last one', async () => {
  const sum = measure('bi.revenue_by_period', 'sum_revenue_amount');
  const amounts = `select period_start_date, max(period_end_date), ${sum}::int from bi.revenue_by_period group by 1 order by 1`;
  // The other channel of January is in its last list no more.
  expect(await lines(amounts)).toEqual(['2026-01-01 2026-01-31 100', '2026-02-01 2026-02-28 72']);
  for (const day of ['05', '06', '07'])
    await publishRevenue(`2026-03-${day}`, [`2026-02-${day}`, `2026-03-${day}`], { chat: Number(day) });
  expect(await lines(amounts)).toEqual(['2026-01-01 2026-01-31 100', '2026-02-07 2026-03-07 7']);
});

describe('rows of bi_history', () => {
  const own = useDatabase();
  const publish = (stream: string, runDate: string, records: readonly object[], more: object = {}) =>
    publishRecords(own.db, { stream, runDate, records, ...more });
  const publishClients = (runDate: string, clients: readonly string[]) =>
    publish(
      'clientes',
      runDate,
      clients.map((id) => ({ id, nombre: `Client ${id}` })),
    );
  const publishDay = async (
    runDate: string,
    clientId: string,
    citations: Readonly<Record<string, number>>,
  ) => {
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
    await refreshViews(own.db);
    await refreshMapping(own.db);
  });
  const sourcesOf = (which: string) =>
    own.lines(
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
      const left = await own.lines(`select ${all.map(({ sql }) => sql).join(', ')} from ${history.view}`);
      const right = await own.lines(`select ${same.map(({ sql }) => sql).join(', ')} from ${now.view}`);
      expect(left, history.view).toEqual(right);
    }
    expect(
      await own.lines('select sum(revenue_amount)::int from bi_history.revenue where is_latest'),
    ).toEqual(['200']);
  });
});
