// The rules of the API that the curated views honour, where answers are awkward: values beside their status, words that
// are not listed, the same point from several routes (api.md, "States and values").
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { readStatement } from '../../src/reporting/reader/statements.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(db, { stream, clientId: '7', runDate: '2026-03-01', records, ...more });
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows;
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
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publishRank();
  await publishDemand();
  await publishMarket();
  await publishActions();
  await publishAgent();
  await refreshViews(db);
  await refreshMapping(db);
});

afterAll(async () => {
  await database.drop();
});

async function publishRank(): Promise<void> {
  const point = (fecha: string, metodo: string, puntuacion: number) => ({
    fecha,
    metodo,
    puntuacion,
    comparable: true,
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
    { id: 1, pregunta: 'a', demanda: { valor: 0, estado: 'not_available', tipo: 'estimada' } },
    { id: 2, pregunta: 'b', demanda: { valor: null, estado: 'No disponible' } },
    { id: 3, pregunta: 'c', demanda: { valor: 4, tipo: 'observada' } },
    { id: 4, pregunta: 'c', demanda: { valor: 90, tipo: 'proxy' } },
    { id: 5, pregunta: 'd', demanda: { estado: unlisted } },
    { id: 6, pregunta: 'e' },
  ]);
  const candidatos = [
    { normalizado: 'a', demanda: { valor: 0, estado: 'not_available' } },
    { normalizado: 'b', demanda: { valor: 3, tipo: 'relativa' } },
  ];
  await publish('prompt_research', [{ id: 1, estado: unlisted, candidatos }], { key: [] });
  const cell = (suprimida: unknown, valor?: number) => ({ observada: { valor, suprimida } });
  await publish('bgpi', [
    { id: 1, pregunta: 'a', ...cell('sí', 4) },
    { id: 2, pregunta: 'b', ...cell(true) },
    { id: 3, pregunta: 'c', ...cell(false, 0) },
  ]);
  const superficies = surfaces.map(([texto], index) => ({
    motor: 'm',
    pregunta: `p${String(index).padStart(2, '0')}`,
    texto,
  }));
  await publish('surfaces', [{ superficies }], { key: [] });
}

async function publishMarket(): Promise<void> {
  const rival = (id: number, clase: string, por100: number) => ({
    id,
    nombre: `Rival ${id}`,
    clase,
    menciones_por_100: por100,
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
      fecha,
      metodo: 'v2',
      puntuacion: 40,
      tipo: 'programada',
      ...more,
    });
    const points = [
      point('2026-02-01', { comparable: true }),
      point('2026-02-02', { comparable: false, razon: 'muestra' }),
      point('2026-02-03', { comparable: null }),
      point('2026-02-04', { comparable: true, tipo: 'puntual' }),
      point('2026-02-05', { comparable: true, metodo: 'V2' }),
    ];
    await publish('airank_history', points, { key: [['fecha']], clientId: '6' });
    await refreshMapping(db);
    expect(await rows(`select date, method from bi.rank_trend where client_id = '6' order by 1`)).toEqual([
      { date: '2026-02-01', method: 'v2' },
      { date: '2026-02-05', method: 'v2' },
    ]);
    expect(
      await rows(
        `select date, excluded_reason, api_reasons from bi.rank_excluded where client_id = '6' order by 1`,
      ),
    ).toEqual([
      { date: '2026-02-02', excluded_reason: 'not_comparable', api_reasons: 'muestra' },
      { date: '2026-02-03', excluded_reason: 'comparability_unknown', api_reasons: null },
      { date: '2026-02-04', excluded_reason: 'one_off', api_reasons: null },
    ]);
  });

  it('has one point a client, date and method: snapshots before histories, the official route first', async () => {
    expect(
      await rows(
        `select date, method, method_score as score, source from bi.rank_trend where client_id = '7' order by date, method`,
      ),
    ).toEqual([
      { date: '2026-02-20', method: 'v1', score: '11', source: 'airank_history' },
      { date: '2026-02-22', method: 'v1', score: '10', source: 'airank_history' },
      { date: '2026-02-22', method: 'v2', score: '22', source: 'visibility_history' },
      { date: '2026-03-01', method: 'v2', score: '43', source: 'visibility' },
    ]);
  });

  it('leaves out the other method of another date, whose comparability is not said', async () => {
    expect(
      await rows(`select date, method, excluded_reason from bi.rank_excluded where client_id = '7'`),
    ).toEqual([{ date: '2026-02-28', method: 'v1', excluded_reason: 'comparability_unknown' }]);
  });

  it('crosses no methods where they are neighbours in time', async () => {
    expect(
      await rows(
        `select method, score, previous_score, change_previous, change_7d from bi.rank_latest where client_id = '7'`,
      ),
    ).toEqual([{ method: 'v2', score: '43', previous_score: '22', change_previous: '21', change_7d: '21' }]);
  });
});

