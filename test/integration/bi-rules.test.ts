// One test a rule of the API that the curated views honour (api.md, "States and values").
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { type PublishedSlice, publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

async function publish(slice: PublishedSlice): Promise<void> {
  await publishRecords(db, slice);
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows;
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publish({
    stream: 'clientes',
    runDate: '2026-03-01',
    records: [
      { id: 7, nombre: 'Casa Siete' },
      { id: 8, nombre: 'Ocho' },
    ],
  });
  await publishRank();
  await publishMarket();
  await publishDemand();
  await publishActions();
  await refreshViews(db);
  await refreshMapping(db);
});

afterAll(async () => {
  await database.drop();
});

async function publishRank(): Promise<void> {
  const point = (fecha: string, metodo: string, puntuacion: number, more: object = {}) => ({
    id: `${fecha}${metodo}${JSON.stringify(more)}`,
    fecha,
    metodo,
    puntuacion,
    comparable: true,
    tipo: 'programada',
    ...more,
  });
  await publish({
    stream: 'airank_history',
    clientId: '7',
    runDate: '2026-03-01',
    records: [
      point('2026-02-01', 'v1', 40),
      point('2026-02-02', 'v1', 41, { comparable: false, razon: 'muestra' }),
      point('2026-02-03', 'v1', 42, { comparable: null }),
      point('2026-02-04', 'v1', 43, { tipo: 'puntual' }),
      point('2026-02-05', 'v1', 44),
      point('2026-02-20', 'v2', 60),
      point('2026-02-27', 'V2', 62),
    ],
  });
  for (const [runDate, score] of [
    ['2026-03-01', 63],
    ['2026-03-02', 65],
  ] as const) {
    await publish({
      stream: 'airank',
      clientId: '7',
      runDate,
      key: [],
      records: [point(runDate, 'v2', score)],
    });
  }
}

async function publishMarket(): Promise<void> {
  await publish({
    stream: 'revenue',
    runDate: '2026-03-01',
    key: [],
    records: [
      { cliente: 7, canal: 'a', moneda: 'EUR', importe: 10.5 },
      { cliente: 7, canal: 'a', moneda: 'EUR', importe: 1 },
      { cliente: 7, canal: 'a', moneda: 'USD', importe: 100 },
      { cliente: 7, canal: 'a', moneda: null, importe: 5 },
      { cliente: 7, canal: 'a', importe: 6 },
    ],
  });
  for (const [runDate, urls] of [
    ['2026-03-01', ['a', 'b']],
    ['2026-03-03', ['b', 'c']],
  ] as const) {
    await publish({
      stream: 'citations',
      clientId: '7',
      runDate,
      key: [['url']],
      records: urls.map((url) => ({ url, dominio: 'd.example', citas: 1 })),
    });
  }
  await publish({
    stream: 'surfaces',
    runDate: '2026-03-01',
    key: [],
    records: [
      {
        superficies: [
          { motor: 'm', pregunta: 'p', texto: 'sí', fuentes: 'no', anuncios: 'no disponible', mapas: true },
        ],
      },
    ],
  });
}

async function publishDemand(): Promise<void> {
  await publish({
    stream: 'demand',
    runDate: '2026-03-01',
    records: [
      { id: 1, prompt_canonico: 'a', demanda: 0, tipo_demanda: 'observada' },
      { id: 2, prompt_canonico: 'b', demanda: 'No disponible' },
      { id: 3, prompt_canonico: 'c', demanda: 12, tipo_demanda: 'relativa' },
      { id: 4, prompt_canonico: 'd', demanda: 7, tipo_demanda: 'otra_cosa' },
    ],
  });
  await publish({
    stream: 'bgpi',
    runDate: '2026-03-01',
    records: [
      { id: 1, pregunta: 'a', observada: { valor: 4, k: 3, suprimida: true }, interes_busqueda: 55 },
      { id: 2, pregunta: 'b', observada: { valor: 40, k: 30, suprimida: false }, interes_busqueda: null },
    ],
  });
}

async function publishActions(): Promise<void> {
  const action = (estado: string, most: number) => ({
    id: 'a1',
    titulo: 'T',
    estado,
    expectativa: { metrica: 'm', desde: 1, hasta: most, congelada: '2026-03-01' },
  });
  await publish({ stream: 'actions', runDate: '2026-03-01', records: [action('propuesta', 5)] });
  await publish({ stream: 'actions', runDate: '2026-03-02', records: [action('propuesta', 5)] });
  await publish({ stream: 'actions', runDate: '2026-03-03', records: [action('estado_sin_listar', 9)] });
}

