// Checks what a figure covers: the days of a count, the period of revenue, the parts beside a list, a horizon.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database.drop();
});

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(db, { stream, clientId: '7', runDate: '2026-03-01', records, ...more });
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows;
}

describe('the days that a count is of', () => {
  it.each<[text: string, days: number | null]>([
    ['28', 28],
    ['28d', 28],
    [' 7 ', 7],
    ['P30D', 30],
    ['últimos 28 días', 28],
    ['last 180 days', 180],
    ['1 day', 1],
    ['visitas_7d', 7],
    ['visitas7d', 7],
    ['hits_30_dias', 30],
    ['stats.ultimos_90d.total', 90],
    ['visitas', null],
    ['por_100', null],
    ['por_100_dominios', null],
    ['2026-05', null],
    ['2026', null],
    ['0', null],
    ['1.5 días', null],
    ['123456 days', null],
    ['24 de mayo', null],
    ['', null],
  ])('of %j are %s', async (text, days) => {
    expect(await rows(`select sync.days_in('${text}') as days`)).toEqual([{ days }]);
  });

  it('come from a field of their own, else from the name of the count, else are unknown', async () => {
    const shown = async () =>
      await rows('select bot, visit_count, window_days from bi.crawl_health order by bot');
    await publish('crawl', [{ bot: 'GPTBot', visitas7d: '12' }], { key: [['bot']] });
    expect(await shown()).toEqual([{ bot: 'GPTBot', visit_count: 12, window_days: 7 }]);
    const own = [
      { bot: 'ClaudeBot', visitas7d: 3 },
      { bot: 'GPTBot', visitas7d: 12, ventana: 'últimos 30 días' },
    ];
    await publish('crawl', own, { key: [['bot']], runDate: '2026-03-02' });
    await refreshMapping(db);
    expect(await shown()).toMatchObject([
      { bot: 'ClaudeBot', window_days: 7 },
      { bot: 'GPTBot', window_days: 30 },
    ]);
    expect(
      await rows(
        `select bot, window_days from bi_history.crawl_health where run_date = '2026-03-02' order by 1`,
      ),
    ).toMatchObject([{ window_days: 7 }, { window_days: 30 }]);
    await publish('sources', [{ dominio: 'a.example', citas: 3 }], { key: [['dominio']] });
    expect(await rows('select citation_count, window_days from bi.sources')).toEqual([
      { citation_count: 3, window_days: null },
    ]);
  });
});

describe('revenue', () => {
  it('of two periods is not added, and has its first and last day', async () => {
    const one = (desde: string, hasta: string, importe: number) => ({
      canal: 'a',
      moneda: 'EUR',
      importe,
      periodo: { desde, hasta },
    });
    const records = [
      one('2026-01-01', '2026-01-31', 10),
      one('2026-01-01', '2026-01-31', 5),
      one('2026-02-01', '2026-02-28', 7),
    ];
    await publish('revenue', records, { key: [] });
    expect(
      await rows(`select revenue_amount, period_start_date::text, period_end_date::text, window_days
        from bi.revenue order by period_start_date`),
    ).toEqual([
      {
        revenue_amount: '15',
        period_start_date: '2026-01-01',
        period_end_date: '2026-01-31',
        window_days: 31,
      },
      {
        revenue_amount: '7',
        period_start_date: '2026-02-01',
        period_end_date: '2026-02-28',
        window_days: 28,
      },
    ]);
  });

  it('by product and landing is of one currency each, and stands beside its funnel', async () => {
    const amount = (more: object) => ({ moneda: 'EUR', importe: 2.5, pedidos: 1, ...more });
    const rest = {
      porMoneda: [{ moneda: 'EUR', importe: 5 }],
      porProducto: [
        amount({ producto: 'Silla' }),
        amount({ producto: 'Silla', moneda: 'USD' }),
        amount({ producto: 'Silla' }),
        { producto: 'Mesa', importe: 9 },
      ],
      porLanding: [amount({ landing: 'https://a.example/x' })],
      embudo: { visitas: 100, carritos: 9, pedidos: 3 },
      periodo: { desde: '2026-02-01', hasta: '2026-02-28' },
    };
    await publish('revenue', [{ canal: 'b', moneda: 'EUR', importe: 5 }], {
      key: [],
      rest,
      runDate: '2026-03-02',
    });
    await refreshMapping(db);
    expect(
      await rows(
        'select product, currency_code, revenue_amount, order_count from bi.revenue_products order by 1, 2',
      ),
    ).toEqual([
      { product: 'Mesa', currency_code: null, revenue_amount: null, order_count: null },
      { product: 'Silla', currency_code: 'EUR', revenue_amount: '5.0', order_count: 2 },
      { product: 'Silla', currency_code: 'USD', revenue_amount: '2.5', order_count: 1 },
    ]);
    expect(await rows('select landing_url, currency_code, revenue_amount from bi.revenue_landings')).toEqual([
      { landing_url: 'https://a.example/x', currency_code: 'EUR', revenue_amount: '2.5' },
    ]);
    expect(await rows('select session_count, cart_count, order_count from bi.revenue_funnels')).toEqual([
      { session_count: 100, cart_count: 9, order_count: 3 },
    ]);
    for (const view of ['revenue_products', 'revenue_landings', 'revenue_funnels']) {
      expect(
        await rows(
          `select distinct period_start_date::text, period_end_date::text, window_days from bi.${view}`,
        ),
      ).toEqual([{ period_start_date: '2026-02-01', period_end_date: '2026-02-28', window_days: 28 }]);
    }
  });
});

