// How actions moved: how many had which status, over time.
import type { Chart, DrawContext, Drawing, Period, Row, Words } from './chart.ts';
import { dayOf, monthOf } from './dates.ts';
import { counted, cutText, formatDate, formatNumber } from './format.ts';
import { decalOf } from './palette.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { statusCount, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'status', kind: 'text', label: { en: 'Status', es: 'Estado' } },
  { name: 'action_count', kind: 'number', label: { en: 'Actions', es: 'Acciones' } },
] as const;

const cells = cellsOf(columns);
const actions = { en: ['action', 'actions'], es: ['acción', 'acciones'] } as const;
const mostStatuses = 5;

/** Over longer periods a bar is a month. */
const mostDays = 180;

export const actionStatus: Chart = {
  name: 'action-status',
  page: 'business',
  scope: 'client',
  views: ['bi.actions', 'bi.action_status_history'],
  columns,
  dateColumn: 'date',
  label: { en: 'Actions by status', es: 'Acciones por estado' },
  unit: { en: 'Number of actions', es: 'Número de acciones' },
  title: titleOf,
  note: {
    en: 'At the end of each week (over more than 180 days of the last one of each month) and on the newest date. Statuses are the words of the API.',
    es: 'Al final de cada semana (con más de 180 días, de la última de cada mes) y en la última fecha. Los estados son los que indica la API.',
  },
  draw: drawStatuses,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const date =
    rows
      .map((row) => cells.text(row, 'date') ?? '')
      .sort()
      .at(-1) ?? '';
  const newest = rows
    .filter((row) => (cells.text(row, 'date') ?? '') === date)
    .sort((one, other) => countOf(other) - countOf(one));
  const all = counted(
    newest.reduce((sum, row) => sum + countOf(row), 0),
    actions,
    language,
  );
  const shown = newest
    .slice(0, mostStatuses)
    .map((row) => statusCount(countOf(row), statusOf(row, context), context))
    .join(', ');
  const day = formatDate(date, language);
  const text: Words = { en: `${all} on ${day}: ${shown}`, es: `${all} el ${day}: ${shown}` };
  return text[language];
}

function drawStatuses(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette } = context;
  const statuses = [...new Set(rows.map((row) => statusOf(row, context)))].sort();
  const dates = shownDates([...new Set(rows.map((row) => cells.text(row, 'date') ?? ''))], context.period);
  const sumOf = (date: string, status: string) =>
    rows
      .filter((row) => (cells.text(row, 'date') ?? '') === date && statusOf(row, context) === status)
      .reduce((sum, row) => sum + countOf(row), 0);
  const bars = statuses.map((status, place) => ({
    type: 'bar' as const,
    name: status,
    stack: 'actions',
    barMaxWidth: 22,
    barMinWidth: 5,
    color: palette.series[place % palette.series.length] ?? palette.text,
    itemStyle: decalOf(place, palette),
    // Bars stand on one another by their order: each status has a value on each date, and none is a true zero.
    data: dates.map((date) => [date, sumOf(date, status)]),
  }));
  const format = (value: number) => (Number.isInteger(value) ? formatNumber(value, language, 0) : '');
  const option = { ...timeAxes(context, { min: 0, format }), series: [...bars, ...markerSeries(context)] };
  return [{ type: 'picture', heightPx: 280, option }];
}

/** Of many weeks the last one of each month. */
function shownDates(dates: readonly string[], { from, to }: Period): readonly string[] {
  if (!(dayOf(to) - dayOf(from) > mostDays)) return dates;
  return dates.filter((date, place) => monthOf(date) !== monthOf(dates[place + 1] ?? ''));
}

function countOf(row: Row): number {
  return cells.number(row, 'action_count') ?? 0;
}

function statusOf(row: Row, context: DrawContext): string {
  const status = cells.text(row, 'status');
  return status === null ? unknownWord(context, 'status') : cutText(status, 24);
}