describe('demand', () => {
  it('is null where its status says not_available, whatever number stands beside it', async () => {
    expect(
      await rows(
        'select question, demand_type, demand_value, demand_status from bi.prompt_demand order by prompt_id',
      ),
    ).toEqual([
      { question: 'a', demand_type: 'estimated', demand_value: null, demand_status: 'not_available' },
      { question: 'b', demand_type: null, demand_value: null, demand_status: 'not_available' },
      { question: 'c', demand_type: 'observed', demand_value: '4', demand_status: 'available' },
      { question: 'c', demand_type: 'proxy', demand_value: '90', demand_status: 'available' },
      { question: 'd', demand_type: null, demand_value: null, demand_status: unlisted },
      { question: 'e', demand_type: null, demand_value: null, demand_status: 'unknown' },
    ]);
  });

  it('of research candidates is held to the same', async () => {
    expect(
      await rows(
        'select question, demand_type, demand_value, demand_status from bi.research_candidates order by 1',
      ),
    ).toEqual([
      { question: 'a', demand_type: null, demand_value: null, demand_status: 'not_available' },
      { question: 'b', demand_type: 'relative', demand_value: '3', demand_status: 'available' },
    ]);
  });

  it('types are never mixed: every view that shows a value shows its type beside it', async () => {
    const lacking = await rows(
      `select c.table_name from information_schema.columns c
       where c.table_schema = 'bi' and c.column_name = 'demand_value' and (
         select count(*) from information_schema.columns t where t.table_schema = 'bi' and t.table_name = c.table_name
           and t.column_name in ('demand_type', 'demand_status')) < 2`,
    );
    expect(lacking).toEqual([]);
    const mixed = await rows(
      `select question from bi.prompt_demand where demand_value is not null
       group by question, demand_type, run_date having count(*) > 1`,
    );
    expect(mixed).toEqual([]);
  });

  it('cells that are suppressed in any wording stay null, and a zero that is not suppressed stays 0', async () => {
    expect(
      await rows('select question, is_suppressed, observed_value from bi.prompt_signals order by 1'),
    ).toEqual([
      { question: 'a', is_suppressed: true, observed_value: null },
      { question: 'b', is_suppressed: true, observed_value: null },
      { question: 'c', is_suppressed: false, observed_value: '0' },
    ]);
  });
});

describe('competitors', () => {
  it('have English classes, unlisted ones unchanged, and differences of their own client only', async () => {
    const found = await rows(
      `select client_id, run_date, competitor_name, competitor_class, mentions_per_100_answers as share, change_previous
       from bi_history.share_of_voice order by client_id, run_date, competitor_name`,
    );
    const line = (one: Record<string, unknown>) => Object.values(one).join(' ').trim();
    expect(found.map(line)).toEqual([
      '7 2026-03-01 Rival 1 primary 10',
      '7 2026-03-01 Rival 2 emerging 20',
      '7 2026-03-04 Rival 1 primary 12.5 2.5',
      '7 2026-03-04 Rival 2 discovered 20 0',
      `7 2026-03-04 Rival 3 ${unlisted} 1`,
      '8 2026-03-01 Rival 1 primary 90',
    ]);
  });
});

describe('samples and money', () => {
  it('are insufficient below 20 brands, and unknown where the number of brands is', async () => {
    expect(
      await rows('select cut, sample_status, percentile, median_score from bi.benchmark order by 1'),
    ).toEqual([
      { cut: 'a', sample_status: 'insufficient_sample', percentile: null, median_score: null },
      { cut: 'b', sample_status: 'insufficient_sample', percentile: null, median_score: null },
      { cut: 'c', sample_status: 'sufficient', percentile: '50', median_score: '40' },
      { cut: 'd', sample_status: 'unknown', percentile: '50', median_score: '40' },
      { cut: 'e', sample_status: 'insufficient_sample', percentile: null, median_score: null },
    ]);
  });

  it('are one amount a currency, however its code is written, and none where it is unknown', async () => {
    expect(await rows('select currency_code, revenue_amount from bi.revenue order by 1 nulls last')).toEqual([
      { currency_code: 'EUR', revenue_amount: '3' },
      { currency_code: 'USD', revenue_amount: '4' },
      { currency_code: null, revenue_amount: null },
    ]);
  });
});

