// What was predicted for the AI Rank, and what came. v1 and v2 are never joined.
import type { SeriesOption } from 'echarts';
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { counted, formatDate, formatNumber } from './format.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { unknownTail } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'made_date', kind: 'date', label: { en: 'Predicted on', es: 'Predicho el' } },
  { name: 'predicted_date', kind: 'date', label: { en: 'For', es: 'Para el' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'score', kind: 'score', label: { en: 'Predicted', es: 'Predicho' } },
  { name: 'lower_score', kind: 'score', label: { en: 'At least', es: 'Como mínimo' } },
  { name: 'upper_score', kind: 'score', label: { en: 'At most', es: 'Como máximo' } },
  { name: 'observed_score', kind: 'score', label: { en: 'Came', es: 'Real' } },
] as const;

const cells = cellsOf(columns);
const dates = { en: ['date', 'dates'], es: ['fecha', 'fechas'] } as const;

export const predictions: Chart = {
  name: 'predictions',
  page: 'business',
  scope: 'client',
  views: ['bi_history.predictions', 'bi_history.freshness'],
  columns,
  dateColumn: 'made_date',
  label: { en: 'Predictions and what came', es: 'Predicciones y valores reales' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'Predictions made in the period: for each date the newest one made before it. What came is the newest comparable AI Rank up to that date, at most 6 days older. Over more than 180 days one date a week.',
    es: 'Predicciones hechas en el periodo: para cada fecha, la última anterior a ella. El valor real es el último AI Rank comparable hasta esa fecha, con 6 días de antigüedad como máximo. Con más de 180 días, una fecha por semana.',
  },
  draw: drawPredictions,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const bounded = rows.map(isWithin).filter((within) => within !== undefined);
  if (bounded.length > 0) {
    const within = bounded.filter(Boolean).length;
    const all = counted(bounded.length, dates, language);
    const text: Words = {
      en: `The AI Rank came within the predicted bounds on ${within} of ${all}`,
      es: `El AI Rank quedó dentro de lo predicho en ${within} de ${all}`,
    };
    const came = rows.filter((row) => cells.number(row, 'observed_score') !== null).length;
    return `${text[language]}${unknownTail(came - bounded.length, context, 'lower_score', 'upper_score')}`;
  }
  const last = rows.filter((row) => cells.number(row, 'score') !== null).at(-1);
  if (last === undefined)
    return { en: 'No prediction in this period', es: 'No hay predicciones en este periodo' }[language];
  const [score, day] = [
    formatNumber(cells.number(last, 'score') ?? 0, language),
    formatDate(cells.text(last, 'predicted_date') ?? '', language),
  ];
  const text: Words = {
    en: `The AI Rank predicted for ${day} is ${score}`,
    es: `El AI Rank predicho para el ${day} es ${score}`,
  };
  return text[language];
}

/** Undefined: nothing came yet, or the bound that would tell is not known. */
function isWithin(row: Row): boolean | undefined {
  const [lower, upper, observed] = (['lower_score', 'upper_score', 'observed_score'] as const).map((name) =>
    cells.number(row, name),
  );
  if (observed == null) return undefined;
  if ((lower != null && observed < lower) || (upper != null && observed > upper)) return false;
  return lower == null || upper == null ? undefined : true;
}

/** Beyond the end of the period, up to the last date that is predicted. */
function drawPredictions(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const last =
    rows
      .map((row) => cells.text(row, 'predicted_date') ?? '')
      .sort()
      .at(-1) ?? '';
  const to = last > context.period.to ? last : context.period.to;
  const methods = [...new Set(rows.map((row) => cells.text(row, 'method') ?? ''))].sort();
  const option = {
    ...timeAxes({ ...context, period: { from: context.period.from, to } }, { min: 0, max: 100 }),
    series: [
      ...methods.flatMap((method) =>
        linesOf(
          method,
          rows.filter((row) => (cells.text(row, 'method') ?? '') === method),
          context,
        ),
      ),
      ...markerSeries(context),
    ],
  };
  return [{ type: 'picture', heightPx: 300, option }];
}

function linesOf(method: string, rows: readonly Row[], { language, palette }: DrawContext): SeriesOption[] {
  const words: Readonly<Record<'predicted' | 'bounds' | 'came', Words>> = {
    predicted: { en: 'Predicted', es: 'Predicho' },
    bounds: { en: 'Bounds', es: 'Límites' },
    came: { en: 'Came', es: 'Real' },
  };
  const named = (part: keyof typeof words) => [words[part][language], method].join(' ').trim();
  const points = (column: 'score' | 'lower_score' | 'upper_score' | 'observed_score') =>
    rows.map((row) => [cells.text(row, 'predicted_date') ?? '', cells.number(row, column)]);
  const [predicted, came] = [palette.series[0] ?? palette.text, palette.series[1] ?? palette.text];
  const bound = {
    type: 'line' as const,
    name: named('bounds'),
    symbol: 'none',
    color: palette.mutedText,
    lineStyle: { type: 'dotted' as const, width: 1.5 },
  };
  return [
    { ...bound, data: points('upper_score') },
    { ...bound, data: points('lower_score') },
    {
      type: 'line',
      name: named('predicted'),
      color: predicted,
      lineStyle: { type: 'dashed', width: 2 },
      symbol: 'rect',
      showSymbol: rows.length <= 40,
      data: points('score'),
    },
    {
      type: 'scatter',
      name: named('came'),
      color: came,
      symbol: 'diamond',
      symbolSize: 11,
      data: points('observed_score'),
    },
  ];
}
