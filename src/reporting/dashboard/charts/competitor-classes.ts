// How mentions of competitors divide by class over time. A picture for each brand that they compete with.
import type { SeriesOption } from 'echarts';
import type { Chart, Column, DrawContext, Drawing, Row } from './chart.ts';
import { comparedSeries } from './compared-series.ts';
import { competitorClassWords } from './competitor-class-words.ts';
import { cutText, formatRate } from './format.ts';
import { dateTooltip, markerSeries, timeAxes } from './time-axes.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns: readonly Column[] = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'brand_name', kind: 'text', label: { en: 'Brand', es: 'Marca' } },
  {
    name: 'competitor_class',
    kind: 'text',
    label: { en: 'Class', es: 'Clase' },
    words: competitorClassWords,
  },
  { name: 'share_rate', kind: 'rate', label: { en: 'Share of mentions', es: 'Cuota de menciones' } },
  {
    name: 'mentions_per_100_answers',
    kind: 'number',
    label: { en: 'Mentions in 100 answers', es: 'Menciones en 100 respuestas' },
  },
  { name: 'competitor_count', kind: 'number', label: { en: 'Competitors', es: 'Competidores' } },
  {
    name: 'known_count',
    kind: 'number',
    label: { en: 'With mentions known', es: 'Con menciones conocidas' },
  },
];

const cells = cellsOf(columns);

export const competitorClasses: Chart = {
  name: 'competitor-classes',
  page: 'competition',
  scope: 'client',
  views: ['bi_history.share_of_voice', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Competitors by class', es: 'Competidores por clase' },
  unit: {
    en: 'Share of all mentions of competitors, by class',
    es: 'Cuota de todas las menciones de competidores, por clase',
  },
  title: titleOf,
  note: {
    en: 'Mentions of the competitors of a class by those of all competitors. Past 180 days: the last date of each week.',
    es: 'Menciones de los competidores de una clase entre las de todos. A partir de 180 días: la última fecha de cada semana.',
  },
  draw: (rows, context) =>
    brandsOf(rows).map((brand, _, all) => picture(rows, brand, all.length > 1, context)),
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const [brand = ''] = brandsOf(rows);
  const own = rows.filter((row) => brandOf(row) === brand);
  const date = cells.text(own.at(-1) ?? [], 'run_date');
  const newest = own.filter((row) => cells.text(row, 'run_date') === date);
  const top = newest
    .filter((row) => cells.number(row, 'share_rate') !== null)
    .sort((one, other) => shareOf(other) - shareOf(one))[0];
  const sum = (column: string) => newest.reduce((total, row) => total + (cells.number(row, column) ?? 0), 0);
  const [all, known] = [sum('competitor_count'), sum('known_count')];
  if (top === undefined) {
    if (known > 0 && known === all) {
      return { en: 'Engines name no competitor', es: 'Los motores no nombran a ningún competidor' }[language];
    }
    const why = unknownWord(context, 'mentions_per_100_answers');
    return { en: `Mentions of competitors: ${why}`, es: `Menciones de competidores: ${why}` }[language];
  }
  const tail = {
    en: `; mentions of ${all - known} of ${all} competitors`,
    es: `; menciones de ${all - known} de ${all} competidores`,
  }[language];
  const unknown = all === known ? '' : `${tail}: ${unknownWord(context, 'mentions_per_100_answers')}`;
  const name = wordOf(top, language);
  const share = formatRate(shareOf(top), language);
  const of = brandsOf(rows).length > 1 ? ` (${cutText(brand, 40)})` : '';
  return {
    en: `Competitors of the class ${name} have ${share} of the mentions${of}${unknown}`,
    es: `Los competidores de clase ${name} tienen el ${share} de las menciones${of}${unknown}`,
  }[language];
}

function picture(rows: readonly Row[], brand: string, hasCaption: boolean, context: DrawContext): Drawing {
  const { language } = context;
  const own = rows.filter((row) => brandOf(row) === brand);
  const percent = (value: number) => formatRate(value, language);
  return {
    type: 'picture',
    ...(hasCaption && { caption: cutText(brand, 60) }),
    heightPx: 260,
    option: {
      ...timeAxes(context, { min: 0, max: 1, format: percent }),
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        confine: true,
        formatter: dateTooltip(language, percent),
      },
      series: [...series(own, context), ...markerSeries(context)],
    },
  };
}

function series(rows: readonly Row[], context: DrawContext): SeriesOption[] {
  const order = Object.keys(competitorClassWords);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const classes = [...new Set(rows.map(classOf))].sort(
    (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  );
  return comparedSeries(
    classes.map((name) => {
      const own = rows.filter((row) => classOf(row) === name);
      const [some] = own;
      return {
        name: some === undefined ? name : wordOf(some, context.language),
        values: own.map((row) => ({
          date: cells.text(row, 'run_date') ?? '',
          value: cells.number(row, 'share_rate'),
        })),
      };
    }),
    context,
  );
}

function brandsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(brandOf))].sort();
}

function brandOf(row: Row): string {
  return cells.text(row, 'brand_name') ?? '';
}

function classOf(row: Row): string {
  return cells.text(row, 'competitor_class') ?? '';
}

function wordOf(row: Row, language: DrawContext['language']): string {
  const name = classOf(row);
  if (name === '') return { en: 'unclassified', es: 'sin clase' }[language];
  const words = Object.hasOwn(competitorClassWords, name) ? competitorClassWords[name] : undefined;
  return words?.[language] ?? cutText(name, 40);
}

function shareOf(row: Row): number {
  return cells.number(row, 'share_rate') ?? 0;
}
