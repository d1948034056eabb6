// The rules of the API that the curated views honour, where answers are awkward: values beside their status, words that
// are not listed, the same point from several routes (api.md, "States and values").
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { readStatement } from '../../src/reporting/reader/statements.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase, useDatabase } from '../support/test-database.ts';

const database = useDatabase();

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(database.db, { stream, clientId: '7', runDate: '2026-03-01', records, ...more });
}

const { rows, lines } = database;

/** A database without the records below. */
async function withOwn(work: (own: TestDatabase) => Promise<void>): Promise<void> {
  const own = await createTestDatabase();
  await work(own).finally(() => own.drop());
}

/** A word that the reference does not list. */
const unlisted = 'Estado_Nuevo';

/** Values that a surface may have, and the state that is shown for each. */
const surfaces: readonly (readonly [given: unknown, state: string | null])[] = [
  [true, 'yes'],
  ['Sí', 'yes'],
  [3, 'yes'],
  [0.5, 'yes'],
  ['12', 'yes'],
  [{ enlaces: 2 }, 'yes'],
  [[{ url: 'a' }], 'yes'],
  ['no', 'no'],
  [false, 'no'],
  [0, 'no'],
  ['0,0', 'no'],
  [{}, 'no'],
  [[], 'no'],
  ['no disponible', 'not_available'],
  [' N/A', 'not_available'],
  ['not_available', 'not_available'],
  [null, null],
  ['', null],
  [-1, null],
  [unlisted, null],
  [undefined, null],
];

beforeAll(async () => {
  await publishRank();
  await publishDemand();
  await publishMarket();
  await publishActions();
  await publishAgent();
  await refreshViews(database.db);
  await refreshMapping(database.db);
});

async function publishRank(): Promise<void> {
  const point = (fecha: string, metodo: string, puntuacion: number) => ({
    ...{ fecha, metodo, puntuacion, comparable: true },
  });
  const histories = [
    point('2026-02-20', 'v1', 11),
    point('2026-02-22', 'v1', 10),
    point('2026-02-22', 'v2', 12),
    point('2026-03-01', 'v2', 13),
  ];
  await publish('airank_history', histories, { key: [['fecha'], ['metodo']] });
  await publish('visibility_history', [point('2026-02-22', 'v2', 22), point('2026-03-01', 'v2', 23)], {
    key: [['fecha']],
  });
  await publish('airank', [point('2026-03-01', 'v2', 33)], { key: [] });
  const versiones = { v1: { puntuacion: 45, fecha: '2026-02-28' }, v2: { puntuacion: 43 } };
  await publish('visibility', [{ ...point('2026-03-01', 'v2', 43), versiones }], { key: [] });
}

async function publishDemand(): Promise<void> {
  await publish('demand', [
    { id: 1, pregunta: '¿cuál a?', demanda: { valor: 0, estado: 'not_available', tipo: 'estimada' } },
    { id: 2, pregunta: '¿cuál b?', demanda: { valor: null, estado: 'No disponible' } },
    { id: 3, pregunta: '¿cuál c?', demanda: { valor: 4, tipo: 'observada' } },
    { id: 4, pregunta: '¿cuál c?', demanda: { valor: 90, tipo: 'proxy' } },
    { id: 5, pregunta: '¿cuál d?', demanda: { estado: unlisted } },
    { id: 6, pregunta: '¿cuál e?' },
  ]);
  const candidatos = [
    { normalizado: '¿cuál a?', demanda: { valor: 0, estado: 'not_available' } },
    { normalizado: '¿cuál b?', demanda: { valor: 3, tipo: 'relativa' } },
  ];
  await publish('prompt_research', [{ id: 1, estado: unlisted, candidatos }], { key: [] });
  const cell = (suprimida: unknown, valor?: number) => ({ observada: { valor, suprimida } });
  await publish('bgpi', [
    { id: 1, pregunta: '¿cuál a?', ...cell('sí', 4) },
    { id: 2, pregunta: '¿cuál b?', ...cell(true) },
    { id: 3, pregunta: '¿cuál c?', ...cell(false, 0) },
  ]);
  const question = (index: number) => ({ motor: 'm', pregunta: `¿cuál ${String(index).padStart(2, '0')}?` });
  const superficies = surfaces.map(([texto], index) => ({ ...question(index), texto }));
  await publish('surfaces', [{ superficies }], { key: [] });
}

