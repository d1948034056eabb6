// Fields are found by what values look like and by their names, and only where that is clear.
import { describe, expect, test } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import type { Mapping, Match } from '../../src/mapping/matching/match.ts';
import { matchSource, weighIn } from '../../src/mapping/matching/match-source.ts';
import { neighboursOf } from '../../src/mapping/matching/neighbours.ts';
import { cases } from '../support/cases.ts';

const nothing: Mapping = { overrides: new Map(), current: new Map() };

interface Given {
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly mapping?: Partial<Mapping>;
  /** Rest of the body, beside the list of the records. */
  readonly envelope?: unknown;
  /** Paths that other sources have: `rank_history.date fecha | dmy`. */
  readonly elsewhere?: readonly string[];
}

function match(
  name: string,
  records: readonly unknown[],
  { keys = {}, mapping = {}, envelope, elsewhere = [] }: Given = {},
): Match {
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) throw new RangeError(name);
  const keysOf = (stream: string) => new Set(keys[stream] ?? []);
  const sample = records.map((record) => ({ record, envelope }));
  const mapped = elsewhere.map((one) => {
    const [, of = '', field = '', path = ''] = /^(\w+)\.(\w+) (.+)$/.exec(one) ?? [];
    return { source: of, field, path };
  });
  return matchSource(source, sample, neighboursOf(keysOf, mapped), { ...nothing, ...mapping });
}

const pathOf = (found: Match, field: string) => found.found.find((one) => one.field === field)?.path;
const proposed = (found: Match, field: string) => found.proposals.get(field)?.map(({ path }) => path) ?? [];
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

describe('a name', () => {
  test.each([
    ['fecMedicion', '2026-05-01', 'date'],
    ['AI Rank', 61.5, 'score'],
    ['metodo_version', 'v2', 'method'],
    ['esComparable', true, 'comparable'],
    ['motivos', ['a', 'b'], 'reasons'],
  ])('%s is read in either language and any spelling', (name, value, field) => {
    expect(pathOf(match('rank_now', [{ [name]: value }]), field)).toBe(name);
  });
});

describe('dates', () => {
  test('are day-first or month-first as a value over 12 proves, and asked where they could be either', () => {
    const days = (...dates: readonly string[]) => {
      const records = dates.map((fecha) => ({ fecha }));
      return match('rank_now', records);
    };
    expect(pathOf(days('03/04/2026', '25/04/2026'), 'date')).toBe('fecha | dmy');
    expect(pathOf(days('03/04/2026', '04/25/2026'), 'date')).toBe('fecha | mdy');
    const either = days('03/04/2026', '05/06/2026');
    expect(pathOf(either, 'date')).toBeUndefined();
    expect(proposed(either, 'date')).toEqual(['fecha | dmy', 'fecha | mdy']);
  });

  test('that could be either are read as those of other sources', () => {
    const records = [{ fecha: '03/04/2026', puntuacion: '1.234' }];
    const read = (...elsewhere: readonly string[]) =>
      pathOf(match('rank_now', records, { elsewhere }), 'date');
    expect(read('rank_history.date dia | dmy')).toBe('fecha | dmy');
    expect(read('rank_history.date dia | mdy', 'citas.position orden | comma')).toBe('fecha | mdy');
    expect(read('rank_history.date dia | dmy', 'citas.date dia | mdy')).toBeUndefined();
    expect(read('rank_history.date dia')).toBeUndefined();
  });

  test('come from a moment where there is nothing else', () => {
    const found = match('rank_now', [{ medido_en: '2026-05-01T10:00:00Z' }]);
    expect([pathOf(found, 'measured_at'), pathOf(found, 'date')]).toEqual(['medido_en', 'medido_en']);
  });
});

describe('of two paths', () => {
  const records = times(5, (i) => ({ puntuacion_oro: 10 + i, puntuacion_plata: 60 - i }));

  test('that are as good, none is taken and both are proposed', () => {
    const found = match('rank_now', records);
    expect(pathOf(found, 'score')).toBeUndefined();
    expect(proposed(found, 'score')).toEqual(['puntuacion_oro', 'puntuacion_plata']);
  });

  test('the one is taken under whose name another source has the field', () => {
    const scoreWhere = (path: string) =>
      pathOf(match('rank_now', records, { elsewhere: [`rank_history.score ${path}`] }), 'score');
    expect(scoreWhere('puntuacion_plata')).toBe('puntuacion_plata');
    expect(scoreWhere('resultado.PuntuacionOro')).toBe('puntuacion_oro');
    // Beside the list a name may mean something else.
    expect(scoreWhere('^^puntuacion_plata')).toBeUndefined();
    const nested = times(5, (i) => ({ oro: { puntuacion: 10 + i }, plata: { puntuacion: 60 - i } }));
    const nestedWhere = (path: string) =>
      pathOf(match('rank_now', nested, { elsewhere: [`rank_history.score ${path}`] }), 'score');
    expect(nestedWhere('plata.puntuacion')).toBe('plata.puntuacion');
    expect(nestedWhere('puntuacion')).toBeUndefined();
  });

  test('one feeds one field only', () => {
    const scores = times(30, (i) => ({ puntuacion: i }));
    const found = match('optimizer', scores);
    expect(['before', 'after'].filter((field) => pathOf(found, field) === 'puntuacion')).toEqual([]);
  });

  test('the one that it was found at before stays, unless the other is clearly better', () => {
    const current = new Map([['score', 'puntuacion_plata']]);
    expect(pathOf(match('rank_now', records, { mapping: { current } }), 'score')).toBe('puntuacion_plata');
  });
});

test('the brand that competitors are compared with is known by the names of the clients', () => {
  const records = times(6, (i) => ({ rival: `Hotel ${i}`, frente_a: i < 3 ? 'Hotel Faro' : 'Casa Luz' }));
  const brand = (...names: readonly string[]) =>
    pathOf(match('competitors', records, { keys: { 'clients.name': names } }), 'brand');
  expect(brand('Hotel Faro', 'Casa Luz', 'Otra')).toBe('frente_a');
  expect(brand('Hotel Faro')).toBeUndefined();
});

test('the names of the clients are the name in an answer, and no label', () => {
  const records = times(6, (i) => ({ tipo: i < 3 ? 'Hotel Faro' : 'Casa Luz' }));
  const keys = { 'clients.name': ['Hotel Faro', 'Casa Luz'] };
  expect(pathOf(match('rank_now', records, { keys }), 'name')).toBe('tipo');
  expect(pathOf(match('sources', records), 'kind')).toBe('tipo');
  expect(pathOf(match('sources', records, { keys }), 'kind')).toBeUndefined();
});

