// What stands on a page beside its charts: what changed since a date, what happened, and what is not here.

import { inLanguage } from '../../../core/api-words.ts';
import type { Chart, ChartData, Fields } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { linesOf } from '../charts/draw-trend.ts';
import { formatDate, formatValue } from '../charts/format.ts';
import { fieldsOf, markerText, valueWords } from '../charts/tell.ts';
import { narrow } from '../page/narrow.ts';
import type { PageData } from '../page/page-data.ts';
import { dataTable, type TableColumn, type TableRow } from './data-table.ts';
import { element } from './element.ts';
import { dateField } from './fields.ts';
import type { View } from './view.ts';

function part(name: string, heading: string, ...content: readonly (Node | undefined)[]): HTMLElement {
  return element('div', { class: 'chart', 'data-part': name }, element('h3', {}, heading), ...content);
}

const textRow = (values: readonly string[]): TableRow => ({
  values,
  content: (place) => values[place] ?? '',
});

/** Of every line of the page its first and its last value, since a date that the reader picks. */
export function changesSince(charts: readonly Chart[], data: PageData, view: View): HTMLElement | undefined {
  const { language, period, overview, say, go } = view;
  const rows = charts.flatMap((chart) => {
    const own = data.charts[chart.name];
    return own === undefined ? [] : changesOf(chart, own, view);
  });
  if (rows.length === 0) return undefined;
  const heads = ['figure', 'earlier', 'now', 'change'] as const;
  const columns: TableColumn[] = heads.map((name) => ({
    kind: name === 'change' ? 'number' : 'text',
    label: say(name),
  }));
  const heading = `${say('changedSince')} ${formatDate(period.from, language)}`;
  const first = overview.dates?.from ?? period.from;
  const picker = dateField('since', say('changedSince'), period.from, (from) =>
    go({ span: { from: from < first ? first : from < period.to ? from : period.to, to: period.to } }),
  );
  return part(
    'changes',
    heading,
    picker,
    dataTable(columns, rows.map(textRow), heading, view),
    element('p', { class: 'note' }, say('changeNote')),
  );
}

function changesOf(chart: Chart, data: ChartData, { language, period }: View): string[][] {
  const rows: readonly Fields[] = fieldsOf(data.columns, narrow(chart, data, period));
  return chart.forms.flatMap((form) => {
    if (form.as !== 'trend') return [];
    const { kind, label } = columnOf(form.value);
    const change = kind === 'rate' ? 'rate_change' : 'points';
    return linesOf(rows, form, language).flatMap(({ name, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      if (first === undefined || last === undefined || first === last) return [];
      const say = (value: number, low: number | null, high: number | null, date: string) => {
        const range =
          low === null || high === null
            ? ''
            : ` (${formatValue(String(low), kind, language)} – ${formatValue(String(high), kind, language)})`;
        return `${formatValue(String(value), kind, language)}${range}, ${formatDate(date, language)}`;
      };
      return [
        [
          name === '' ? chart.label[language] : `${label[language]}: ${name}`,
          say(first.value, first.low, first.high, first.date),
          say(last.value, last.low, last.high, last.date),
          formatValue(String(last.value - first.value), change, language),
        ],
      ];
    });
  });
}

/** The marks of the axes in words, also for paper. */
export function eventList({ markers }: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const rows = markers
    .filter(({ date }) => date >= period.from && date <= period.to)
    .toReversed()
    .map((marker): TableRow => {
      const { date, type } = marker;
      const [what, said] = [inLanguage(type, language), markerText(marker, language)];
      const shown = [formatDate(date, language), what, said];
      return { values: [date, what, said], content: (place) => shown[place] ?? '' };
    });
  if (rows.length === 0) return undefined;
  const columns: TableColumn[] = [
    { kind: 'date', label: say('eventDate') },
    { kind: 'word', label: say('eventType') },
    { kind: 'text', label: say('events') },
  ];
  return part('events', say('events'), dataTable(columns, rows, say('events'), view));
}

/** One line: what this account has nothing of, and why. */
export function notHereLine(charts: readonly Chart[], data: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const said = charts.flatMap((chart) => {
    const own = data.charts[chart.name];
    if (
      own === undefined ||
      own.state === 'failed' ||
      chart.isOpened ||
      narrow(chart, own, period).length > 0
    )
      return [];
    const why =
      own.rows.length > 0
        ? say('noDataInPeriod')
        : own.state === 'not_given' || own.state === 'not_mapped' || own.state === 'of_account'
          ? valueWords[own.state][language]
          : say('noData');
    const where = own.state === 'not_mapped' ? `; airank map ${own.missing[0] ?? ''}` : '';
    return [`${chart.label[language]} (${why.toLowerCase()}${where})`];
  });
  return said.length === 0
    ? undefined
    : element('p', { class: 'muted', 'data-part': 'not-here' }, `${say('notHereLine')}: ${said.join(', ')}.`);
}
