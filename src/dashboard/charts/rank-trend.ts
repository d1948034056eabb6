// The AI Rank over time: v2 solid, v1 dashed, never joined.
import type { SeriesOption } from 'echarts';
import type { Chart, DrawContext, Row } from './chart.ts';
import { formatChange, formatDate, formatNumber } from './format.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'score', kind: 'score', label: { en: 'AI Rank', es: 'AI Rank' } },
  { name: 'position', kind: 'level', label: { en: 'Position', es: 'Posición' } },
  { name: 'source', kind: 'text', label: { en: 'Route', es: 'Ruta' } },
] as const;

const cells = cellsOf(columns);

export const rankTrend: Chart = {
  name: 'rank-trend',
  page: 'client',
  scope: 'client',
  views: ['bi.rank_trend'],
  columns,
  dateColumn: 'date',
  label: { en: 'AI Rank over time', es: 'Evolución del AI Rank' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'Points that cannot be compared are not joined with the others. v1 and v2 are different methods.',
    es: 'Los puntos no comparables no se unen con los demás. v1 y v2 son métodos distintos.',
  },
  draw: (rows, context) => [
    {
      type: 'picture',
      heightPx: 300,
      option: { ...timeAxes(context, { min: 0, max: 100 }), series: series(rows, context) },
    },
  ],
};

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const last = rows.at(-1);
  const method = last === undefined ? null : cells.text(last, 'method');
  const points = rows.filter(
    (row) => cells.text(row, 'method') === method && cells.number(row, 'score') !== null,
  );
  const [first, newest] = [points[0], points.at(-1)];
  const [then, now] = [first, newest].map((row) => (row === undefined ? null : cells.number(row, 'score')));
  if (first === undefined || then == null || now == null) {
    return language === 'es'
      ? 'No hay puntos comparables en este periodo'
      : 'No comparable points in this period';
  }
  const since = formatDate(cells.text(first, 'date') ?? '', language);
  const [score, change] = [formatNumber(now, language), formatChange(now - then, language)];
  return language === 'es'
    ? `El AI Rank es ${score}: ${change} puntos desde el ${since}`
    : `The AI Rank is ${score}: ${change} points since ${since}`;
}

/** One line a method. */
function series(rows: readonly Row[], context: DrawContext): SeriesOption[] {
  const { palette } = context;
  const methods = [...new Set(rows.map((row) => cells.text(row, 'method') ?? ''))].sort().reverse();
  const lines = methods.map((method, place) => ({
    type: 'line' as const,
    name: method,
    showSymbol: rows.length < 60,
    lineStyle: { type: method === 'v1' ? ('dashed' as const) : ('solid' as const), width: 2 },
    color: palette.series[place % palette.series.length] ?? palette.text,
    data: rows
      .filter((row) => (cells.text(row, 'method') ?? '') === method)
      .map((row) => [cells.text(row, 'date') ?? '', cells.number(row, 'score')]),
  }));
  return [...lines, ...markerSeries(context)];
}