describe('what is only like a field is asked at most', () => {
  const remarks = times(12, (i) => `Marta rang on the ${i + 1}th about the invoice and the pictures`);

  test.each(
    cases(`
    rank_now.score => number => target_score desired_score score_last_week worst_score rival_score sector_score score_change
    rank_now.position => number => best_position target_position last_position rival_position position_yesterday
    rank_now.comparable => flag => comparable_last_week rival.comparable legacy.comparable sector_comparable
    products.price => number => old_price target_price rival_price cost_price lowest_price avg_price shipping_price
    crawl.visits => number => failed_visits visits_last_week expected_visits blocked_visits visits_limit
    prompts.presence => number => rival_presence presence_goal presence_before market_presence
    actions.created => date => updated due_on reviewed_on archived_on fecha_cierre fecha_modificacion
    citations.last_seen => date => first_seen last_checked ultima_modificacion
    agent_state.why => text => comments notes remarks
    triggers.done => text => next_action suggested_action planned_action
  `),
  )('for %s', (name, kind, names) => {
    const [source = '', field = ''] = name.split('.');
    const value = (i: number) => {
      const number = 0.4 + ((i * 7) % 11) / 20;
      const figure =
        field === 'presence' ? number : field === 'visits' || field === 'position' ? 20 + i * i : 40 + number;
      const values = { number: figure, flag: i % 3 === 0, date: `2026-05-${10 + i}`, text: remarks[i] };
      return values[kind as keyof typeof values];
    };
    const nested = (path: string, i: number) =>
      path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value(i));
    const taken = names.split(' ').filter((path) => {
      const records = times(12, (i) => ({ ref: `r${i * i}`, ...(nested(path, i) as object) }));
      return pathOf(match(source, records), field) !== undefined;
    });
    expect(taken).toEqual([]);
  });

  test('as a moment beside the list that could be two', () => {
    const bots = times(5, (i) => ({ bot: `B${i}` }));
    const asOf = (actualizado: string) =>
      pathOf(match('crawl', bots, { envelope: { actualizado } }), 'as_of');
    expect(asOf('13/04/2026')).toBe('^^actualizado | dmy');
    expect(asOf('03/04/2026')).toBeUndefined();
  });

  test.each<[title: string, logical: string, record: (index: number) => object]>([
    ['a count for a share', 'crawl.error', (i) => ({ visitas: 100 + i, errores: i })],
    ['a time for a figure', 'actions.expectation_to', () => ({ expectativa: { plazo_dias: 28 } })],
    ['what is denied', 'site_coverage.cited_uncrawled', () => ({ cobertura: { rastreadas_no_citadas: 12 } })],
  ])('nor proposed as %s', (_, logical, record) => {
    const [source = '', field = ''] = logical.split('.');
    const found = match(source, times(12, record));
    expect([pathOf(found, field), ...proposed(found, field)]).toEqual([undefined]);
  });

  test('and what was mapped so stays', () => {
    const before = { puntuacion: 30, comparable: true };
    const records = times(12, (i) => ({ puntuacion: 40 + ((i * 7) % 11), anterior: before }));
    const mapping = { current: new Map([['comparable', 'anterior.comparable']]) };
    expect(pathOf(match('rank_now', records), 'comparable')).toBeUndefined();
    expect(pathOf(match('rank_now', records, { mapping }), 'comparable')).toBe('anterior.comparable');
  });
});

describe('rows', () => {
  const points = times(6, (i) => ({ fecha: `2026-06-0${i + 1}`, valor: 50 + i, minimo: 45, maximo: 60 }));

  test('are the lone array of objects', () => {
    const found = match('predictions', [{ cosas: points, generada: '2026-05-01' }]);
    expect(pathOf(found, '(rows)')).toBe('cosas');
    expect(pathOf(found, 'lower')).toBe('minimo');
    expect(pathOf(found, 'made')).toBe('^generada');
  });

  test('may be the entries of a map, whose keys are a field', () => {
    const entries = Object.fromEntries(points.map(({ fecha, ...rest }) => [fecha, rest]));
    const found = match('predictions', [{ serie: entries }]);
    expect([pathOf(found, '(rows)'), pathOf(found, 'date')]).toEqual(['serie.*', '@key']);
  });

  test('are of several arrays the one of a series, by its days, where no name says it', () => {
    const seen = (...days: readonly number[]) => days.map((day) => ({ dia: `2026-06-${day + 10}`, n: 3 }));
    const found = (...days: readonly number[]) =>
      match('competitor_series', [{ visto: seen(9, 2, 5, 17), traza: seen(...days) }]);
    const even = found(0, 4, 8, 12, 16);
    expect([pathOf(even, '(rows)'), pathOf(even, 'date')]).toEqual(['traza', 'dia']);
    expect(pathOf(found(0, 1, 8, 12, 18), '(rows)')).toBeUndefined();
  });

  test('hold ranges as two numbers', () => {
    const ranged = points.map(({ fecha, valor }) => ({ fecha, valor, rango: [valor - 5, valor + 5] }));
    const found = match('predictions', [{ puntos: ranged }]);
    expect([pathOf(found, 'lower'), pathOf(found, 'upper')]).toEqual(['rango[0]', 'rango[1]']);
  });
});

test('what a person said is neither looked for nor given to another field', () => {
  const records = times(10, (i) => ({ puntuacion: 10 + i, otra: 20 + i }));
  const overrides = new Map([['score', 'otra']]);
  const found = match('rank_now', records, { mapping: { overrides } });
  expect(pathOf(found, 'score')).toBeUndefined();
});

test('one reading of a moment that a person said leaves the other where it is', () => {
  const records = times(6, (i) => ({ fecha: `2026-05-0${i + 1}T10:00:00Z`, puntuacion: 40 + i }));
  expect(pathOf(match('rank_now', records), 'measured_at')).toBe('fecha');
  const overrides = new Map([['date', 'fecha']]);
  expect(pathOf(match('rank_now', records, { mapping: { overrides } }), 'measured_at')).toBe('fecha');
});

test('records that are lists have no rows', () => {
  expect(match('predictions', [[{ fecha: '2026-05-01', valor: 5 }]]).found).toEqual([]);
});