describe('actions', () => {
  it('keep an expectation that is a number as well', async () => {
    const own = await createTestDatabase();
    try {
      const ownDb = createDatabase(own.pool);
      for (const [index, expectativa] of [5, 9].entries()) {
        const runDate = `2026-03-0${index + 1}`;
        await publishRecords(ownDb, { stream: 'actions', runDate, records: [{ id: 'c', expectativa }] });
      }
      await refreshViews(ownDb);
      await refreshMapping(ownDb);
      const { rows: found } = await own.pool.query(
        'select expected_to_value, is_expectation_changed from bi.actions',
      );
      expect(found).toEqual([{ expected_to_value: '5', is_expectation_changed: true }]);
    } finally {
      await own.drop();
    }
  });

  it('keep the first expectation that there was, also after it is gone', async () => {
    expect(
      await rows(
        `select action_id, expected_to_value, expectation_frozen_date, is_expectation_changed
         from bi.actions order by 1`,
      ),
    ).toEqual([
      {
        action_id: 'a',
        expected_to_value: '5',
        expectation_frozen_date: '2026-03-02',
        is_expectation_changed: true,
      },
      {
        action_id: 'b',
        expected_to_value: '7',
        expectation_frozen_date: null,
        is_expectation_changed: false,
      },
    ]);
  });

  it('in experiments have a before, an after and a reading, and nothing that claims a cause', async () => {
    expect(await rows('select before_value, after_value, result_reading from bi.experiments')).toEqual([
      { before_value: '1', after_value: '3', result_reading: 'sube' },
    ]);
    expect(
      await rows(
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
    ['actions', "status from bi.actions where action_id = 'a'"],
    ['action_status_history', "status from bi.action_status_history where action_id = 'a'"],
    ['agent_runs', 'status from bi.agent_runs'],
    ['clients', 'client_status as status from bi.clients where not is_account'],
    ['crawl_health', 'status from bi.crawl_health'],
    ['experiments', 'status from bi.experiments'],
    ['measurements', 'status from bi.measurements'],
    ['optimizer_versions', 'status from bi.optimizer_versions'],
    ['research_candidates', 'distinct research_status as status from bi.research_candidates'],
    ['agent_decisions', "decision as status from bi.agent_decisions where decision <> 'NO_ACTION'"],
  ])('that are not listed pass through bi.%s as they come', async (_, query) => {
    expect(await rows(`select ${query}`)).toEqual([{ status: unlisted }]);
  });

  it('tell an unavailable agent from one that decided NO_ACTION, also beside an old decision', async () => {
    expect(
      await rows('select source, decision, decision_status from bi.agent_decisions order by 1, 2'),
    ).toEqual([
      { source: 'memory', decision: unlisted, decision_status: 'decided' },
      { source: 'memory', decision: 'NO_ACTION', decision_status: 'decided' },
      { source: 'state', decision: null, decision_status: 'unavailable' },
    ]);
  });

  it('for surfaces are yes, no, not_available as the API says, or nothing', async () => {
    const found = await rows('select text_surface, ads_surface from bi.prompt_surfaces order by question');
    expect(found.map((one, index) => [surfaces[index]?.[0], one['text_surface']])).toEqual(surfaces);
    expect(new Set(found.map((one) => one['ads_surface']))).toEqual(new Set([null]));
  });

  it('for surfaces are counted by what they say, and by what is not known', async () => {
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

describe('the last decision of the agent', () => {
  const state = (fecha: string | undefined) => [
    { estado: 'ok', ultima_decision: { decision: 'ACT', ...(fecha === undefined ? {} : { fecha }) } },
  ];
  const decided = async (client: string) =>
    (await rows(`select decided_date from bi.agent_decisions where client_id = '${client}' order by 1`)).map(
      (row) => row['decided_date'],
    );

  it('is one row, on however many run dates it is shown', async () => {
    for (const runDate of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      const records = state('2026-02-27').map((one) => ({ ...one, ciclos: runDate }));
      await publish('agent_os', records, { key: [], clientId: '8', runDate });
    }
    expect(await decided('8')).toEqual(['2026-02-27']);
  });

  it('counts once where it has no date, from the run date on which it began', async () => {
    const steps = [
      ['2026-03-01', 'ACT'],
      ['2026-03-02', 'ACT'],
      ['2026-03-04', 'ACT'],
      ['2026-03-05', 'WAIT'],
      ['2026-03-06', 'ACT'],
    ] as const;
    for (const [runDate, decision] of steps) {
      const records = [{ estado: 'ok', ultima_decision: { decision }, ciclos: runDate }];
      await publish('agent_os', records, { key: [], clientId: '9', runDate });
    }
    expect(await decided('9')).toEqual(['2026-03-01', '2026-03-05', '2026-03-06']);
  });
});

describe('a view of bi', () => {
  it('exists and is empty or null where the API names nothing as expected', async () => {
    const own = await createTestDatabase();
    const ownDb = createDatabase(own.pool);
    const shown = async () => (await own.pool.query('select bot, visit_count from bi.crawl_health')).rows;
    const mapped = async () => {
      const field = `select status, mapped_path, mapped_by from ops.field_catalog where source = 'crawl' and field = 'bot'`;
      return (await own.pool.query(field)).rows;
    };
    try {
      expect(await mapped()).toMatchObject([{ status: 'unmapped' }]);
      const records = [{ id: 1, aparato: 'x', zumbido: 3 }];
      await publishRecords(ownDb, { stream: 'crawl', runDate: '2026-03-01', records });
      await refreshViews(ownDb);
      await refreshMapping(ownDb);
      expect(await shown()).toEqual([{ bot: null, visit_count: null }]);
      await refreshMapping(ownDb, { 'crawl.bot': 'aparato', 'crawl.visits': 'zumbido' });
      expect(await shown()).toEqual([{ bot: 'x', visit_count: 3 }]);
      expect(await mapped()).toEqual([
        { status: 'mapped', mapped_path: 'aparato', mapped_by: 'configuration' },
      ]);
      await refreshMapping(ownDb, {});
      expect(await shown()).toMatchObject([{ bot: null }]);
    } finally {
      await own.drop();
    }
  });
});