async function publishMarket(): Promise<void> {
  const rival = (id: number, clase: string, menciones_por_100: number) => ({
    ...{ id, nombre: `Rival ${id}`, clase, menciones_por_100 },
  });
  await publish('competitors', [rival(1, 'primario', 10), rival(2, 'emergente', 20)]);
  await publish('competitors', [rival(1, 'primario', 90)], { clientId: '8' });
  const next = [rival(1, 'primario', 12.5), rival(2, 'descubierto', 20), rival(3, unlisted, 1)];
  await publish('competitors', next, { runDate: '2026-03-04' });
  const cut = (corte: string, more: object) => ({ corte, percentil: 50, mediana: 40, ...more });
  await publish(
    'benchmark',
    [
      cut('a', { marcas_comparables: 0 }),
      cut('b', { marcas_comparables: 19 }),
      cut('c', { marcas_comparables: 20 }),
      cut('d', {}),
      cut('e', { marcas_comparables: 50, estado: 'Muestra insuficiente' }),
    ],
    { key: [['corte']] },
  );
  await publish(
    'revenue',
    [
      { canal: 'a', moneda: 'eur', importe: 1 },
      { canal: 'a', moneda: 'EUR', importe: 2 },
      { canal: 'a', moneda: 'USD', importe: 4 },
      { canal: 'a', importe: 6 },
    ],
    { key: [] },
  );
}

async function publishActions(): Promise<void> {
  const dates = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
  const expected = [undefined, 5, 9, null];
  for (const [index, runDate] of dates.entries()) {
    const nested = expected[index] && { metrica: 'm', hasta: expected[index], congelada: runDate };
    const records = [
      { id: 'a', estado: unlisted, expectativa: nested },
      { id: 'b', estado: 'x', expectativa: { metrica: 'm', hasta: 7 } },
    ];
    await publish('actions', records, { runDate });
    await publish('experiments', [{ id: 1, estado: unlisted, antes: 1, despues: 3, lectura: 'sube' }], {
      runDate,
    });
  }
}

async function publishAgent(): Promise<void> {
  const stale = { ultima_decision: { decision: 'NO_ACTION', fecha: '2026-02-01' } };
  await publish('agent_os', [{ estado: 'UNAVAILABLE', ...stale }], { key: [] });
  await publish('agent_memory', [
    { id: 1, fecha: '2026-03-01', decision: 'NO_ACTION' },
    { id: 2, fecha: '2026-03-01', decision: unlisted },
  ]);
  await publish('agent_runs', [{ run_id: 'r', estado: unlisted }], { key: [['run_id']] });
  await publish('optimizer', [{ id: 1, url: 'u', estado: unlisted }]);
  await publish('crawl', [{ id: 1, bot: 'b', estado: unlisted }]);
  await publish('mediciones', [{ id: 1, fecha: '2026-03-01', estado: unlisted }]);
  await publish('clientes', [{ id: 7, nombre: 'Siete', estado: unlisted }], { clientId: '' });
}

describe('the trend', () => {
  it('has comparable points only: false and unknown stay out, and so do one-off runs', async () => {
    const point = (fecha: string, more: object) => ({
      ...{ fecha, metodo: 'v2', puntuacion: 40, tipo: 'programada', comparable: true },
      ...more,
    });
    const points = [
      point('2026-02-01', {}),
      point('2026-02-02', { comparable: false, razon: 'muestra' }),
      point('2026-02-03', { comparable: null }),
      point('2026-02-04', { tipo: 'puntual' }),
      point('2026-02-05', { metodo: 'V2' }),
    ];
    await publish('airank_history', points, { key: [['fecha']], clientId: '6' });
    await refreshMapping(database.db);
    expect(
      await lines(
        `select date, method, null, null from bi.rank_trend where client_id = '6' union all
         select date, null, excluded_reason, api_reasons from bi.rank_excluded where client_id = '6' order by 1`,
      ),
    ).toEqual([
      '2026-02-01 v2 - -',
      '2026-02-02 - not_comparable muestra',
      '2026-02-03 - comparability_unknown -',
      '2026-02-04 - one_off -',
      '2026-02-05 v2 - -',
    ]);
  });

  it('has one point a client, date and method: snapshots before histories, the official route first', async () => {
    expect(
      await lines(
        `select date, method, method_score, source from bi.rank_trend where client_id = '7' order by date, method`,
      ),
    ).toEqual([
      '2026-02-20 v1 11 airank_history',
      '2026-02-22 v1 10 airank_history',
      '2026-02-22 v2 22 visibility_history',
      '2026-03-01 v2 43 visibility',
    ]);
  });

  it('leaves out the other method of another date, and crosses no methods that are neighbours in time', async () => {
    expect(
      await lines(`select date, method, excluded_reason from bi.rank_excluded where client_id = '7'`),
    ).toEqual(['2026-02-28 v1 comparability_unknown']);
    expect(
      await lines(
        `select method, score, previous_score, change_previous, change_7d from bi.rank_latest where client_id = '7'`,
      ),
    ).toEqual(['v2 43 22 21 21']);
  });
});

