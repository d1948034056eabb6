// The actions of a client as a table: what was expected of each, and what was observed.
import type { Chart, Column, DrawContext, Row } from './chart.ts';
import { beginSentence, countedUpTo, formatNumber, type Noun } from './format.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf, countsBy } from './values.ts';

const columns: readonly Column[] = [
  { name: 'created_date', kind: 'date', label: { en: 'Created', es: 'Creada' } },
  { name: 'title', kind: 'text', label: { en: 'Action', es: 'Acción' } },
  { name: 'action_type', kind: 'text', label: { en: 'Type', es: 'Tipo' } },
  { name: 'status', kind: 'text', label: { en: 'Status', es: 'Estado' } },
  { name: 'status_since_date', kind: 'date', label: { en: 'Status seen since', es: 'Estado visto desde' } },
  { name: 'priority_level', kind: 'level', label: { en: 'Priority', es: 'Prioridad' } },
  { name: 'postponed_until_date', kind: 'date', label: { en: 'Postponed until', es: 'Pospuesta hasta' } },
  {
    name: 'impact_points',
    kind: 'number',
    label: { en: 'Impact stated, points', es: 'Impacto indicado, puntos' },
  },
  { name: 'expectation_metric', kind: 'text', label: { en: 'Metric expected', es: 'Métrica esperada' } },
  { name: 'expected_from_value', kind: 'number', label: { en: 'Expected from', es: 'Esperado desde' } },
  { name: 'expected_to_value', kind: 'number', label: { en: 'Expected to', es: 'Esperado hasta' } },
  { name: 'observed_value', kind: 'number', label: { en: 'Observed', es: 'Observado' } },
  { name: 'result_reading', kind: 'text', label: { en: 'Reading', es: 'Lectura' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
];

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 2_000;

const actionWords: Noun = { en: ['action', 'actions'], es: ['acción', 'acciones'] };

export const actions: Chart = {
  name: 'actions',
  page: 'client',
  scope: 'client',
  views: ['bi.actions', 'bi.action_status_history'],
  columns,
  label: { en: 'Actions', es: 'Acciones' },
  unit: { en: 'Actions as they are now, by priority', es: 'Acciones tal como están, por prioridad' },
  title: titleOf,
  note: {
    en: 'Values in the unit of their metric. The expectation is the first one seen. What was observed after an action need not come from it.',
    es: 'Valores en la unidad de su métrica. La expectativa es la primera que se vio. Lo observado tras una acción no tiene por qué deberse a ella.',
  },
  draw: () => [{ type: 'table' }],
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const statuses = countsBy(
    rows.map((row) => cells.text(row, 'status')),
    'status',
    context,
  );
  const observed = rows.filter((row) => cells.number(row, 'observed_value') !== null).length;
  const count = `${beginSentence(countedUpTo(mostCounted, rows.length, actionWords, language))}${statuses}`;
  if (observed === 0) {
    const why = unknownWord(context, 'observed_value');
    return { en: `${count}; observed values: ${why}`, es: `${count}; valores observados: ${why}` }[language];
  }
  const some = formatNumber(observed, language, 0);
  return { en: `${count}; ${some} with an observed value`, es: `${count}; ${some} con valor observado` }[
    language
  ];
}