describe('what stands beside the list', () => {
  const products = times(6, (i) => ({ id: `p${i}`, nombre: `Silla ${i}`, precio: 10 + i }));
  const points = times(6, (i) => ({ fecha: `2026-01-0${i + 1}`, puntuacion: 50 + i }));

  test.each<[source: string, field: string, envelope: unknown, path: string]>([
    ['products', 'currency', { moneda: 'EUR', generado: '2026-01-01' }, '^^moneda'],
    ['citations', 'period', { ventana_dias: 28 }, '^^ventana_dias'],
    ['revenue', 'period_end', { period: { start: '2026-01-01', end_on: '2026-01-31' } }, '^^period.end_on'],
    ['crawl', 'as_of', { computed_at: '2026-01-02', figures_as_of: '2026-01-01' }, '^^figures_as_of'],
    ['crawl', 'period', { context: { window: 'LAST_28_DAYS' } }, '^^context.window'],
    ['crawl', 'as_of', { periodo: { desde: '2026-01-01', hasta: '2026-01-28' } }, '^^periodo.hasta'],
    ['crawl', 'as_of', { generated_at: '2026-01-29', index_updated_at: '2026-01-28' }, '^^generated_at'],
    ['crawl', 'as_of', { meta: { datos_al: '2026-01-28' } }, '^^meta.datos_al'],
    ['crawl', 'period', { periodo: { num_dias: 28 } }, '^^periodo.num_dias'],
    ['revenue', 'period_start', { from: '2026-01-01', to: '2026-01-28' }, '^^from'],
    ['revenue', 'period_end', { periodo: { fecha_fin: '2026-01-28' } }, '^^periodo.fecha_fin'],
    ['revenue', 'period_end', { window: { endDate: '2026-01-28' } }, '^^window.endDate'],
    ['benchmark', 'as_of', { indiceActualizadoEn: '2026-01-28' }, '^^indiceActualizadoEn'],
    ['benchmark', 'as_of', { fecha_indice: '2026-01-28' }, '^^fecha_indice'],
    ['crawl', 'as_of', { updated_at: '2026-01-29', fecha_metricas: '2026-01-28' }, '^^fecha_metricas'],
  ])('of %s is taken for %s in %j', (source, field, envelope, path) => {
    const records = source === 'products' ? products : [{ pregunta: '¿Qué?' }];
    expect(pathOf(match(source, records, { envelope }), field)).toBe(path);
  });

  test.each<[source: string, field: string, envelope: unknown, path: string]>([
    ['visibility_history', 'method', { metodo_actual: 'v2' }, '^^metodo_actual'],
    ['products', 'currency', { report_currency: 'EUR' }, '^^report_currency'],
    ['products', 'currency', { moneda: 'local' }, '^^moneda'],
    ['products', 'updated', { actualizado: '2026-01-01' }, '^^actualizado'],
    ['citations', 'period', { periodo_facturacion: 28 }, '^^periodo_facturacion'],
  ])('of %s is asked for %s in %j, which may be something else', (source, field, envelope, path) => {
    const found = match(source, source === 'visibility_history' ? points : products, { envelope });
    expect(pathOf(found, field)).toBeUndefined();
    expect(proposed(found, field)[0]).toBe(path);
  });

  test.each<[source: string, field: string, envelope: unknown]>([
    ['products', 'ai_price', { precio_ia: 12 }],
    ['measurements', 'engines', { motores: ['chatgpt', 'gemini'] }],
    ['visibility_history', 'method', { version: 'v2' }],
    ['revenue', 'as_of', { periodo: { desde: '2026-01-01', hasta: '2026-01-28' } }],
  ])('of %s is nothing for %s in %j', (source, field, envelope) => {
    const found = match(source, source === 'measurements' ? points : products, { envelope });
    expect(pathOf(found, field)).toBeUndefined();
    expect(proposed(found, field)).toEqual([]);
  });

  test('is not looked for where a person said where the field is', () => {
    const mapping = { overrides: new Map([['currency', null]]) };
    const found = match('products', products, { envelope: { moneda: 'EUR' }, mapping });
    expect(found.found.some(({ field }) => field === 'currency')).toBe(false);
    expect(proposed(found, 'currency')).toEqual([]);
  });
});

test.each<[string, string, unknown[]]>([
  ['the identifier of another thing', 'products.id parent_id', times(30, (i) => `P${i}`)],
  ['the best of several for their mean', 'prompts.mean_position mejor_posicion', [1.5, 2.5, 4.5]],
  ['an address of an image', 'products.url imageUrl', ['https://a.es/1.png', 'https://a.es/2.png']],
  ['the moment at which it is deleted', 'answers.answered_at ts_purga', ['2026-06-10T04:27:37Z']],
  ['who did it', 'triggers.done doneBy', ['Ana', 'Luis', 'Marta']],
  ['what counts something else beside it', 'merchants.links preguntas_con_enlace', [3, 5, 8]],
  ['what failed', 'measurements.answers num_resp_err', [3, 5, 8]],
  ['a share for an amount', 'revenue.amount ingresos_pct', [3.5, 5.5, 8.25]],
  ['days for points', 'agent_memory.expected_points espera.dias', [28, 14, 7]],
  ['codes for a label', 'sources.kind tip_fuente', [1, 2, 3]],
  ['how many for whose', 'crawl.client points_count', [1, 2, 3]],
  ['a gap for a count', 'sources.citations citations_gap', [1, 2, 5]],
  ['a deviation for an amount', 'products.price desviacionPrecio', [1.5, -2.5, 4.25]],
  ['yes and no for a share', 'prompts.presence presencia', [0, 1, 0]],
  ['when it was seen', 'perception.as_of vistaAt', ['2026-06-10', '2026-06-11']],
  ['when it is looked at again', 'prompt_gaps.detected review_on', ['2026-06-10', '2026-06-11']],
  ['the one most visited', 'crawl.path ruta_mas_visitada', ['/a', '/b/c', '/d']],
  ['when it was fetched', 'citations.last_seen last_crawled_at', ['2026-06-10', '2026-06-11']],
])('takes nothing that is only like a field: %s', (_, names, values) => {
  const [logical = '', path = ''] = names.split(' ');
  const [source = '', field = ''] = logical.split('.');
  const records = times(30, (i) =>
    path.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), values[i % values.length]),
  );
  const keys = { clientes: ['1', '2', '3'] };
  expect(pathOf(match(source, records, { keys }), field)).toBeUndefined();
});

test('arrays with the same fields are told by their names, and asked about where no name tells', () => {
  const amounts = (name: string) => times(4, (i) => ({ [name]: `x${i}`, moneda: 'EUR', importe: 10.5 + i }));
  const body = { porMoneda: amounts('moneda'), porCampana: amounts('landing') };
  const found = (name: string, record: object) => pathOf(match(name, [record]), '(rows)');
  expect(found('revenue_products', body)).toBeUndefined();
  expect(found('revenue_products', { porCampana: body.porCampana })).toBeUndefined();
  const asked = match('revenue_landings', [{ porCampana: body.porCampana, otras: [{ zz: 1 }] }]);
  expect(proposed(asked, '(rows)')).toEqual(['porCampana']);
  expect(found('revenue_products', { ...body, porProducto: amounts('producto') })).toBe('porProducto');
  expect(found('revenue_landings', { ...body, landings: amounts('url') })).toBe('landings');
});

