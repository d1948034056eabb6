// Checks what a figure covers: the days of a count, the period of revenue, the parts beside a list, a horizon.
import { describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(database.db, { stream, clientId: '7', runDate: '2026-03-01', records, ...more });
}

const { lines } = database;

describe('the days that a count is of', () => {
  it.each([
    [28, ['28', '28d', ' 28 ', 'P28D', 'últimos 28 días', 'last 28 days', 'visitas_28d', 'visitas28d']],
    [90, ['hits_90_dias', 'stats.ultimos_90d.total']],
    [1, ['1 day']],
    ['-', ['visitas', 'por_100', 'por_100_dominios', '2026-05', '2026', '0', '1.5 días', '123456 days', '']],
  ])('are %s in %j', async (days, texts) => {
    for (const text of texts)
      expect(await lines('select sync.days_in($1)', text), text).toEqual([String(days)]);
  });

  it('come from a field of their own, else from the name of the count, else are unknown', async () => {
    const shown = (schema = 'bi') =>
      lines(
        `select bot, visit_count, window_days from ${schema}.crawl_health where bot is not null order by run_date desc, bot limit 2`,
      );
    await publish('crawl', [{ bot: 'GPTBot', visitas7d: '12' }], { key: [['bot']] });
    expect(await shown()).toEqual(['GPTBot 12 7']);
    const own = [
      { bot: 'ClaudeBot', visitas7d: 3 },
      { bot: 'GPTBot', visitas7d: 12, ventana: 'últimos 30 días' },
    ];
    await publish('crawl', own, { key: [['bot']], runDate: '2026-03-02' });
    await refreshMapping(database.db);
    for (const schema of ['bi', 'bi_history'])
      expect(await shown(schema)).toEqual(['ClaudeBot 3 7', 'GPTBot 12 30']);
    await publish('sources', [{ dominio: 'a.example', citas: 3 }], { key: [['dominio']] });
    expect(await lines('select citation_count, window_days from bi.sources')).toEqual(['3 -']);
  });
});