it('attributes of a product are a row each, from a map as from a list', async () => {
  const products = [
    { id: 'a', nombre: 'Silla', atributos: { color: 'rojo', peso: 1.5, stock: { es: 3 }, talla: null } },
    { id: 'b', nombre: 'Mesa', atributos: [{ nombre: 'color', valor: 'azul' }, 'plegable'] },
    { id: 'c', nombre: 'Banco', atributos: [{ campo: 'largo', dato: '2 m' }] },
  ];
  await publish('products', products);
  expect(
    await rows(
      'select product_id, title, attribute, value from bi.product_attributes order by product_id, attribute',
    ),
  ).toEqual([
    { product_id: 'a', title: 'Silla', attribute: 'color', value: 'rojo' },
    { product_id: 'a', title: 'Silla', attribute: 'peso', value: '1.5' },
    { product_id: 'a', title: 'Silla', attribute: 'stock', value: '{"es": 3}' },
    { product_id: 'b', title: 'Mesa', attribute: 'color', value: 'azul' },
    { product_id: 'b', title: 'Mesa', attribute: 'plegable', value: null },
    { product_id: 'c', title: 'Banco', attribute: 'largo', value: '2 m' },
  ]);
});

it('points of the series of a rival stay, each as it was said last', async () => {
  const rival = (...serie: readonly (readonly [string, number])[]) => ({
    nombre: 'Rival',
    menciones_por_100: 12,
    serie: serie.map(([fecha, por100]) => ({ fecha, por100 })),
  });
  const key = [['nombre']];
  await publish('competitors', [rival(['2026-02-01', 10], ['2026-02-08', 11])], { key });
  await publish('competitors', [rival(['2026-02-08', 11.5], ['2026-02-15', 12])], {
    key,
    runDate: '2026-03-02',
  });
  await refreshMapping(db);
  expect(
    await rows(
      'select competitor_name, date::text, mentions_per_100_answers as n from bi.competitor_series order by date',
    ),
  ).toEqual([
    { competitor_name: 'Rival', date: '2026-02-01', n: '10' },
    { competitor_name: 'Rival', date: '2026-02-08', n: '11.5' },
    { competitor_name: 'Rival', date: '2026-02-15', n: '12' },
  ]);
});

