// Experiments: the value before their window and the one after it, for each metric.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { drawDumbbells, metricsOf } from './dumbbells.ts';
import { beginSentence, countedUpTo } from './format.ts';
import { notDrawn, unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'action', kind: 'text', label: { en: 'What was done', es: 'Qué se hizo' } },
  { name: 'metric', kind: 'text', label: { en: 'Metric', es: 'Métrica' } },
  { name: 'before_value', kind: 'number', label: { en: 'Before', es: 'Antes' } },
  { name: 'after_value', kind: 'number', label: { en: 'After', es: 'Después' } },
  { name: 'expected_value', kind: 'number', label: { en: 'Expected', es: 'Esperado' } },
  { name: 'observed_value', kind: 'number', label: { en: 'Observed', es: 'Observado' } },
  { name: 'status', kind: 'text', label: { en: 'Status', es: 'Estado' } },
  { name: 'result_reading', kind: 'text', label: { en: 'Reading', es: 'Lectura' } },
  { name: 'conclusion', kind: 'text', label: { en: 'Conclusion', es: 'Conclusión' } },
  { name: 'window_start_date', kind: 'date', label: { en: 'Window from', es: 'Ventana desde' } },
  { name: 'window_end_date', kind: 'date', label: { en: 'Window to', es: 'Ventana hasta' } },
  { name: 'hypothesis', kind: 'text', label: { en: 'Hypothesis', es: 'Hipótesis' } },
  { name: 'experiment_id', kind: 'text', label: { en: 'Identifier', es: 'Identificador' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 300;
const nouns = { en: ['experiment', 'experiments'], es: ['experimento', 'experimentos'] } as const;

export const experiments: Chart = {
  name: 'experiments',
  page: 'business',
  scope: 'client',
  views: ['bi.experiments'],
  columns,
  label: { en: 'Experiments: before and after', es: 'Experimentos: antes y después' },
  unit: { en: 'In the unit of the metric', es: 'En la unidad de la métrica' },
  title: titleOf,
  note: {
    en: 'What changed during a window coincides with it in time; that proves no cause.',
    es: 'Lo que cambia durante una ventana coincide con ella en el tiempo; no prueba la causa.',
  },
  draw: drawMetrics,
};

const bothValues = ['before_value', 'after_value'] as const;

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const all = beginSentence(countedUpTo(mostCounted, rows.length, nouns, language));
  const changes = rows.map(changeOf).filter((change) => change !== null);
  if (changes.length === 0) {
    const why = unknownWord(context, ...bothValues);
    return { en: `${all}; before and after: ${why}`, es: `${all}; antes y después: ${why}` }[language];
  }
  const higher = changes.filter((change) => change > 0).length;
  const lower = changes.filter((change) => change < 0).length;
  const text: Words = {
    en: `${all}: after the window ${higher} read higher and ${lower} lower, of ${changes.length} read`,
    es: `${all}: tras la ventana, ${higher} con valor más alto y ${lower} más bajo, de ${changes.length} con lectura`,
  };
  return `${text[language]}${unknownTail(rows.length - changes.length, context, ...bothValues)}`;
}

function changeOf(row: Row): number | null {
  const [before, after] = [cells.number(row, 'before_value'), cells.number(row, 'after_value')];
  return before === null || after === null ? null : after - before;
}

function drawMetrics(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const read = rows.filter((row) => changeOf(row) !== null);
  if (read.length === 0) return [{ type: 'table' }];
  const metric: Words = { en: 'metric', es: 'métrica' };
  const words: Readonly<Record<'from' | 'to', Words>> = {
    from: { en: 'Before', es: 'Antes' },
    to: { en: 'After', es: 'Después' },
  };
  const pictures = metricsOf(
    read,
    (row) => cells.text(row, 'metric'),
    `${metric[language]} ${unknownWord(context, 'metric')}`,
  ).map(({ caption, rows: own }) =>
    drawDumbbells(
      own.map((row) => ({
        name: cells.text(row, 'action') ?? cells.text(row, 'experiment_id') ?? '',
        from: cells.number(row, 'before_value'),
        to: cells.number(row, 'after_value'),
      })),
      { from: words.from[language], to: words.to[language], caption },
      context,
      { isScaled: true },
    ),
  );
  return [...pictures, ...notDrawn(rows.length - read.length, unknownWord(context, ...bothValues), language)];
}