describe('values and names tell what a field is, and what only stands near it is not', () => {
  const texts = (i: number) => ['calidad', 'precio alto', 'servicio'][i % 3];
  const day = (i: number) => `2026-06-${10 + (i % 9)}`;
  const display = (i: number) => ({ estado_display: ['Finalizada', 'Con error'][i % 2] });
  test.each<[string, (i: number) => Record<string, unknown>, Given?]>([
    [
      'a value below another thing is about that: rank_now.score resultado.puntuacion',
      () => ({ competencia: { puntuacion: 40 }, resultado: { puntuacion: 61 } }),
    ],
    [
      'what was discarded is not the thing: measurements.answers undefined',
      (i) => ({ respuestas_descartadas: i % 3 }),
    ],
    ['seconds are no milliseconds: measurements.duration_ms undefined', () => ({ duracion_segundos: 12 })],
    ['a score is within 0 and 100: rank_now.score undefined', (i) => ({ puntuacion: 400 + i })],
    ['a share is no score: rank_now.score undefined', (i) => ({ puntuacion: i / 30 })],
    ['a flag is no label: sources.kind undefined', () => ({ tipo: true })],
    [
      'sentences are no labels: sources.opportunity_kind undefined',
      (i) => ({ oportunidad: { texto: `Nombra más veces a Celler ${i % 4} que a nuestra bodega` } }),
    ],
    [
      'the period of a funnel is not that of other amounts: revenue_products.period_start undefined',
      (i) => ({
        funnel: { periodo: { desde: day(i) }, visitas: 90 + i },
        productos: [{ producto: `Queso ${i}`, importe: 10.5 + i, moneda: 'EUR' }],
      }),
    ],
    [
      'a share is no number of searches: fanouts.covered total_cubiertas',
      (i) => ({ cobertura: 0.25 + i / 100, total_cubiertas: i % 5 }),
    ],
    [
      'the name of an experiment is not what was done: experiments.action accion.titulo',
      (i) => ({ nombre: `Prueba ${i} de Celler`, accion: { titulo: `Rehacer la página ${i}` } }),
    ],
    [
      'a word stands before its label and its value: answers.sentiment sentimiento',
      (i) => ({
        ...{ sentimiento: ['positivo', 'neutro'][i % 2], sentimiento_valor: (i % 2) / 2 },
        sentimiento_label: ['Positivo', 'Neutro'][i % 2],
      }),
    ],
    [
      'a block that only tells of the row is no thing of its own: actions.created audit.createdAt',
      (i) => ({ id: `a${i}`, audit: { createdAt: day(i), createdBy: 'u' } }),
    ],
    [
      'a win rate is no share of voice: competitors.share undefined',
      (i) => ({ name: `Rival ${i}`, win_rate: i / 50 }),
    ],
    [
      'a client is one of the clients, by its identifiers alone: actions.client ficha',
      (i) => ({ cliente: `Casa ${i % 2}`, ficha: `c${i % 2}` }),
      { keys: { clientes: ['c0', 'c1', 'c2'] } },
    ],
    [
      'values of a shape of their own need no name: products.currency xx',
      (i) => ({ id: i, nombre: `Cosa ${i}`, xx: i % 2 === 0 ? 'EUR' : 'MXN' }),
    ],
    [
      'a value that never differs is no kind: actions.kind categoria',
      (i) => ({ id: `a${i}`, type: 'action', categoria: i % 2 === 0 ? 'web' : 'texto' }),
    ],
    [
      'keys of another stream refer to it: answers.measurement_id lote',
      (i) => ({ lote: `m${i % 4}`, texto: `respuesta número ${i}` }),
      { keys: { mediciones: ['m0', 'm1', 'm2', 'm3'] } },
    ],
    [
      'the official method is the score: visibility_now.score metodos.v2.nota',
      () => ({ oficial: 'v2', metodos: { v1: { nota: 50 }, v2: { nota: 61 } } }),
    ],
    [
      'a target that was frozen is an expectation: actions.expectation_from target.range[0]',
      (i) => ({ id: `a${i}`, target: { range: [1 + (i % 5) / 2, 5 + (i % 5) / 2], frozen_on: day(i) } }),
    ],
    [
      'a lone figure below the name of the field is it: agent_memory.observed_points observado.n',
      (i) => ({ observado: { n: i / 2, nota: 'x' } }),
    ],
    [
      'a currency beside the list is not taken where records may have their own: products.currency listPrice.currencyCode',
      (i) => ({
        listPrice: { value: 10 + i, currencyCode: 'USD' },
        rivalPrice: { value: 9 + i, currencyCode: i % 2 === 0 ? 'USD' : 'EUR' },
      }),
      { envelope: { currency: 'EUR' } },
    ],
    [
      'the identifier of a run is not that of the memory: agent_memory.id eid',
      (i) => ({ run_id: `run_${i % 20}`, eid: `mem${i}` }),
      { keys: { agent_memory: times(30, (i) => `mem${i}`) } },
    ],
    [
      'of how many is no position: rank_history.position pos_v',
      (i) => ({ pos_of: 41, pos_v: 4 + (i % 6), fecha: `2026-05-${10 + i}` }),
    ],
    [
      'days are no points: agent_memory.observed_points undefined',
      () => ({ observado: { valor: 28, unidad: 'días' } }),
    ],
    [
      'the brand of a rival is not that of the client: competitors.brand undefined',
      (i) => ({ riv: { marca: `Celler ${i}` } }),
    ],
    [
      'a remark that all records bear is no question: bgpi.question undefined',
      (i) => ({ aviso: 'no es volumen global', n: i }),
    ],
    [
      'when it was last seen is not when the list was made: fanouts.as_of ^^actualizadoEn',
      (i) => ({ ultimoVistoEn: `2026-06-${10 + (i % 9)}T04:27:37Z`, terms: texts(i) }),
      { envelope: { actualizadoEn: '2026-06-16T05:31:40Z' } },
    ],
    [
      'when it was computed is not when it was measured, where the date says the moment: rank2.measured_at fecha',
      (i) => ({
        ...{ fecha: `${day(i)}T04:46:09Z`, calculadoEn: `${day(i)}T05:02:44Z`, score: 40.5 + i },
      }),
    ],
    [
      'what it is now stands beside its limit and what it was: rank_now.score rank.curr',
      (i) => ({ rank: { curr: 50.5 + ((i * 7) % 31), prev: 44.5 + i, max: 100 } }),
    ],
    [
      'the upper end of a range is not its lower one: actions.expectation_to expectativa.a',
      (i) => ({ expectativa: { de: 2 + (i % 3), a: 5 + (i % 4) } }),
    ],
    [
      'the only question of a client is a question: answers.question pregunta',
      () => ({ pregunta: '¿Cuál es el mejor dentista de Vigo?' }),
    ],
    [
      'a word stands before its label: measurements.status estado',
      (i) => ({ estado: ['finalizada', 'fallida'][i % 2], ...display(i) }),
    ],
    [
      'a code stands behind its label: measurements.status estado_display',
      (i) => ({ estado: 'FE'[i % 2], ...display(i) }),
    ],
    [
      'when a row was written is not when it happened: agent_memory.date decidida_at',
      (i) => ({
        ...{ decidida_at: `${day(i)}T04:46:09Z`, created_at: `${day(i)}T05:02:44Z` },
        updated_at: `${day(i + 1)}T05:02:44Z`,
      }),
    ],
    [
      'when a row was inserted is not when it happened: triggers.fired_at salto_en',
      (i) => ({ salto_en: `${day(i)}T04:46:09`, inserted_at: `${day(i)}T05:02:44` }),
    ],
    [
      'when a row was changed is not when its figures hold: prompts.as_of ultima_medicion',
      (i) => ({ creada_en: day(i), actualizada_en: day(i + 1), ultima_medicion: day(i + 2) }),
    ],
    [
      'when a row was modified is neither: prompts.as_of undefined',
      (i) => ({ creado: day(i), modificado: day(i + 1) }),
    ],
    [
      'an element of a list identifies nothing: research.research_id undefined',
      (i) => ({ iscos: ['a', 'b', `x${i}`], candidatos: [{ texto: `mejor x ${i}` }] }),
    ],
    [
      'until when the data of a list goes is not when a row changed: prompts.as_of ^^datos_hasta',
      (i) => ({ id: i, updated_at: `2026-05-${10 + (i % 9)}T05:02:44Z` }),
      { envelope: { datos_hasta: '2026-06-16' } },
    ],
    [
      'the day is that of the moment, and another moment is none: measurements.date started_at',
      (i) => ({ started_at: `2026-06-1${i % 9}T05:00:00Z`, finished_at: `2026-06-1${i % 9}T06:00:00Z` }),
    ],
    [
      'what the name of another field names is that: benchmark.cut tipo_corte',
      (i) => ({ valor_corte: ['ES', 'Hoteles', 'PT'][i % 3], tipo_corte: ['país', 'sector'][i % 2] }),
    ],
    [
      'an intent is known by the words for it: prompts.intent para_que',
      (i) => ({ para_que: ['informativa', 'transaccional'][i % 2], etapa: ['alta', 'baja'][i % 2] }),
    ],
    [
      'which way it goes is known by the words for it: demand.trend marcha',
      (i) => ({ marcha: ['sube', 'baja', 'igual'][i % 3], plan: ['oro', 'plata'][i % 2] }),
    ],
    [
      'when a row was modified is not when the figures of a list were computed: competitors.as_of ^^fecha_calculo',
      (i) => ({ nombre: `Rival ${i}`, modificado: `${day(i)}T05:02:44Z` }),
      { envelope: { fecha_calculo: '2026-06-16' } },
    ],
    [
      'the day as of which a rank holds is its date: rank_history.date as_of',
      (i) => ({ as_of: day(i), revised: day(i + 3), score: 50 + i / 2 }),
    ],
    [
      'as of when a state holds is not when the last decision was made: agent_state.date undefined',
      (i) => ({ estado: 'activo', as_of: `${day(i)}T04:46:09Z` }),
    ],
    [
      'a text that is always there is no reason: rank_now.reasons undefined',
      (i) => ({ razon: ['Casa Luz', 'Hotel Faro'][i % 2], comparable: i % 3 > 0 }),
    ],
    [
      'numbers of rows count nothing: sources.citations undefined',
      (i) => ({ dominio: `d${i}.es`, num: 2_001_000 + 3 * i }),
    ],
    [
      'what counts is no trend: demand.trend undefined',
      (i) => ({ en_que_se_cuenta: ['preguntas', 'índice'][i % 2] }),
    ],
    [
      'the label of a cut is not its value: benchmark.value undefined',
      (i) => ({ dimension: { key: 'abc'[i % 3], label: ['Todo', 'País', 'Sector'][i % 3] } }),
    ],
    [
      'an interval of confidence has a lower end: rank2.lower intervalo_confianza.min',
      (i) => ({ intervalo_confianza: { min: 40 + i / 2, max: 60 + i / 2 } }),
    ],
    [
      'a rate per hundred is no share: competitors.per_100 tasa_por_100',
      (i) => ({ nombre: `Rival ${i}`, tasa_por_100: i / 2 }),
    ],
    [
      'what is crawled is counted, with citations or without: site_coverage.crawled_cited rastreadas_con_cita',
      (i) => ({ rastreadas_con_cita: 12 + i, rastreadas_sin_cita: 7 + i }),
    ],
    [
      'a moment alone is when it happened: measurements.measured_at created_at',
      (i) => ({ created_at: `${day(i)}T05:02:44Z` }),
    ],
    [
      'an identifier below the name of its record is that of the record: experiments.id experimento.datos.id',
      (i) => ({ experimento: { datos: { id: `e${i}` } } }),
    ],
    [
      'until when the data goes is not when it was computed: rank2.date calculadoAt',
      (i) => ({ calculadoAt: `${day(i)}T10:17:00Z`, datosHasta: day(i), puntuacion: 40.5 + i }),
    ],
    [
      'a word of its own shortens no other: prompt_gaps.opportunity undefined',
      (i) => ({ head_wind: 12 + ((i * 7) % 31), fair_wind: 20 + ((i * 11) % 41) }),
    ],
    [
      'a day that says no more than a moment may be another: rank2.date undefined',
      (i) => ({ instrument_tuned_on: day(i), reckoned_at: `${day(i)}T10:17:00Z`, score: 40.5 + i }),
    ],
    [
      'what is said of the records is no goal: revenue_funnel.sessions meta.funnel.sessions_count',
      (i) => ({ meta: { funnel: { sessions_count: 2100 + i, page_views_count: 9000 + i } } }),
    ],
    [
      'when something was last seen is not until when its figures go: bgpi.as_of undefined',
      (i) => ({ pregunta: `¿mejor x ${i}?`, fecha_ultima_observacion: day(i) }),
    ],
    [
      'what is last is not when it was found: prompt_gaps.detected undefined',
      (i) => ({ pregunta: `¿mejor x ${i}?`, last_confirmed_on: day(i) }),
    ],
    [
      'when a row was published is a moment of the row: citas.cited_at undefined',
      (i) => ({ createdAt: `${day(i)}T05:02:44Z`, publishedAt: `${day(i + 1)}T05:02:44Z` }),
    ],
    [
      'the canonical form of a question is the one: demand.question canonico',
      (i) => ({ pregunta: `¿Qué quesos curados de la zona ${i} recomiendas?`, canonico: `quesos zona ${i}` }),
    ],
    [
      'a position among competitors is no position of theirs: rank_now.position position_among_competitors',
      (i) => ({ position_among_competitors: 1 + (i % 9) }),
    ],
    [
      'nor is one in a sector the position of the sector: rank_now.position posicion_sector',
      (i) => ({ posicion_sector: 1 + (i % 9) }),
    ],
    [
      'a list says as of when in any spelling: perception.as_of ^^as-of',
      (i) => ({ attribute: 'abc'[i % 3] }),
      { envelope: { 'as-of': '2026-06-16' } },
    ],
    [
      'a window may have its length for a value: perception.period ^^window.value',
      (i) => ({ attribute: 'abc'[i % 3] }),
      { envelope: { window: { value: 28, unit: 'days' } } },
    ],
    [
      'a window of looking back is the period: perception.period ^^meta.lookback_window_days',
      (i) => ({ attribute: 'abc'[i % 3] }),
      { envelope: { meta: { lookback_window_days: 28 } } },
    ],
    [
      'a code and its label are one thing: agent_memory.lever palanca.descripcion',
      (i) => ({
        palanca: { codigo: ['CONT', 'FICHA'][i % 2], descripcion: ['Contenido nuevo', 'Ficha'][i % 2] },
      }),
    ],
    [
      'a code or a label is named by its object: actions.kind tipo.descripcion',
      (i) => ({
        tipo: { codigo: ['CONT', 'FICHA'][i % 2], descripcion: ['Contenido nuevo', 'Ficha'][i % 2] },
      }),
    ],
    [
      'they are of one field: revenue.provenance undefined',
      (i) => ({ canal: { codigo: ['CHATGPT', 'GEMINI'][i % 2], descripcion: ['ChatGPT', 'Gemini'][i % 2] } }),
    ],
    [
      'an alert is of the day on which it was raised: competitor_alerts.date raised_at',
      (i) => ({ alertas: [{ rival: `Rival ${i}`, raised_at: `${day(i)}T05:02:44Z` }] }),
    ],
    [
      'a word counts in the sense that names of a field share, and until is no term: fanouts.terms undefined',
      (i) => ({ trips_to_town: ['sal', `x${i}`], herbs: ['a', `y${i}`] }),
    ],
    [
      'mentions among competitors are no position: rank_now.position undefined',
      (i) => ({ mentions_among_competitors: 1 + (i % 9) }),
    ],
    [
      'where a range of prices begins is no price: products.price undefined',
      (i) => ({ price_range_from: 19.9 + (i % 5), price_range_to: 49.9 + (i % 5) }),
    ],
    [
      'a window of weeks is no number of days: perception.period undefined',
      (i) => ({ attribute: 'abc'[i % 3] }),
      { envelope: { window: { value: 4, unit: 'weeks' } } },
    ],
    [
      'a period in a word that is no span is none: perception.period undefined',
      (i) => ({ attribute: 'abc'[i % 3] }),
      { envelope: { period: { key: 'current' } } },
    ],
    [
      'the currency of a report is that of its total: products.currency undefined',
      (i) => ({ title: `Silla ${i}`, price: 12.5 + (i % 5) }),
      { envelope: { report: { currency: 'USD' } } },
    ],
    [
      'a figure that is normalized is no canonical form: demand.question pregunta',
      (i) => ({ pregunta: `¿Qué quesos de la zona ${i} recomiendas?`, valor_normalizado: i / 20 }),
    ],
    [
      'a code of several labels is another thing: benchmark.value corte.nombre',
      (i) => ({ corte: { clave: ['sector', 'pais'][i % 2], nombre: ['Moda', 'ES', 'Viajes', 'PT'][i % 4] } }),
    ],
    [
      'the type of what is referred to is another one: rank_now.kind undefined',
      (i) => ({ subject_type: ['Account', 'Client'][i % 2], subject_id: `s${i}` }),
    ],
    [
      'a summary is of the list: perception.period ^^resumen.diasAnalizados',
      (i) => ({ atributo: 'abc'[i % 3] }),
      { envelope: { resumen: { diasAnalizados: 28 } } },
    ],
    [
      'addresses number no products: products.sku undefined',
      (i) => ({
        id: `p${i * i}`,
        url: `https://a.example/silla-${i}`,
        folio: `https://b.example/silla-${i}`,
      }),
    ],
    [
      'the number of an order is no position: answers.position undefined',
      (i) => ({ orderNo: 1_001 + 2 * i }),
    ],
    [
      'sentences name no metric: experiments.metric undefined',
      (i) => ({ measure: { title: `Vergleichstabelle für das Rad ${i % 8} ergänzen` } }),
    ],
    [
      'questions say of no surface whether it shows: surfaces.shopping undefined',
      (i) => ({
        surfaces: [{ engine: 'chatgpt', order: `Which steel road bike would you pick, ${i % 8}?` }],
      }),
    ],
    [
      'when it was checked is not when it was cited: citas.date citada_en',
      (i) => ({ citada_en: `${day(i)}T05:02:44Z`, fecha_comprobacion: day(i + 1) }),
    ],
    [
      'until when a trigger is silent is not when it fired: triggers.date undefined',
      (i) => ({ fecha_silenciado_hasta: day(i + 9) }),
    ],
    [
      'the number of all is no position: citas.position undefined',
      (i) => ({ position: { total: 7 + (i % 3) } }),
    ],
    ['a place among so many is two figures: rank2.position undefined', (i) => ({ 'place-of': 12 + (i % 2) })],
    [
      'the rival of a brand is not the brand itself: competitors.name undefined',
      (i) => ({ competidor_de: ['Faro', 'Norte'][i % 2] }),
    ],
    [
      'a part of the citations is not all of them: sources.citations undefined',
      (i) => ({ citas_cliente: i % 9 }),
    ],
    [
      'tests that were read are not all tests: experiment_learning.read concluded_count',
      () => ({
        learning: times(4, (n) => ({
          ...{ action_type: 'abcd'[n], num_experimentos: 19 + n, concluded_count: 14 + n },
          ...{ improved: 3 + n, mean_change: 1.5 - n },
        })),
      }),
    ],
    [
      'a cluster is the one whose identifier is known: demand.cluster cluster.id',
      (i) => ({ cluster: { id: `k${i % 4}`, nombre: `Sillas ${i % 4}: precios` } }),
      { keys: { prompt_clusters: ['k0', 'k1', 'k2', 'k3'] } },
    ],
    [
      'a share of links is no share of answers: merchants.share link_share',
      (i) => ({ link_share: i / 40, answer_share: (30 - i) / 40 }),
    ],
    [
      'when a model was trained is not when it estimated: rank2.measured_at undefined',
      (i) => ({ entrenadoEn: `${day(i)}T05:02:44Z` }),
    ],
    [
      'a legal name is not the one that is shown: clients.name undefined',
      (i) => ({ id: `c${i}`, razon_social: `Faro ${i} S.L.`, profile: { name: `Faro ${i}` } }),
    ],
    [
      'when it was reviewed is not when it was measured: rank_history.date undefined',
      (i) => ({ airank: 40 + i, revisada: day(i) }),
    ],
    [
      'a mean is not the amount: revenue.amount undefined',
      (i) => ({ canal: `c${i % 4}`, imp_medio: 30.5 + i }),
    ],
    [
      'how likely a gap is by chance is no gap: sources.gap undefined',
      (i) => ({ domain: `d${i}.example`, gap_p_value: i / 31 }),
    ],
    [
      'the path that is asked for most is no path: crawl.path undefined',
      (i) => ({ top_path: ['/', '/a'][i % 2] }),
    ],
    ['reach is no number of citations: citations.citations undefined', (i) => ({ reach: 4_000 + 31 * i })],
    [
      'how grave an alert is is no kind: competitor_alerts.kind undefined',
      (i) => ({
        alerts: times(3, (n) => ({ message: `Faro rises by ${i + n} points`, alert_severity: 'ab'[n % 2] })),
      }),
    ],
    [
      'answers that are no good are not the answers: measurements.answers undefined',
      (i) => ({ answers_bad: i % 9 }),
    ],
    [
      'the page on which a visit ends is not where it begins: revenue.landing undefined',
      (i) => ({ canal: `c${i}`, paginaSalida: `/p/${i % 4}` }),
    ],
    [
      'new sessions are some of them: revenue.sessions undefined',
      (i) => ({ canal: `c${i}`, sesiones_nuevas: 31 * i }),
    ],
    [
      'when an answer was put together is not when it was measured: visibility_now.measured_at undefined',
      (i) => ({ generated_at: `${day(i)}T05:02:44Z` }),
    ],
    [
      'how many there are identifies nothing: research.research_id undefined',
      (i) => ({ num_candidatos: 3 + i, candidatos: [{ texto: `mejor silla ${i}` }] }),
    ],
    [
      'who proposed it is no intent: prompts.intent undefined',
      (i) => ({ proposto_da: ['redazione', 'committente'][i % 2] }),
    ],
    [
      'the label of a channel is no provenance: revenue.provenance undefined',
      (i) => ({ canal: 'abc'[i % 3], canal_nombre: ['Uno', 'Dos', 'Tres'][i % 3] }),
    ],
    [
      'an identifier is no kind: competitor_alerts.kind undefined',
      (i) => ({
        alerts: times(3, (n) => ({ message: `Faro rises by ${i + n} points`, alert_id: `a${n}` })),
      }),
    ],
    [
      'how far a figure may be off is no figure: prompt_clusters.opportunity undefined',
      (i) => ({ opportunity_se: 1.5 + i / 10 }),
    ],
    [
      'how likely something is is no number of points: agent_memory.expected_points undefined',
      (i) => ({ prob_esperada: 0.5 + i / 100 }),
    ],
    [
      'a threshold is no share: crawl.error undefined',
      (i) => ({ bot: 'abc'[i % 3], failed_rate_threshold: 0.05 + (i % 3) / 100 }),
    ],
    [
      'a place in a list is not that of the brand: answers.position brand.posicion',
      (i) => ({ posicionEnLista: 3 + (i % 8), brand: { posicion: 1 + (i % 5) } }),
    ],
    [
      'a canonical form may stand in another object: demand.question question.canonica',
      (i) => ({ pregunta: `¿Qué silla ${i}?`, question: { canonica: `silla ${i} mejor` } }),
    ],
    [
      'orders that were paid back are some of them: revenue.orders undefined',
      (i) => ({ canal: `c${i}`, refundedOrders: 3 * i }),
    ],
    [
      'when it was reported is not when it was measured: rank_history.date undefined',
      (i) => ({ airank: 40 + i, rpt_dt: day(i) }),
    ],
    ['a position may lack its vowels: rank_history.position mkt_posn', (i) => ({ mkt_posn: 1 + (i % 9) })],
    [
      'a rank beside a score is a position: visibility_now.score headline.score',
      (i) => ({
        headline: { score: 44.5 + i / 2, rank: 2 + (i % 9) },
        pillars: { presence: { score: 33.5 + i }, sentiment: { score: 81.5 - i } },
      }),
    ],
    [
      'an engine may be named by its identifier: surfaces.engine engineId',
      (i) => ({
        surfaces: ['chatgpt', 'gemini'].map((engineId) => ({
          engineId,
          texto: ['presente', 'ausente'][i % 2],
        })),
      }),
    ],
    [
      'statistics are as of their date: prompts.as_of stats.asOf',
      (i) => ({ createdAt: day(i), stats: { presence: i / 40, asOf: day(28) } }),
    ],
    [
      'days on which it was cited are no period: citations.period undefined',
      (i) => ({ url: `https://a.example/${i}`, citas: 30 + i, num_dias_citada: 4 + (i % 9) }),
    ],
    [
      'a cluster may be normalized, and its question is asked as it is: demand.question prompt',
      (i) => ({ prompt: `¿Qué silla ${i}?`, cluster: { nombre_normalizado: `sillas de ${i % 4}` } }),
    ],
    [
      'of two moments of other events none is taken: triggers.fired_at undefined',
      (i) => ({ resuelto_en: `${day(i)}T05:02:44Z`, atendida_en: `${day(i + 1)}T05:02:44Z` }),
    ],
    [
      'an identifier may be named after the table: actions.id id_acciones',
      (i) => ({ id_acciones: 40_000 + i, titulo: `Haz algo ${i}` }),
    ],
    [
      'the name of one of many in a cut is its value: benchmark.value ambito_nombre',
      (i) => ({
        ...{ ambito: ['sector', 'pais'][i % 2] },
        ambito_nombre: ['Calzado', 'España', 'Moda', 'Francia'][i % 4],
      }),
    ],
    [
      'a predicted position is no predicted score: predictions.score undefined',
      (i) => ({ points: times(3, (n) => ({ date: day(n), predictedPosition: 3 + ((i + n) % 5) })) }),
    ],
    [
      'the reason of a verdict is no verdict: claims.verdict undefined',
      (i) => ({
        claims: times(3, (n) => ({
          ...{ claim: `La silla ${i} cuesta ${n} euros`, phrase: `Cuesta ${n} euros, la silla ${i}` },
          motivo_veredicto: ['precio viejo', 'fuente caída'][(i + n) % 2],
        })),
      }),
    ],
    [
      'the currency of a fee is not that of a client: clients.currency undefined',
      (i) => ({ id: `c${i}`, tarifa_moneda: ['EUR', 'MXN'][i % 2] }),
    ],
    [
      'what was published was made before: optimizer.created undefined',
      (i) => ({ fecha_publicacion: day(i) }),
    ],
    [
      'what was observed is not what was expected: agent_memory.expected_direction undefined',
      (i) => ({ observed_direction: ['up', 'down'][i % 2] }),
    ],
    [
      'the kind of who asked is not the kind of a run: measurements.kind undefined',
      (i) => ({ requested_by_type: ['user', 'job'][i % 2] }),
    ],
    [
      'the label of one thing is not the value of another: benchmark.value undefined',
      (i) => ({ corte: ['sector', 'pais'][i % 2], corte_nombre: ['Sector', 'País'][i % 2] }),
    ],
    [
      'what belongs to an expectation may say that it is frozen: actions.expectation_from frozen_expectation.range_lower_value',
      (i) => ({ frozen_expectation: { range_lower_value: 1.2 + i / 10, range_upper_value: 4.6 + i / 10 } }),
    ],
    [
      'a limit may be an end of a range: rank2.lower estimate.lowerLimit',
      (i) => ({ score: 50 + i / 2, estimate: { lowerLimit: 46.5 + i / 2, upperLimit: 55.5 + i / 2 } }),
    ],
    [
      'what an action is expected to bring is its impact: actions.impact_points expected_impact_points',
      (i) => ({ expected_impact_points: 1.5 + i / 10 }),
    ],
    [
      'days are a period: revenue_funnel.period dias',
      () => ({ dias: 28, embudo: { visitas: 10, carritos: 4 } }),
    ],
    [
      'a serial number is no period: perception.period undefined',
      (i) => ({ at: 5_801_000 + i, atributo: 'abc'[i % 3] }),
    ],
    ['a word without its vowels is that word: prompts.presence prsnc', (i) => ({ prsnc: i / 40 })],
    [
      'a shortened word has a plural: rank_now.dimensions dims',
      (i) => ({ dims: { presencia: 40 + i, precision: 70 - i } }),
    ],
    [
      'a word that several names begin with says something: sources.rival_citations citas_competidores',
      (i) => ({ citas_marca: i % 9, citas_anterior: i % 7, citas_competidores: i % 11 }),
    ],
    [
      'the main one is the one: merchants.destination destino_principal',
      (i) => ({ tipo: ['marca', 'tienda'][i % 2], destino_principal: ['ficha', 'portada'][i % 2] }),
    ],
    [
      'points are the unit of a movement: competitors.movement movimiento.puntos',
      (i) => ({ recomendaciones_por_100: i / 2, movimiento: { puntos: 1.5 - i / 10 } }),
    ],
    ['one and the same small number is a code, not a score: rank2.score undefined', () => ({ est: 1 })],
    [
      'there are no more names of the client than clients: competitors.brand undefined',
      (i) => ({ marca: `Rival ${i}` }),
      { keys: { clientes: ['c0', 'c1'] } },
    ],
    [
      'a price of which nobody knows what it is may be the other one: products.price undefined',
      (i) => ({ hearsay_price: 12.5 + ((i * 7) % 11) }),
    ],
    ['a price has a currency: products.price precio_eur', (i) => ({ precio_eur: 12.5 + ((i * 7) % 11) })],
    [
      'a part that is not always there has a date of its own: agent_memory.date undefined',
      (i) => ({ called: 1_780_000_000_000 + i * 86_400_000, sighting: i % 5 === 0 ? null : { on: day(i) } }),
    ],
    [
      'a moment need not say that it is one: triggers.fired_at disparadoEn',
      (i) => ({ disparadoEn: `${day(i)}T05:02:44Z`, leidoEn: `${day(i + 1)}T07:02:44Z` }),
    ],
    [
      'sentences are no labels: research.source undefined',
      (i) => ({ candidatos: [{ texto: `mejor x ${i}`, origen: `¿Cuál es el mejor x ${i}?` }] }),
    ],
    [
      'one of a list that nothing names is not the list: citations.engines undefined',
      () => ({ zz: ['gpt', 'cld'] }),
    ],
    [
      'a status is no word in the place of a number: demand.value_text undefined',
      (i) => ({ demanda: { estado: ['ok', 'not_available'][i % 2] } }),
    ],
    [
      'what holds the other fields is none of them: products.attributes undefined',
      (i) => ({ attributes: { sku: `S-${i}`, nombre: `Mesa ${i}`, precio: 10.5 + i } }),
    ],
  ])('%s', (told, record, given) => {
    const [, source = '', field = '', path] = /: (\w+)\.(\w+) (\S+)$/.exec(told) ?? [];
    expect(logicalSources.find(({ name }) => name === source)?.fields).toHaveProperty(field);
    expect(String(pathOf(match(source, times(30, record), given), field))).toBe(path);
  });
});

