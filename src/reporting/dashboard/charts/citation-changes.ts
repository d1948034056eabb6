// Cited pages gained and lost: bars up and bars down.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { dayOf, mondayOf } from './dates.ts';
import { counted, formatNumber, type Noun } from './format.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'gained_count', kind: 'number', label: { en: 'Gained', es: 'Ganadas' } },
  { name: 'lost_count', kind: 'number', label: { en: 'Lost', es: 'Perdidas' } },
  { name: 'own_gained_count', kind: 'number', label: { en: 'Gained, own pages', es: 'Ganadas, propias' } },
  { name: 'own_lost_count', kind: 'number', label: { en: 'Lost, own pages', es: 'Perdidas, propias' } },
  {
    name: 'unknown_lost_count',
    kind: 'number',
    label: { en: 'Lost, not known whose', es: 'Perdidas, sin saber de quién' },
  },
] as const;

const cells = cellsOf(columns);
const gainedPages: Noun = {
  en: ['cited page gained', 'cited pages gained'],
  es: ['página citada ganada', 'páginas citadas ganadas'],
};
const lostPages: Noun = { en: ['lost', 'lost'], es: ['perdida', 'perdidas'] };
const ownPages: Noun = { en: ['your own', 'your own'], es: ['de ellas propia', 'de ellas propias'] };

/** Over longer periods a bar is a week. */
const mostDays = 180;

export const citationChanges: Chart = {
  name: 'citation-changes',
  page: 'sources',
  scope: 'client',
  views: ['bi.citation_changes'],
  columns,
  dateColumn: 'date',
  label: { en: 'Cited pages gained and lost', es: 'Páginas citadas ganadas y perdidas' },
  unit: { en: 'Number of pages; lost ones below zero', es: 'Número de páginas; las perdidas, bajo cero' },
  title: titleOf,
  note: {
    en: 'A page is gained on the first date on which it is cited. Over more than 180 days a bar is a week.',
    es: 'Una página se gana el primer día en que se cita. Con más de 180 días, cada barra es una semana.',
  },
  draw: drawChanges,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const gained = counted(sumOf(rows, 'gained_count'), gainedPages, language);
  const lost = counted(sumOf(rows, 'lost_count'), lostPages, language);
  const own = sumOf(rows, 'own_lost_count');
  const text: Words = {
    en: `${gained} and ${lost}${own > 0 ? `, ${own} of them your own` : ''}`,
    es: `${gained} y ${lost}${own > 0 ? `, ${counted(own, ownPages, 'es')}` : ''}`,
  };
  const unknown = sumOf(rows, 'unknown_lost_count');
  if (unknown === 0) return text[language];
  const whose: Words = { en: `; owner of ${unknown} lost`, es: `; dueño de ${unknown} perdidas` };
  return `${text[language]}${whose[language]}: ${unknownWord(context, 'is_own')}`;
}

function drawChanges(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette } = context;
  const words: Readonly<Record<'gained' | 'lost', Words>> = {
    gained: { en: 'Gained', es: 'Ganadas' },
    lost: { en: 'Lost', es: 'Perdidas' },
  };
  const series = (['gained', 'lost'] as const).map((change) => ({
    type: 'bar' as const,
    name: words[change][language],
    stack: 'pages',
    barMaxWidth: 14,
    barMinWidth: 2,
    // Those of the first and last day stand on the edge.
    clip: false,
    color: change === 'gained' ? palette.good : palette.bad,
    data: [...byBar(rows, context)].map(([date, own]) => {
      const count = sumOf(own, `${change}_count`);
      return [date, change === 'lost' && count > 0 ? -count : count];
    }),
  }));
  const option = {
    ...timeAxes(context, {
      format: (value) => (Number.isInteger(value) ? formatNumber(Math.abs(value), language, 0) : ''),
    }),
    series: [...series, ...markerSeries(context)],
  };
  return [{ type: 'picture', heightPx: 260, option }];
}

/** Rows by the first date of their bar, which never stands before the period. */
function byBar(rows: readonly Row[], { period }: DrawContext): Map<string, Row[]> {
  const isLong = dayOf(period.to) - dayOf(period.from) > mostDays;
  const bars = new Map<string, Row[]>();
  for (const row of rows) {
    const date = cells.text(row, 'date') ?? '';
    const monday = isLong ? mondayOf(date) : date;
    const first = date >= period.from && monday < period.from ? period.from : monday;
    bars.set(first, [...(bars.get(first) ?? []), row]);
  }
  return bars;
}

function sumOf(rows: readonly Row[], name: string): number {
  return rows.reduce((sum, row) => sum + (cells.number(row, name) ?? 0), 0);
}
