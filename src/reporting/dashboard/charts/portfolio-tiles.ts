// A tile for each client: its score, how far it moved over the period, and the line of its points with their gaps.
import { dayMs } from '../../../core/run-date.ts';
import type { Chart, DrawContext, Drawing, RankChange, Row, Tile } from './chart.ts';
import { isWithin } from './dates.ts';
import { counted, formatDate, formatNumber, type Noun } from './format.ts';
import { linePoints } from './line-points.ts';
import { changeOf, unknownWord, valueWords } from './unknown.ts';
import { cellsOf, newestDay } from './values.ts';

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
    en: 'The greatest losses come first. The change is over as many days as the period has, up to the last point: it compares with the last comparable point at least so many days older (at most 13 more), of one method. Beside the year before it is over 365 days. Gaps in a line are dates without points. Past 90 days: a point a week, past 400 days one in four weeks.',
    es: 'Primero, las mayores bajadas. El cambio abarca tantos días como el periodo, hasta el último punto: se compara con el último punto comparable de al menos esos días antes (como mucho 13 más), de un mismo método. Si se compara con un año antes, abarca 365 días. Los huecos de una línea son fechas sin puntos. A partir de 90 días: un punto por semana; a partir de 400, uno cada cuatro semanas.',
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
  /** Undefined: there is nothing to compare with. */
  readonly change: RankChange | undefined;
}

/** From the greatest loss to the greatest gain; without a change last. */
function standings(rows: readonly Row[], { period, changes }: DrawContext): readonly Standing[] {
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
    const last = now.at(-1)?.date;
    const change = changes.find((one) => one.clientKey === clientKey && one.date === last);
    const [first] = own;
    return {
      clientKey,
      name: first === undefined ? '' : (cells.text(first, 'client_name') ?? ''),
      points: now,
      change,
    };
  });
  return found.sort(
    (a, b) => (a.change?.change ?? Infinity) - (b.change?.change ?? Infinity) || compareTexts(a.name, b.name),
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const all = standings(rows, context);
  const clients = counted(all.length, clientNoun, language);
  const known = all.flatMap(({ change }) => (change === undefined ? [] : changeOf(change.change, language)));
  if (all.every(({ points }) => points.length === 0)) {
    if (context.gaps['score'] !== undefined) return `${clients}; AI Rank: ${unknownWord(context, 'score')}`;
    return language === 'es'
      ? `${clients}: ningún punto comparable en este periodo`
      : `${clients}: no comparable point in this period`;
  }
  if (known.length === 0) {
    return language === 'es'
      ? `${clients}: no hay con qué comparar antes de este periodo`
      : `${clients}: there is nothing to compare with before this period`;
  }
  const [up, down, same] = (['up', 'down', 'same'] as const).map(
    (direction) => known.filter((one) => one.direction === direction).length,
  );
  const still = same === 0 ? '' : `, ${same} ${valueWords.unchanged[language]}`;
  const of =
    known.length === all.length
      ? ''
      : {
          en: `, of ${known.length} that can be compared`,
          es: `, de ${known.length} que se pueden comparar`,
        }[language];
  return language === 'es'
    ? `${clients}: ${up} suben y ${down} bajan${still}${of}`
    : `${clients}: ${up} rose and ${down} fell${still}${of}`;
}

/** Points older than these before the period's end are said to be. */
const oldAfterDays = 7;

function tileOf({ clientKey, name, points, change }: Standing, { language, period }: DrawContext): Tile {
  const last = points.at(-1);
  const none = language === 'es' ? 'Sin puntos comparables' : 'No comparable points';
  if (last === undefined) return { label: name, value: '–', note: none, clientKey };
  const isOld = Date.parse(period.to) - Date.parse(last.date) > oldAfterDays * dayMs;
  const notes = [
    ...(change === undefined
      ? [{ en: 'nothing to compare with', es: 'sin con qué comparar' }[language]]
      : [`${{ en: 'since', es: 'desde el' }[language]} ${formatDate(change.comparedDate, language)}`]),
    ...(isOld
      ? [`${{ en: 'last point', es: 'último punto' }[language]}: ${formatDate(last.date, language)}`]
      : []),
  ];
  return {
    label: name,
    value: formatNumber(last.score, language),
    ...(change !== undefined && changeOf(change.change, language)),
    ...(notes.length > 0 && { note: notes.join(' · ') }),
    line: linePoints(points.map(({ date, score }) => ({ date, value: score }))).map(({ value }) => value),
    clientKey,
  };
}
