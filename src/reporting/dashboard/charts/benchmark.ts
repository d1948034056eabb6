// Percentile among comparable brands; with too few of them there is none.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { cutText, formatCell, formatDate, formatNumber } from './format.ts';
import { lineOf } from './line.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const [type, country]: [Words, Words] = [
  { en: 'type', es: 'tipo' },
  { en: 'country', es: 'país' },
];
/** Words of the API for cuts; others stay as they are. */
const cutWords: Readonly<Record<string, Words>> = { tipo: type, type, pais: country, país: country, country };

const sampleWords = {
  ok: { en: 'enough brands', es: 'suficientes marcas' },
  insufficient_sample: { en: 'sample too small', es: 'muestra demasiado pequeña' },
  unknown: { en: 'unknown', es: 'desconocida' },
} as const;

const columns = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'cut', kind: 'text', label: { en: 'Cut', es: 'Corte' }, words: cutWords },
  { name: 'cut_value', kind: 'text', label: { en: 'Of', es: 'De' } },
  { name: 'percentile', kind: 'score', label: { en: 'Percentile', es: 'Percentil' } },
  { name: 'median_score', kind: 'score', label: { en: 'Median AI Rank', es: 'Mediana del AI Rank' } },
  {
    name: 'comparable_brand_count',
    kind: 'number',
    label: { en: 'Comparable brands', es: 'Marcas comparables' },
  },
  { name: 'sample_status', kind: 'text', label: { en: 'Sample', es: 'Muestra' }, words: sampleWords },
] as const;

const cells = cellsOf(columns);

export const benchmark: Chart = {
  name: 'benchmark',
  page: 'business',
  scope: 'client',
  views: ['bi_history.benchmark', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Percentile among comparable brands', es: 'Percentil entre marcas comparables' },
  unit: { en: 'Percentile, 0 to 100', es: 'Percentil, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'With fewer than 20 comparable brands the sample is too small for a percentile. Over more than 180 days the last date of each week.',
    es: 'Con menos de 20 marcas comparables la muestra es demasiado pequeña para un percentil. Con más de 180 días, el último día de cada semana.',
  },
  draw: drawCuts,
};

/** Of the newest date the cut with the most brands. */
function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const widest = newestOf(rows)
    .filter((row) => cells.number(row, 'percentile') !== null)
    .reduce<Row | undefined>(
      (most, row) => (most === undefined || brandsOf(row) > brandsOf(most) ? row : most),
      undefined,
    );
  if (widest === undefined) {
    const small = newestOf(rows).some(isTooSmall);
    const text: Words = small
      ? {
          en: 'The sample is too small for a percentile',
          es: 'La muestra es demasiado pequeña para un percentil',
        }
      : {
          en: `Percentile: ${unknownWord(context, 'percentile')}`,
          es: `Percentil: ${unknownWord(context, 'percentile')}`,
        };
    return text[language];
  }
  const percentile = formatNumber(cells.number(widest, 'percentile') ?? 0, language);
  const brands = cells.number(widest, 'comparable_brand_count');
  const day = formatDate(cells.text(widest, 'run_date') ?? '', language);
  const among: Words =
    brands === null
      ? { en: 'comparable brands', es: 'marcas comparables' }
      : {
          en: `${formatNumber(brands, language, 0)} comparable brands`,
          es: `${formatNumber(brands, language, 0)} marcas comparables`,
        };
  const text: Words = {
    en: `Percentile ${percentile} among ${among.en} (${nameOf(widest, context)}) on ${day}`,
    es: `Percentil ${percentile} entre ${among.es} (${nameOf(widest, context)}) el ${day}`,
  };
  return text[language];
}

function drawCuts(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const cuts = [
    ...new Set(
      rows.filter((row) => cells.number(row, 'percentile') !== null).map((row) => nameOf(row, context)),
    ),
  ].sort();
  const lines = cuts.map((cut, place) =>
    lineOf(
      cut,
      place,
      rows
        .filter((row) => nameOf(row, context) === cut)
        .map((row) => [cells.text(row, 'run_date') ?? '', cells.number(row, 'percentile')]),
      context,
    ),
  );
  const option = {
    ...timeAxes(context, { min: 0, max: 100 }),
    series: [...lines, ...markerSeries(context)],
  };
  const tooSmall = newestOf(rows)
    .filter(isTooSmall)
    .map((row): Drawing => ({ type: 'text', text: smallText(row, context) }));
  if (cuts.length === 0) return tooSmall.length > 0 ? tooSmall : [{ type: 'table' }];
  return [{ type: 'picture', heightPx: 280, option }, ...tooSmall];
}

function smallText(row: Row, context: DrawContext): string {
  const { language } = context;
  const brands = cells.number(row, 'comparable_brand_count');
  const count = brands === null ? '' : ` (${formatNumber(brands, language, 0)})`;
  const text: Words = {
    en: `${nameOf(row, context)}: sample too small, fewer than 20 comparable brands${count}`,
    es: `${nameOf(row, context)}: muestra demasiado pequeña, menos de 20 marcas comparables${count}`,
  };
  return text[language];
}

function newestOf(rows: readonly Row[]): readonly Row[] {
  const date = rows
    .map((row) => cells.text(row, 'run_date') ?? '')
    .sort()
    .at(-1);
  return rows.filter((row) => (cells.text(row, 'run_date') ?? '') === date);
}

function isTooSmall(row: Row): boolean {
  return cells.text(row, 'sample_status') === 'insufficient_sample';
}

function brandsOf(row: Row): number {
  return cells.number(row, 'comparable_brand_count') ?? 0;
}

/** `sector: dental`; the whole index has no value of its own. */
function nameOf(row: Row, context: DrawContext): string {
  const { language } = context;
  const known = cells.text(row, 'cut');
  const word: Words = { en: 'cut', es: 'corte' };
  const cut =
    known === null
      ? `${word[language]} ${unknownWord(context, 'cut')}`
      : formatCell(known, columns[1], language);
  const value = cells.text(row, 'cut_value');
  return cutText(value === null || value === '*' ? cut : `${cut}: ${value}`, 40);
}