describe('demand', () => {
  it('is null where its status says not_available, whatever number stands beside it, and keeps its type', async () => {
    const demand = 'question, demand_type, demand_value, demand_status';
    expect(await lines(`select ${demand} from bi.prompt_demand order by prompt_id`)).toEqual([
      '¿cuál a? estimated - not_available',
      '¿cuál b? - - not_available',
      '¿cuál c? observed 4 available',
      '¿cuál c? proxy 90 available',
      `¿cuál d? - - ${unlisted}`,
      '¿cuál e? - - unknown',
    ]);
    expect(await lines(`select ${demand} from bi.research_candidates order by 1`)).toEqual([
      '¿cuál a? - - not_available',
      '¿cuál b? relative 3 available',
    ]);
  });

  it('cells that are suppressed in any wording stay null, and a zero that is not suppressed stays 0', async () => {
    expect(
      await lines('select question, is_suppressed, observed_value from bi.prompt_signals order by 1'),
    ).toEqual(['¿cuál a? true -', '¿cuál b? true -', '¿cuál c? false 0']);
  });
});

it('competitors have English classes, unlisted ones unchanged, and differences of their own client only', async () => {
  expect(
    await lines(
      `select client_id, run_date, competitor_name, competitor_class, mentions_per_100_answers, change_previous
       from bi_history.share_of_voice order by client_id, run_date, competitor_name`,
    ),
  ).toEqual([
    '7 2026-03-01 Rival 1 primary 10 -',
    '7 2026-03-01 Rival 2 emerging 20 -',
    '7 2026-03-04 Rival 1 primary 12.5 2.5',
    '7 2026-03-04 Rival 2 discovered 20 0',
    `7 2026-03-04 Rival 3 ${unlisted} 1 -`,
    '8 2026-03-01 Rival 1 primary 90 -',
  ]);
});

it('samples are insufficient below 20 brands, and unknown where the number of brands is', async () => {
  expect(
    await lines('select cut, sample_status, percentile, median_score from bi.benchmark order by 1'),
  ).toEqual([
    'a insufficient_sample - -',
    'b insufficient_sample - -',
    'c sufficient 50 40',
    'd unknown 50 40',
    'e insufficient_sample - -',
  ]);
});

it('money is one amount a currency, however its code is written, and none where it is unknown', async () => {
  expect(await lines('select currency_code, revenue_amount from bi.revenue order by 1 nulls last')).toEqual([
    'EUR 3',
    'USD 4',
    '- -',
  ]);
});

describe('actions', () => {
  const expectations = `select action_id, expected_to_value, expectation_frozen_date, is_expectation_changed from bi.actions order by 1`;

  it('keep the first expectation that there was, also after it is gone', async () => {
    expect(await lines(expectations)).toEqual(['a 5 2026-03-02 true', 'b 7 - false']);
  });

  it('keep an expectation that is a number as well', async () => {
    await withOwn(async (own) => {
      for (const [index, expectativa] of [5, 9].entries()) {
        const runDate = `2026-03-0${index + 1}`;
        await publishRecords(own.db, { stream: 'actions', runDate, records: [{ id: 'c', expectativa }] });
      }
      await refreshViews(own.db);
      await refreshMapping(own.db);
      expect(await own.lines(expectations)).toEqual(['c 5 - true']);
    });
  });

  it('in experiments have a before, an after and a reading, and nothing that claims a cause', async () => {
    expect(await lines('select before_value, after_value, result_reading from bi.experiments')).toEqual([
      '1 3 sube',
    ]);
    expect(
      await lines(
        `select column_name from information_schema.columns
         where table_schema = 'bi' and column_name ~ '(effect|uplift|lift|causal|caused|gain|change)'
           and table_name in ('experiments', 'actions') and column_name <> 'is_expectation_changed'
           or table_schema = 'bi' and column_name ~ 'volume|effect|uplift|impact_of'`,
      ),
    ).toEqual([]);
  });
});