describe('revenue', () => {
  const period = 'period_start_date, period_end_date, window_days';

  it('of two periods is not added, and has its first and last day', async () => {
    const one = (desde: string, hasta: string, importe: number) => ({
      ...{ canal: 'a', moneda: 'EUR', importe, periodo: { desde, hasta } },
    });
    const records = [
      one('2026-01-01', '2026-01-31', 10),
      one('2026-01-01', '2026-01-31', 5),
      one('2026-02-01', '2026-02-28', 7),
    ];
    await publish('revenue', records, { key: [] });
    expect(await lines(`select revenue_amount, ${period} from bi.revenue order by 2`)).toEqual([
      '15 2026-01-01 2026-01-31 31',
      '7 2026-02-01 2026-02-28 28',
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
    const records = [{ canal: 'b', moneda: 'EUR', importe: 5 }];
    await publish('revenue', records, { key: [], rest, runDate: '2026-03-02' });
    await refreshMapping(database.db);
    for (const [from, figures, expected] of [
      [
        'revenue_products order by 1, 2',
        'product, currency_code, revenue_amount, order_count',
        ['Mesa - - -', 'Silla EUR 5.0 2', 'Silla USD 2.5 1'],
      ],
      ['revenue_landings', 'landing_url, currency_code, revenue_amount', ['https://a.example/x EUR 2.5']],
      ['revenue_funnels', 'session_count, cart_count, order_count', ['100 9 3']],
    ] as const) {
      expect(await lines(`select ${figures}, ${period} from bi.${from}`)).toEqual(
        expected.map((line) => `${line} 2026-02-01 2026-02-28 28`),
      );
    }
  });
});

it('attributes of a product are a row each, from a map as from a list', async () => {
  await publish('products', [
    { id: 'a', nombre: 'Silla', atributos: { color: 'rojo', peso: 1.5, stock: { es: 3 }, talla: null } },
    { id: 'b', nombre: 'Mesa', atributos: [{ nombre: 'color', valor: 'azul' }, 'plegable'] },
    { id: 'c', nombre: 'Banco', atributos: [{ campo: 'largo', dato: '2 m' }] },
  ]);
  expect(
    await lines('select product_id, title, attribute, value from bi.product_attributes order by 1, 3'),
  ).toEqual([
    'a Silla color rojo',
    'a Silla peso 1.5',
    'a Silla stock {"es": 3}',
    'b Mesa color azul',
    'b Mesa plegable -',
    'c Banco largo 2 m',
  ]);
});

it('points of the series of a rival stay, each as it was said last', async () => {
  const rival = (...serie: readonly (readonly [string, number])[]) => ({
    ...{ nombre: 'Rival', menciones_por_100: 12, serie: serie.map(([fecha, por100]) => ({ fecha, por100 })) },
  });
  const key = [['nombre']];
  await publish('competitors', [rival(['2026-02-01', 10], ['2026-02-08', 11])], { key });
  const next = [rival(['2026-02-08', 11.5], ['2026-02-15', 12])];
  await publish('competitors', next, { key, runDate: '2026-03-02' });
  await refreshMapping(database.db);
  expect(
    await lines(
      'select competitor_name, date, mentions_per_100_answers from bi.competitor_series order by 2',
    ),
  ).toEqual(['Rival 2026-02-01 10', 'Rival 2026-02-08 11.5', 'Rival 2026-02-15 12']);
});

it('the sitemap, what is crawled and what is cited of it stand in one row', async () => {
  const rest = {
    sitemap: { urls: 120, rastreadas: 90, revisado: '2026-02-28' },
    rastreoYCita: { rastreadasYCitadas: 20, rastreadasSinCita: 70, citadasSinRastreo: 2 },
  };
  await publish('crawl', [{ bot: 'GPTBot', visitas7d: 3 }], { key: [['bot']], rest, runDate: '2026-03-03' });
  await refreshMapping(database.db);
  expect(
    await lines(`select sitemap_url_count, crawled_url_count, checked_date, crawled_cited_count,
      crawled_uncited_count, cited_uncrawled_count from bi.site_coverage`),
  ).toEqual(['120 90 2026-02-28 20 70 2']);
});

it('what is learned of a type of action is a row a type', async () => {
  const aprendizaje = [
    { tipo_accion: 'contenido', leidos: 4, mejoran: 3, cambio_medio: 1.2 },
    { tipo_accion: 'tecnica', leidos: 0, mejoran: 0, cambio_medio: null },
  ];
  await publish('experiments', [{ id: 'e1', accion: 'x' }], { rest: { aprendizaje } });
  expect(
    await lines(`select action_type, experiment_count, improved_count, mean_change
      from bi.action_type_learning order by action_type`),
  ).toEqual(['contenido 4 3 1.2', 'tecnica 0 0 -']);
});

it('a prediction has its own horizon, and what came of it: the same method, at most six days before, or else the newest one', async () => {
  const point = (fecha: string, metodo: string, puntuacion: number) => ({
    ...{ fecha, metodo, puntuacion, comparable: true },
  });
  const points = [
    point('2026-01-01', 'v2', 50),
    point('2026-01-08', 'v2', 51),
    point('2026-01-08', 'v1', 90),
    point('2026-01-13', 'v2', 53),
    point('2026-01-20', 'v1', 91),
  ];
  const key = [['fecha'], ['metodo']];
  await publish('visibility_history', points, { key, runDate: '2026-01-20' });
  const predict = async (fecha: string, metodo: string, of: Readonly<Record<string, number>>) => {
    const puntos = Object.entries(of).map(([date, puntuacion]) => ({ fecha: date, puntuacion }));
    const outlook = { fecha, metodo, horizonteDias: 28, puntos };
    await publish('prediccion', [outlook], { key: [], runDate: fecha });
  };
  await predict('2026-01-01', 'v2', { '2026-01-08': 52, '2026-01-15': 54, '2026-01-22': 55 });
  await predict('2026-01-08', 'v2', { '2026-01-15': 52 });
  await predict('2026-01-09', 'holt-winters', { '2026-01-13': 60 });
  await refreshMapping(database.db);
  expect(
    await lines(`select made_date, predicted_date, horizon_days::integer, observed_date, observed_score, observed_difference
      from bi_history.predictions order by made_date, predicted_date`),
  ).toEqual([
    '2026-01-01 2026-01-08 7 2026-01-08 51 -1',
    '2026-01-01 2026-01-15 14 2026-01-13 53 -1',
    '2026-01-01 2026-01-22 21 - - -',
    '2026-01-08 2026-01-15 7 2026-01-13 53 1',
    '2026-01-09 2026-01-13 4 2026-01-13 53 -7',
  ]);
});
