// Share of the visits of engines' bots that failed, over time.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { cutText, formatDate, formatRate } from './format.ts';
import { lineOf } from './line.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'bot', kind: 'text', label: { en: 'Bot', es: 'Bot' } },
  { name: 'error_rate', kind: 'rate', label: { en: 'Errors', es: 'Errores' } },
  { name: 'visit_count', kind: 'number', label: { en: 'Visits', es: 'Visitas' } },
] as const;

const cells = cellsOf(columns);

export const crawlErrors: Chart = {
  name: 'crawl-errors',
  page: 'sources',
  scope: 'client',
  views: ['bi_history.crawl_health', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Failed visits of bots', es: 'Visitas fallidas de bots' },
  unit: { en: 'Share of the visits that failed', es: 'Proporción de visitas fallidas' },
  title: titleOf,
  note: {
    en: 'Weighed by visits. Over more than 180 days the last date of each week.',
    es: 'Ponderado por visitas. Con más de 180 días, el último día de cada semana.',
  },
  draw: drawErrors,
};

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const known = rows.filter((row) => cells.number(row, 'error_rate') !== null);
  const date = known
    .map((row) => cells.text(row, 'run_date') ?? '')
    .sort()
    .at(-1);
  const worst = known
    .filter((row) => cells.text(row, 'run_date') === date)
    .reduce<Row | undefined>(
      (most, row) => (most === undefined || rateOf(row) > rateOf(most) ? row : most),
      undefined,
    );
  if (worst === undefined || date === undefined) {
    return {
      en: 'No visits of bots are known in this period',
      es: 'No se conocen visitas de bots en este periodo',
    }[language];
  }
  const [bot, rate, day] = [
    cutText(cells.text(worst, 'bot') ?? '?', 60),
    formatRate(rateOf(worst), language),
    formatDate(date, language),
  ];
  const text: Words = {
    en: `${bot} fails most: ${rate} of its visits on ${day}`,
    es: `${bot} es el que más falla: el ${rate} de sus visitas el ${day}`,
  };
  return text[language];
}

function drawErrors(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const bots = [...new Set(rows.map((row) => cells.text(row, 'bot') ?? '?'))].sort();
  const option = {
    ...timeAxes(context, { min: 0, format: (rate) => formatRate(rate, language) }),
    series: [
      ...bots.map((bot, place) =>
        lineOf(
          bot,
          place,
          rows
            .filter((row) => (cells.text(row, 'bot') ?? '?') === bot)
            .map((row) => [cells.text(row, 'run_date') ?? '', cells.number(row, 'error_rate')]),
          context,
        ),
      ),
      ...markerSeries(context),
    ],
  };
  return [{ type: 'picture', heightPx: 280, option }];
}

function rateOf(row: Row): number {
  return cells.number(row, 'error_rate') ?? 0;
}