describe('words of the API', () => {
  it.each([
    "status from bi.actions where action_id = 'a'",
    "status from bi.action_status_history where action_id = 'a'",
    'status from bi.agent_runs',
    'client_status from bi.clients where not is_account',
    'status from bi.crawl_health',
    'status from bi.experiments',
    'status from bi.measurements',
    'status from bi.optimizer_versions',
    'distinct research_status from bi.research_candidates',
    "decision from bi.agent_decisions where decision <> 'NO_ACTION' and client_id = '7'",
  ])('that are not listed pass through as they come: %s', async (query) => {
    expect(await lines(`select ${query}`)).toEqual([unlisted]);
  });

  it('tell an unavailable agent from one that decided NO_ACTION, also beside an old decision', async () => {
    expect(
      await lines(
        `select source, decision, decision_status from bi.agent_decisions where client_id = '7' order by 1, 2`,
      ),
    ).toEqual([`memory ${unlisted} decided`, 'memory NO_ACTION decided', 'state - unavailable']);
  });

  it('for surfaces are yes, no, not_available as the API says, or nothing, and are counted so', async () => {
    const found = await rows('select text_surface, ads_surface from bi.prompt_surfaces order by question');
    expect(found.map((one, index) => [surfaces[index]?.[0], one['text_surface']])).toEqual(surfaces);
    expect(new Set(found.map((one) => one['ads_surface']))).toEqual(new Set([null]));
    const { text, values } = readStatement('dashboard/surface-matrix', {
      account: 'default',
      client_id: '7',
    });
    const { rows: counts } = await database.pool.query({ text, values, rowMode: 'array' });
    const count = (state: string | null) => surfaces.filter(([, one]) => one === state).length;
    const all = surfaces.length;
    expect(counts.map((row) => row.slice(1, 6))).toEqual([
      ['text', count('yes'), count('no'), count('not_available'), count(null)],
      ...['sources', 'ads', 'maps', 'shopping'].map((surface) => [surface, 0, 0, 0, all]),
    ]);
  });
});

it.each([
  ['is one row, on however many run dates it is shown', ['ACT', 'ACT', 'ACT'], '2026-02-27', ['2026-02-27']],
  [
    'counts once where it has no date, from the run date on which it began',
    ['ACT', 'ACT', 'ACT', 'WAIT', 'ACT'],
    undefined,
    ['2026-03-01', '2026-03-04', '2026-03-05'],
  ],
])('the last decision of the agent %s', async (title, decisions, fecha, dates) => {
  for (const [index, decision] of decisions.entries()) {
    const runDate = `2026-03-0${index + 1}`;
    const records = [{ estado: 'ok', ultima_decision: { decision, fecha }, ciclos: runDate }];
    await publish('agent_os', records, { key: [], clientId: title, runDate });
  }
  const decided = 'select decided_date from bi.agent_decisions where client_id = $1 order by 1';
  expect(await lines(decided, title)).toEqual(dates);
});

it('a view of bi exists and is empty or null where the API names nothing as expected', async () => {
  await withOwn(async (own) => {
    const shown = () => own.lines('select bot, visit_count from bi.crawl_health');
    const mapped = () =>
      own.lines(
        `select status, mapped_path, mapped_by from ops.field_catalog where source = 'crawl' and field = 'bot'`,
      );
    expect(await mapped()).toEqual(['unmapped - -']);
    const records = [{ id: 1, aparato: 'x', zumbido: 3 }];
    await publishRecords(own.db, { stream: 'crawl', runDate: '2026-03-01', records });
    await refreshViews(own.db);
    await refreshMapping(own.db);
    expect(await shown()).toEqual(['- -']);
    await refreshMapping(own.db, { 'crawl.bot': 'aparato', 'crawl.visits': 'zumbido' });
    expect(await shown()).toEqual(['x 3']);
    expect(await mapped()).toEqual(['mapped aparato configuration']);
    await refreshMapping(own.db, {});
    expect(await shown()).toEqual(['- -']);
  });
});