it('the sitemap, what is crawled and what is cited of it stand in one row', async () => {
  const rest = {
    sitemap: { urls: 120, rastreadas: 90, revisado: '2026-02-28' },
    rastreoYCita: { rastreadasYCitadas: 20, rastreadasSinCita: 70, citadasSinRastreo: 2 },
  };
  await publish('crawl', [{ bot: 'GPTBot', visitas7d: 3 }], { key: [['bot']], rest, runDate: '2026-03-03' });
  await refreshMapping(db);
  expect(
    await rows(`select sitemap_url_count, crawled_url_count, checked_date::text, crawled_cited_count,
      crawled_uncited_count, cited_uncrawled_count from bi.site_coverage`),
  ).toEqual([
    {
      sitemap_url_count: 120,
      crawled_url_count: 90,
      checked_date: '2026-02-28',
      crawled_cited_count: 20,
      crawled_uncited_count: 70,
      cited_uncrawled_count: 2,
    },
  ]);
});

it('what is learned of a type of action is a row a type', async () => {
  const aprendizaje = [
    { tipo_accion: 'contenido', leidos: 4, mejoran: 3, cambio_medio: 1.2 },
    { tipo_accion: 'tecnica', leidos: 0, mejoran: 0, cambio_medio: null },
  ];
  await publish('experiments', [{ id: 'e1', accion: 'x' }], { rest: { aprendizaje } });
  expect(
    await rows(`select action_type, experiment_count, improved_count, mean_change
      from bi.action_type_learning order by action_type`),
  ).toEqual([
    { action_type: 'contenido', experiment_count: 4, improved_count: 3, mean_change: '1.2' },
    { action_type: 'tecnica', experiment_count: 0, improved_count: 0, mean_change: null },
  ]);
});

describe('a prediction', () => {
  const point = (fecha: string, metodo: string, puntuacion: number) => ({
    fecha,
    metodo,
    puntuacion,
    comparable: true,
  });
  const outlook = (fecha: string, metodo: string, ...points: readonly (readonly [string, number])[]) => ({
    fecha,
    metodo,
    horizonteDias: 28,
    puntos: points.map(([date, puntuacion]) => ({ fecha: date, puntuacion })),
  });
  const shown = async () =>
    await rows(`select made_date::text, predicted_date::text, horizon_days::integer, observed_date::text,
        observed_score, observed_difference
      from bi_history.predictions order by made_date, predicted_date`);

  beforeAll(async () => {
    const key = [['fecha'], ['metodo']];
    const points = [
      point('2026-01-01', 'v2', 50),
      point('2026-01-08', 'v2', 51),
      point('2026-01-08', 'v1', 90),
      point('2026-01-13', 'v2', 53),
      point('2026-01-20', 'v1', 91),
    ];
    await publish('visibility_history', points, { key, runDate: '2026-01-20' });
    const [first, second] = [
      outlook('2026-01-01', 'v2', ['2026-01-08', 52], ['2026-01-15', 54], ['2026-01-22', 55]),
      outlook('2026-01-08', 'v2', ['2026-01-15', 52]),
    ];
    await publish('prediccion', [first], { key: [], runDate: '2026-01-01' });
    await publish('prediccion', [second], { key: [], runDate: '2026-01-08' });
    await refreshMapping(db);
  });

  it('has its own horizon, and what came of it by its date: the same method, at most six days before', async () => {
    const came = (date: string, score: string, difference: string) => ({
      observed_date: date,
      observed_score: score,
      observed_difference: difference,
    });
    expect(await shown()).toEqual([
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-08',
        horizon_days: 7,
        ...came('2026-01-08', '51', '-1'),
      },
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-15',
        horizon_days: 14,
        ...came('2026-01-13', '53', '-1'),
      },
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-22',
        horizon_days: 21,
        observed_date: null,
        observed_score: null,
        observed_difference: null,
      },
      {
        made_date: '2026-01-08',
        predicted_date: '2026-01-15',
        horizon_days: 7,
        ...came('2026-01-13', '53', '1'),
      },
    ]);
  });

  it('that names no version of the method is compared with the newest one', async () => {
    await publish('prediccion', [outlook('2026-01-09', 'holt-winters', ['2026-01-13', 60])], {
      key: [],
      runDate: '2026-01-09',
    });
    expect((await shown()).at(-1)).toMatchObject({ predicted_date: '2026-01-13', observed_score: '53' });
  });
});