describe('the trend', () => {
  it('has comparable points only: false and unknown stay out, and so do one-off runs', async () => {
    expect(
      await rows(
        'select date, method, method_score as score, source, client_name from bi.rank_trend order by date',
      ),
    ).toEqual([
      { date: '2026-02-01', method: 'v1', score: '40', source: 'airank_history', client_name: 'Casa Siete' },
      { date: '2026-02-05', method: 'v1', score: '44', source: 'airank_history', client_name: 'Casa Siete' },
      { date: '2026-02-20', method: 'v2', score: '60', source: 'airank_history', client_name: 'Casa Siete' },
      { date: '2026-02-27', method: 'v2', score: '62', source: 'airank_history', client_name: 'Casa Siete' },
      { date: '2026-03-01', method: 'v2', score: '63', source: 'airank', client_name: 'Casa Siete' },
      { date: '2026-03-02', method: 'v2', score: '65', source: 'airank', client_name: 'Casa Siete' },
    ]);
    expect(await rows('select date, excluded_reason, api_reasons from bi.rank_excluded order by 1')).toEqual([
      { date: '2026-02-02', excluded_reason: 'not_comparable', api_reasons: 'muestra' },
      { date: '2026-02-03', excluded_reason: 'comparability_unknown', api_reasons: null },
      { date: '2026-02-04', excluded_reason: 'one_off', api_reasons: null },
    ]);
  });

  it('never compares v1 with v2', async () => {
    const latest = await rows(
      `select client_name, method, date, score, previous_date, change_previous, change_7d, change_28d, is_current_method, direction,
        mover_position from bi.rank_latest`,
    );
    expect(latest).toEqual([
      {
        client_name: 'Casa Siete',
        method: 'v2',
        date: '2026-03-02',
        score: '65',
        previous_date: '2026-03-01',
        change_previous: '2',
        change_7d: '5',
        change_28d: null,
        is_current_method: true,
        direction: 'up',
        mover_position: 1,
      },
    ]);
  });
});

describe('money', () => {
  it('never add amounts of different or unknown currencies', async () => {
    expect(await rows('select currency_code, revenue_amount from bi.revenue order by 1 nulls last')).toEqual([
      { currency_code: 'EUR', revenue_amount: '11.5' },
      { currency_code: 'USD', revenue_amount: '100' },
      { currency_code: null, revenue_amount: null },
    ]);
  });
});

describe('demand', () => {
  it('that is not available is null with its status and never 0', async () => {
    expect(
      await rows(
        'select question, demand_type, demand_value, demand_status from bi.prompt_demand order by 1',
      ),
    ).toEqual([
      { question: 'a', demand_type: 'observed', demand_value: '0', demand_status: 'available' },
      { question: 'b', demand_type: null, demand_value: null, demand_status: 'not_available' },
      { question: 'c', demand_type: 'relative', demand_value: '12', demand_status: 'available' },
      { question: 'd', demand_type: 'otra_cosa', demand_value: '7', demand_status: 'available' },
    ]);
  });

  it('in suppressed BGPi cells stays null, and search interest is not called a volume', async () => {
    expect(
      await rows(
        'select question, observed_value, search_interest_relative from bi.prompt_signals order by 1',
      ),
    ).toEqual([
      { question: 'a', observed_value: null, search_interest_relative: '55' },
      { question: 'b', observed_value: '40', search_interest_relative: null },
    ]);
    const named = await rows(
      `select table_name, column_name from information_schema.columns where table_schema = 'bi' and column_name ~ 'volume|effect|uplift|impact_of'`,
    );
    expect(named).toEqual([]);
  });
});

describe('actions', () => {
  it('pass statuses through that are not listed', async () => {
    expect(
      await rows(
        'select status, previous_status, from_date, until_date from bi.action_status_history order by first_run_date',
      ),
    ).toEqual([
      { status: 'propuesta', previous_status: null, from_date: null, until_date: '2026-03-03' },
      {
        status: 'estado_sin_listar',
        previous_status: 'propuesta',
        from_date: '2026-03-03',
        until_date: null,
      },
    ]);
  });
});

describe('citations and surfaces', () => {
  it('are gained and lost between complete run dates, and not on the first one', async () => {
    expect(
      await rows(
        'select run_date, previous_run_date, change, page_url, client_name from bi.citation_changes order by change',
      ),
    ).toEqual([
      {
        run_date: '2026-03-03',
        previous_run_date: '2026-03-01',
        change: 'gained',
        page_url: 'c',
        client_name: 'Casa Siete',
      },
      {
        run_date: '2026-03-03',
        previous_run_date: '2026-03-01',
        change: 'lost',
        page_url: 'a',
        client_name: 'Casa Siete',
      },
    ]);
  });

  it('are yes, no or not_available, and empty where the field is not mapped', async () => {
    expect(
      await rows(
        'select text_surface, sources_surface, ads_surface, maps_surface, shopping_surface from bi.prompt_surfaces',
      ),
    ).toEqual([
      {
        text_surface: 'yes',
        sources_surface: 'no',
        ads_surface: 'not_available',
        maps_surface: 'yes',
        shopping_surface: null,
      },
    ]);
  });
});

describe('a view of bi', () => {
  it('exists and is empty or null where the API names nothing as expected', async () => {
    expect(
      await rows(`select status from ops.field_catalog where source = 'crawl' and field = 'bot'`),
    ).toEqual([{ status: 'unmapped' }]);
    await publish({ stream: 'crawl', runDate: '2026-03-01', records: [{ id: 1, aparato: 'x', zumbido: 3 }] });
    await refreshViews(db);
    await refreshMapping(db);
    expect(await rows('select bot, visit_count from bi.crawl_health')).toEqual([
      { bot: null, visit_count: null },
    ]);
    await refreshMapping(db, { 'crawl.bot': 'aparato', 'crawl.visits': 'zumbido' });
    expect(await rows('select bot, visit_count from bi.crawl_health')).toEqual([
      { bot: 'x', visit_count: 3 },
    ]);
    expect(
      await rows(
        `select status, mapped_path, mapped_by from ops.field_catalog where source = 'crawl' and field = 'bot'`,
      ),
    ).toEqual([{ status: 'mapped', mapped_path: 'aparato', mapped_by: 'configuration' }]);
    await refreshMapping(db, {});
    expect(await rows('select bot from bi.crawl_health')).toEqual([{ bot: null }]);
  });
});
