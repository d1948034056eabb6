// How far the data of each route is: the routes that are not up to date, and how many of their clients.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { formatNumber } from './format.ts';
import { decalOf } from './palette.ts';
import { heightOfRows, rowAxes } from './time-axes.ts';
import { cellsOf, newestDay } from './values.ts';

const columns = [
  { name: 'stream', kind: 'text', label: { en: 'Route', es: 'Ruta' } },
  { name: 'up_to_date', kind: 'number', label: { en: 'Up to date', es: 'Al día' } },
  { name: 'stale', kind: 'number', label: { en: 'Stale', es: 'Atrasados' } },
  { name: 'failed', kind: 'number', label: { en: 'Failed', es: 'Con error' } },
  { name: 'never_synced', kind: 'number', label: { en: 'Never synced', es: 'Nunca sincronizados' } },
  { name: 'oldest_date', kind: 'date', label: { en: 'Oldest data', es: 'Datos más antiguos' } },
  { name: 'newest_date', kind: 'date', label: { en: 'Newest data', es: 'Datos más recientes' } },
] as const;

const cells = cellsOf(columns);

export const portfolioFreshness: Chart = {
  name: 'portfolio-freshness',
  page: 'portfolio',
  scope: 'account',
  views: ['bi.freshness'],
  columns,
  asOf: (rows) => newestDay(rows.map((row) => cells.text(row, 'newest_date'))),
  label: { en: 'Freshness', es: 'Actualización' },
  unit: {
    en: 'Number of slices: a route of a client each',
    es: 'Número de partes: una ruta de un cliente cada una',
  },
  title: titleOf,
  draw: drawFreshness,
};

const states = ['up_to_date', 'stale', 'failed', 'never_synced'] as const;
type State = (typeof states)[number];

const stateWords: Readonly<Record<State, Words>> = {
  up_to_date: { en: 'Up to date', es: 'Al día' },
  stale: { en: 'Stale', es: 'Atrasados' },
  failed: { en: 'Failed', es: 'Con error' },
  never_synced: { en: 'Never synced', es: 'Nunca sincronizados' },
};

function sumOf(rows: readonly Row[], state: State): number {
  return rows.reduce((sum, row) => sum + (cells.number(row, state) ?? 0), 0);
}

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const [fresh = 0, ...others] = states.map((state) => sumOf(rows, state));
  const left = others.reduce((sum, count) => sum + count, 0);
  const [some, all] = [left, fresh + left].map((count) => formatNumber(count, language, 0));
  if (left === 0) {
    return language === 'es'
      ? `Las ${all} partes de los datos están al día`
      : `All ${all} slices are up to date`;
  }
  return language === 'es'
    ? `${some} de ${all} partes de los datos no están al día`
    : `${some} of ${all} slices are not up to date`;
}

const mostRows = 30;

function drawFreshness(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const open = rows.filter((row) => states.slice(1).some((state) => (cells.number(row, state) ?? 0) > 0));
  if (open.length === 0) {
    const text = language === 'es' ? 'Todas las rutas están al día.' : 'Every route is up to date.';
    return [{ type: 'text', text }];
  }
  const shown = open.slice(0, mostRows);
  const axes = rowAxes(
    shown.map((row) => cells.text(row, 'stream') ?? ''),
    context,
    { min: 0, format: (value) => (Number.isInteger(value) ? formatNumber(value, language, 0) : '') },
  );
  return [
    {
      type: 'picture',
      heightPx: heightOfRows(shown.length),
      option: {
        ...axes,
        series: states.map((state, place) => ({
          type: 'bar' as const,
          name: stateWords[state][language],
          stack: 'all',
          barMaxWidth: 18,
          itemStyle: { color: colourOf(state, context), ...decalOf(place, context.palette) },
          data: shown.map((row) => cells.number(row, state)),
        })),
      },
    },
  ];
}

function colourOf(state: State, { palette }: DrawContext): string {
  const colours = {
    up_to_date: palette.good,
    stale: palette.neutral,
    failed: palette.bad,
    never_synced: palette.line,
  };
  return colours[state];
}
