// How often engines name the competitors that they name most, over time.
import type { Chart, Column, DrawContext, Drawing, Row } from './chart.ts';
import { comparedSeries } from './compared-series.ts';
import { competitorClassWords } from './competitor-class-words.ts';
import { cutText, formatNumber } from './format.ts';
import { dateTooltip, markerSeries, timeAxes } from './time-axes.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns: readonly Column[] = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'competitor_name', kind: 'text', label: { en: 'Competitor', es: 'Competidor' } },
  { name: 'brand_name', kind: 'text', label: { en: 'Competes with', es: 'Compite con' } },
  {
    name: 'competitor_class',
    kind: 'text',
    label: { en: 'Class', es: 'Clase' },
    words: competitorClassWords,
  },
  {
    name: 'mentions_per_100_answers',
    kind: 'number',
    label: { en: 'Mentions in 100 answers', es: 'Menciones en 100 respuestas' },
  },
];

const cells = cellsOf(columns);

const [mostLines, mostNarrowLines] = [8, 5];

export const competitors: Chart = {
  name: 'competitors',
  page: 'competition',
  scope: 'client',
  views: ['bi_history.share_of_voice', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Competitors named most', es: 'Competidores más nombrados' },
  unit: { en: 'Mentions in 100 answers', es: 'Menciones en 100 respuestas' },
  title: titleOf,
  note: {
    en: 'The eight named most at the end of the period; the picture has five where it is narrow. Past 180 days: the last date of each week.',
    es: 'Los ocho más nombrados al final del periodo; la imagen estrecha muestra cinco. A partir de 180 días: la última fecha de cada semana.',
  },
  draw: (rows, context) => [picture(rows, context)],
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  // Those of the newest date, of which what is not known comes last.
  const [top, ...others] = byNewest(rows).filter(
    ({ newest }, _, [first]) => newest.date === first?.newest.date,
  );
  const why = unknownWord(context, 'mentions_per_100_answers');
  if (top === undefined || top.newest.value === null) {
    return { en: `Mentions of competitors: ${why}`, es: `Menciones de competidores: ${why}` }[language];
  }
  const { name, newest } = top;
  const value = formatNumber(newest.value ?? 0, language);
  const isPart = others.some((other) => other.newest.value === null);
  return {
    en: `${name} is named most, ${value} times in 100 answers${isPart ? `; mentions of others: ${why}` : ''}`,
    es: `${name} es el más nombrado, ${value} veces en 100 respuestas${isPart ? `; menciones de otros: ${why}` : ''}`,
  }[language];
}

interface Line {
  readonly name: string;
  readonly newest: Dated;
  readonly values: readonly Dated[];
}

interface Dated {
  readonly date: string;
  readonly value: number | null;
}

/** A line a competitor, the one named most on its newest date first. */
function byNewest(rows: readonly Row[]): Line[] {
  const areOfOneBrand = new Set(rows.map((row) => cells.text(row, 'brand_name'))).size <= 1;
  const lines = new Map<string, Dated[]>();
  for (const row of rows) {
    const brand = areOfOneBrand ? '' : ` · ${cutText(cells.text(row, 'brand_name') ?? '?', 30)}`;
    const name = `${cutText(cells.text(row, 'competitor_name') ?? '?', 40)}${brand}`;
    const values = lines.get(name) ?? [];
    lines.set(name, values);
    values.push({
      date: cells.text(row, 'run_date') ?? '',
      value: cells.number(row, 'mentions_per_100_answers'),
    });
  }
  return [...lines]
    .flatMap(([name, values]) => {
      const newest = values.at(-1);
      return newest === undefined ? [] : [{ name, values, newest }];
    })
    .sort(
      (one, other) =>
        (one.newest.date < other.newest.date ? 1 : one.newest.date > other.newest.date ? -1 : 0) ||
        (other.newest.value ?? -1) - (one.newest.value ?? -1),
    );
}

function picture(rows: readonly Row[], context: DrawContext): Drawing {
  const { language, widthPx } = context;
  const lines = byNewest(rows).slice(0, widthPx < 600 ? mostNarrowLines : mostLines);
  return {
    type: 'picture',
    heightPx: 300,
    option: {
      ...timeAxes(context, { min: 0 }),
      tooltip: { trigger: 'axis', renderMode: 'richText', confine: true, formatter: dateTooltip(language) },
      series: [...comparedSeries(lines, context), ...markerSeries(context)],
    },
  };
}
