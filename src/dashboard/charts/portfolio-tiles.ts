// A tile for each client: its score, how it moved in the period, and the line of its points with their gaps.
import { dayMs } from '../../core/day-ms.ts';
import type { Chart, DrawContext, Drawing, Row, Tile } from './chart.ts';
import { counted, type Noun } from './counted.ts';
import { isWithin } from './dates.ts';
import { formatChange, formatDate, formatNumber } from './format.ts';
import { linePoints } from './line-points.ts';
import { newestDay } from './newest-day.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'client_name', kind: 'text', label: { en: 'Client', es: 'Cliente' } },
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'score', kind: 'score', label: { en: 'AI Rank', es: 'AI Rank' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'client_key', kind: 'text', label: { en: 'Key', es: 'Clave' } },
] as const;

const cells = cellsOf(columns);
const clientNoun: Noun = { en: ['client', 'clients'], es: ['cliente', 'clientes'] };

export const portfolioTiles: Chart = {
  name: 'portfolio-tiles',
  page: 'portfolio',
  scope: 'account',
  views: ['bi.clients', 'bi.rank_trend'],
  columns,
  dateColumn: 'date',
  // A row without a score only says that there is none on that date.
  asOf: (rows) =>
    newestDay(rows.map((row) => (cells.number(row, 'score') === null ? null : cells.text(row, 'date')))),
  label: { en: 'Clients', es: 'Clientes' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'The greatest losses come first. The change is from the first to the last point of the period, in one method; beside another period, from its last point. Gaps in a line are dates without points. Past 90 days: a point a week, past 400 days one in four weeks.',
    es: 'Primero, las mayores bajadas. El cambio va del primer al último punto del periodo, en un solo método; si se compara con otro periodo, desde su último punto. Los huecos de una línea son fechas sin puntos. A partir de 90 días: un punto por semana; a partir de 400, uno cada cuatro semanas.',
  },
  draw: (rows, context): readonly Drawing[] => [
    { type: 'tiles', tiles: standings(rows, context).map((standing) => tileOf(standing, context)) },
  ],
};

interface Standing {
  readonly clientKey: string;
  readonly name: string;
  /** Points of the period. */
  readonly points: readonly { readonly date: string; readonly score: number }[];
  /** Null: there is nothing to compare with. */
  readonly change: number | null;
}

/** From the greatest loss to the greatest gain; without a change last. */
function standings(rows: readonly Row[], { period, compare }: DrawContext): readonly Standing[] {
  const byClient = new Map<string, Row[]>();
  for (const row of rows) {
    const key = cells.text(row, 'client_key') ?? '';
    const own = byClient.get(key);
    if (own === undefined) byClient.set(key, [row]);
    else own.push(row);
  }
  const found = [...byClient].map(([clientKey, own]): Standing => {
    const points = own.flatMap((row) => {
      const [date, score] = [cells.text(row, 'date'), cells.number(row, 'score')];
      return date === null || score === null ? [] : [{ date, score }];
    });
    const now = points.filter(({ date }) => isWithin(date, period));
    const then =
      compare === undefined ? now.slice(0, -1) : points.filter(({ date }) => isWithin(date, compare));
    const [from, to] = [compare === undefined ? then[0] : then.at(-1), now.at(-1)];
    const change = from === undefined || to === undefined ? null : to.score - from.score;
    const [first] = own;
    return {
      clientKey,
      name: first === undefined ? '' : (cells.text(first, 'client_name') ?? ''),
      points: now,
      change,
    };
  });
  return found.sort(
    (a, b) => (a.change ?? Infinity) - (b.change ?? Infinity) || compareTexts(a.name, b.name),
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const all = standings(rows, context);
  if (all.every(({ change }) => change === null)) {
    const clients = counted(all.length, clientNoun, language);
    return language === 'es'
      ? `${clients}: todavía no hay con qué comparar`
      : `${clients}: there is nothing to compare with yet`;
  }
  const rose = all.filter(({ change }) => change !== null && change > 0).length;
  const fell = all.filter(({ change }) => change !== null && change < 0).length;
  const [clients, up, down] = [counted(all.length, clientNoun, language), rose, fell].map(String);
  return language === 'es'
    ? `${clients}: ${up} suben y ${down} bajan`
    : `${clients}: ${up} rose and ${down} fell`;
}

/** Points older than these before the period's end are said to be. */
const oldAfterDays = 7;

function tileOf({ clientKey, name, points, change }: Standing, { language, period }: DrawContext): Tile {
  const last = points.at(-1);
  const none = language === 'es' ? 'Sin puntos comparables' : 'No comparable points';
  if (last === undefined) return { label: name, value: '–', note: none, clientKey };
  const isOld = Date.parse(period.to) - Date.parse(last.date) > oldAfterDays * dayMs;
  const since = language === 'es' ? 'Último punto' : 'Last point';
  return {
    label: name,
    value: formatNumber(last.score, language),
    ...(change !== null && {
      change: formatChange(change, language),
      direction: change > 0 ? ('up' as const) : change < 0 ? ('down' as const) : ('same' as const),
    }),
    ...(isOld && { note: `${since}: ${formatDate(last.date, language)}` }),
    line: linePoints(points.map(({ date, score }) => ({ date, value: score }))).map(({ value }) => value),
    clientKey,
  };
}