test('cents are hundredths of an amount', () => {
  const records = times(12, (i) => ({ price: { amount_cents: 1_299 * (1 + (i % 5)) } }));
  expect(pathOf(match('products', records), 'price')).toBe('price.amount_cents | percent');
});

test('cents are asked about in a currency that has none', () => {
  const records = times(12, (i) => ({ price: { amountCents: 1_299 * (1 + (i % 5)), currency: 'CLP' } }));
  const found = match('products', records);
  expect(pathOf(found, 'price')).toBeUndefined();
  expect(proposed(found, 'price')).toContain('price.amountCents | percent');
});

test.each<[why: string, of: string, record: (index: number) => object]>([
  [
    'it is a moment of the row',
    'citas.cited_at publishedAt',
    (i) => ({ createdAt: at(i), publishedAt: at(i) }),
  ],
  [
    'its canonical form is there, too',
    'demand.question pregunta',
    (i) => ({ pregunta: `¿x ${i}?`, canonico: `x ${i}` }),
  ],
  ['it is always there, as reasons are not', 'rank_now.reasons razon', (i) => ({ razon: 'ab'[i % 2] })],
  [
    'it is named as something else',
    'rank_now.position rival.posicion',
    (i) => ({ rival: { posicion: i % 9 } }),
  ],
])('a path is left with its reason: %s', (why, of, record) => {
  const [, name = '', field = '', path = ''] = /^(\w+)\.(\w+) (.+)$/.exec(of) ?? [];
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) throw new RangeError(name);
  const records = times(12, (i) => ({ record: record(i), envelope: undefined }));
  const place = { field, rows: undefined };
  const weighed = weighIn(
    source,
    records,
    neighboursOf(() => new Set(), []),
    place,
  );
  expect(
    weighed
      .find((one) => one.path === path)
      ?.why.split('; ')
      .at(-1),
  ).toBe(why);
});

const at = (index: number) => `2026-05-${10 + index}T05:02:44Z`;
