// What was expected of actions, and what was observed: a picture for each metric.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { drawDumbbells, metricsOf } from './dumbbells.ts';
import { beginSentence, counted, countedUpTo } from './format.ts';
import { unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'title', kind: 'text', label: { en: 'Action', es: 'Acción' } },
  { name: 'status', kind: 'text', label: { en: 'Status', es: 'Estado' } },
  { name: 'action_type', kind: 'text', label: { en: 'Type', es: 'Tipo' } },
  { name: 'expectation_metric', kind: 'text', label: { en: 'Metric', es: 'Métrica' } },
  { name: 'expected_from_value', kind: 'number', label: { en: 'Expected from', es: 'Esperado desde' } },
  { name: 'expected_to_value', kind: 'number', label: { en: 'Expected to', es: 'Esperado hasta' } },
  { name: 'observed_value', kind: 'number', label: { en: 'Observed', es: 'Observado' } },
  { name: 'result_reading', kind: 'text', label: { en: 'Reading', es: 'Lectura' } },
  { name: 'expectation_frozen_date', kind: 'date', label: { en: 'Expectation of', es: 'Expectativa del' } },
  { name: 'is_expectation_changed', kind: 'flag', label: { en: 'Changed later', es: 'Cambió después' } },
  { name: 'created_date', kind: 'date', label: { en: 'Created', es: 'Creada' } },
  { name: 'action_id', kind: 'text', label: { en: 'Identifier', es: 'Identificador' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 500;
const actions = { en: ['action', 'actions'], es: ['acción', 'acciones'] } as const;

export const actionResults: Chart = {
  name: 'action-results',
  page: 'business',
  scope: 'client',
  views: ['bi.actions'],
  columns,
  label: { en: 'Expected and observed', es: 'Esperado y observado' },
  unit: { en: 'In the unit of the metric', es: 'En la unidad de la métrica' },
  title: titleOf,
  note: {
    en: 'The expectation is the one first seen. What is observed coincides in time with the action; it proves no cause. At most 500 actions, those with a result first.',
    es: 'La expectativa es la primera vista. Lo observado coincide en el tiempo con la acción; no prueba la causa. Como mucho 500 acciones, primero las que tienen resultado.',
  },
  draw: drawResults,
};

const compared = ['observed_value', 'expected_from_value', 'expected_to_value'] as const;

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const places = rows.map(placeOf).filter((place) => place !== undefined);
  if (places.length === 0) {
    const actionCount = countedUpTo(mostCounted, rows.length, actions, language);
    const isObserved = rows.some((row) => cells.number(row, 'observed_value') !== null);
    const what: Words = isObserved
      ? { en: 'expected values', es: 'valores esperados' }
      : { en: 'observed values', es: 'valores observados' };
    const why = unknownWord(context, ...(isObserved ? compared.slice(1) : compared.slice(0, 1)));
    return `${beginSentence(actionCount)}; ${what[language]}: ${why}`;
  }
  const count = (wanted: string) => places.filter((place) => place === wanted).length;
  const all = counted(places.length, actions, language);
  const text: Words = {
    en: `Of ${all} with a result ${count('within')} came within what was expected, ${count('above')} above and ${count('below')} below`,
    es: `De ${all} con resultado, ${count('within')} dentro de lo esperado, ${count('above')} por encima y ${count('below')} por debajo`,
  };
  return `${text[language]}${unknownTail(rows.length - places.length, context, ...compared)}`;
}

/** Where a result is, seen from the expectation. Undefined: a value that tells it is not there. */
function placeOf(row: Row): 'below' | 'within' | 'above' | undefined {
  const [from, to, observed] = (['expected_from_value', 'expected_to_value', 'observed_value'] as const).map(
    (name) => cells.number(row, name),
  );
  if (observed == null) return undefined;
  if (from != null && observed < from) return 'below';
  if (to != null && observed > to) return 'above';
  return from == null || to == null ? undefined : 'within';
}

function drawResults(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const [expected, observed, metric]: [Words, Words, Words] = [
    { en: 'Expected', es: 'Esperado' },
    { en: 'Observed', es: 'Observado' },
    { en: 'metric', es: 'métrica' },
  ];
  const isObserved = rows.some((row) => cells.number(row, 'observed_value') !== null);
  const why = isObserved ? '' : `: ${unknownWord(context, 'observed_value')}`;
  return metricsOf(
    rows,
    (row) => cells.text(row, 'expectation_metric'),
    `${metric[language]} ${unknownWord(context, 'expectation_metric')}`,
  ).map(({ caption, rows: own }) =>
    drawDumbbells(
      own.map((row) => ({
        name: cells.text(row, 'title') ?? cells.text(row, 'action_id') ?? '',
        from: cells.number(row, 'expected_from_value'),
        to: cells.number(row, 'expected_to_value'),
        at: cells.number(row, 'observed_value'),
      })),
      { from: expected[language], to: expected[language], at: `${observed[language]}${why}`, caption },
      context,
      { isScaled: true },
    ),
  );
}
