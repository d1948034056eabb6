// What the service warns of in competitors, on a line of time: a row a competitor, a symbol a kind of alert.
import type { ScatterSeriesOption } from 'echarts';
import type { Chart, Column, DrawContext, Drawing, Row } from './chart.ts';
import { isWithin } from './dates.ts';
import { beginSentence, countedUpTo, cutText, formatDate, type Noun } from './format.ts';
import { plain, timeAxes } from './time-axes.ts';
import { cellsOf, countsBy } from './values.ts';

const columns: readonly Column[] = [
  { name: 'alert_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'competitor_name', kind: 'text', label: { en: 'Competitor', es: 'Competidor' } },
  { name: 'alert_type', kind: 'text', label: { en: 'Alert', es: 'Alerta' } },
  { name: 'message', kind: 'text', label: { en: 'Message', es: 'Mensaje' } },
  { name: 'last_run_date', kind: 'date', label: { en: 'Last shown', es: 'Vista por última vez' } },
];

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 2_000;

const alerts: Noun = {
  en: ['alert about competitors', 'alerts about competitors'],
  es: ['alerta sobre competidores', 'alertas sobre competidores'],
};
const symbols = ['circle', 'triangle', 'rect', 'diamond', 'pin', 'roundRect'];
const [rowPx, mostRows, mostKinds] = [30, 10, 6];

export const competitorAlerts: Chart = {
  name: 'competitor-alerts',
  page: 'competition',
  scope: 'client',
  views: ['bi.competitor_alerts'],
  columns,
  dateColumn: 'alert_date',
  label: { en: 'Alerts about competitors', es: 'Alertas sobre competidores' },
  unit: { en: 'Alerts by date and competitor', es: 'Alertas por fecha y competidor' },
  title: (rows, context) => {
    const kinds = countsBy(
      rows.map((row) => cells.text(row, 'alert_type')),
      'alert_type',
      context,
    );
    return `${beginSentence(countedUpTo(mostCounted, rows.length, alerts, context.language))}${kinds}`;
  },
  note: {
    en: 'The ten competitors with the most alerts have rows of their own. Kinds are shown as the service words them.',
    es: 'Los diez competidores con más alertas tienen fila propia. Los tipos se muestran con las palabras del servicio.',
  },
  draw: (rows, context) => [picture(rows, context)],
};

function picture(rows: readonly Row[], context: DrawContext): Drawing {
  const { period, palette, widthPx, language } = context;
  const drawn = rows.filter((row) => isWithin(cells.text(row, 'alert_date'), period));
  const others = { en: 'Others', es: 'Otros' }[language];
  const all = mostFrequent(drawn.map((row) => nameOf(row, 'competitor_name')));
  const names = all.length > mostRows ? [...all.slice(0, mostRows), others] : all;
  const placeOf = (row: Row) => {
    const place = names.indexOf(nameOf(row, 'competitor_name'));
    return place < 0 ? names.length - 1 : place;
  };
  const axes = timeAxes(context);
  return {
    type: 'picture',
    heightPx: names.length * rowPx + 80,
    option: {
      ...axes,
      tooltip: { renderMode: 'richText', confine: true, formatter: (given) => detailOf(given) },
      yAxis: {
        type: 'category',
        data: names.map((name) => cutText(name, widthPx < 600 ? 14 : 30)),
        inverse: true,
        axisTick: { show: false },
        axisLine: { show: false },
        axisLabel: { color: palette.text, interval: 0 },
        splitLine: { show: true, lineStyle: { color: palette.line } },
      },
      series: series(drawn, placeOf, context),
    },
  };
}

function series(
  rows: readonly Row[],
  placeOf: (row: Row) => number,
  { palette, language }: DrawContext,
): ScatterSeriesOption[] {
  const all = mostFrequent(rows.map((row) => nameOf(row, 'alert_type')));
  const others = { en: 'other kinds', es: 'otros tipos' }[language];
  const own = all.length > mostKinds ? [...all.slice(0, mostKinds - 1), others] : all;
  return own.map((kind, place) => {
    const isRest = place === mostKinds - 1 && all.length > mostKinds;
    const isOfKind = (row: Row) => {
      const found = nameOf(row, 'alert_type');
      return isRest ? !own.slice(0, -1).includes(found) : found === kind;
    };
    return {
      type: 'scatter',
      name: kind.replaceAll('_', ' '),
      symbol: symbols[place % symbols.length] ?? 'circle',
      symbolSize: 11,
      color: palette.series[place % palette.series.length] ?? palette.text,
      data: rows.filter(isOfKind).map((row) => ({
        value: [cells.text(row, 'alert_date') ?? '', placeOf(row)],
        name: detail(row, language),
      })),
    };
  });
}

function detail(row: Row, language: DrawContext['language']): string {
  const head = [formatDate(cells.text(row, 'alert_date') ?? '', language), nameOf(row, 'competitor_name')];
  const said = cells.text(row, 'message') ?? nameOf(row, 'alert_type');
  return `${plain(head.join(' · '))}\n${plain(said)}`;
}

function nameOf(row: Row, column: 'competitor_name' | 'alert_type'): string {
  return cutText(cells.text(row, column) ?? '?', 40);
}

/** Each once, the most frequent first. */
function mostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([name]) => name);
}

function detailOf(given: unknown): string {
  return typeof given === 'object' && given !== null && 'name' in given ? String(given.name) : '';
}
