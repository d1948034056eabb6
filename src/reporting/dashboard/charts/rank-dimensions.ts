// What the AI Rank is made of: date by dimension, darker is higher. A date without a value stays empty.
import type { Chart, Column, DrawContext, Drawing, Row } from './chart.ts';
import { dateOf, dayOf, isWithin, usualStepDays } from './dates.ts';
import { cutText, formatDate, formatNumber, formatTick } from './format.ts';
import { inkOn, scaleColour } from './palette.ts';
import { commonOption, plain } from './time-axes.ts';
import { unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns: readonly Column[] = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'dimension', kind: 'text', label: { en: 'Dimension', es: 'Dimensión' } },
  { name: 'score', kind: 'score', label: { en: 'Score', es: 'Puntuación' } },
];

const cells = cellsOf(columns);

const [rowPx, narrowestTextPx] = [30, 30];

export const rankDimensions: Chart = {
  name: 'rank-dimensions',
  page: 'client',
  scope: 'client',
  views: ['bi.account_rank_dimensions', 'bi.rank_dimensions'],
  columns,
  dateColumn: 'date',
  label: { en: 'Dimensions of the AI Rank', es: 'Dimensiones del AI Rank' },
  unit: { en: 'Score of each dimension, 0 to 100', es: 'Puntuación de cada dimensión, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'Darker is higher in light, brighter in dark. The picture has the newest method only; empty cells have no comparable point. Past 180 days: the last point of each week.',
    es: 'Cuanto más intenso, más alto. La imagen muestra solo el método más reciente; las celdas vacías no tienen punto comparable. A partir de 180 días: el último punto de cada semana.',
  },
  draw: (rows, context) => [picture(rows, context)],
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const drawn = ofNewestMethod(rows);
  const dates = drawn.map((row) => cells.text(row, 'date') ?? '').sort();
  const all = drawn.filter((row) => cells.text(row, 'date') === (dates.at(-1) || null));
  const newest = all
    .filter((row) => cells.number(row, 'score') !== null)
    .map((row) => ({ name: nameOf(row), score: cells.number(row, 'score') ?? 0 }))
    .sort((one, other) => other.score - one.score);
  const [best, worst] = [newest.at(0), newest.at(-1)];
  if (best === undefined || worst === undefined) {
    const why = unknownWord(context, 'score');
    return { en: `Score of the dimensions: ${why}`, es: `Puntuación de las dimensiones: ${why}` }[language];
  }
  const tail = unknownTail(all.length - newest.length, context, 'score');
  const [high, low] = [best, worst].map(({ name, score }) => `${name} (${formatNumber(score, language)})`);
  if (best.score === worst.score) {
    const text = { en: 'The newest score', es: 'La puntuación más reciente' }[language];
    return newest.length === 1
      ? `${text}: ${high}${tail}`
      : {
          en: `${newest.length} dimensions stand at ${formatNumber(best.score, language)}${tail}`,
          es: `${newest.length} dimensiones están en ${formatNumber(best.score, language)}${tail}`,
        }[language];
  }
  return {
    en: `The strongest dimension is ${high}, the weakest ${low}${tail}`,
    es: `La dimensión más fuerte es ${high} y la más débil ${low}${tail}`,
  }[language];
}

/** v1 and v2 are made of dimensions of their own. */
function ofNewestMethod(rows: readonly Row[]): Row[] {
  const dated = rows
    .map((row) => `${cells.text(row, 'date') ?? ''} ${cells.text(row, 'method') ?? ''}`)
    .sort()
    .at(-1);
  const method = dated?.slice(dated.indexOf(' ') + 1);
  return rows.filter((row) => (cells.text(row, 'method') ?? '') === method);
}

function nameOf(row: Row): string {
  return cutText((cells.text(row, 'dimension') ?? '?').replaceAll('_', ' '), 40);
}

function picture(rows: readonly Row[], context: DrawContext): Drawing {
  const { palette, period, language, widthPx } = context;
  const drawn = ofNewestMethod(rows.filter((row) => isWithin(cells.text(row, 'date'), period)));
  const columnOf = columnsOf(drawn.map((row) => cells.text(row, 'date') ?? ''));
  const names = namesByNewest(drawn);
  const longestName = widthPx < 600 ? 12 : 28;
  const namePx = Math.min(Math.max(...names.map((name) => name.length), 1), longestName) * 7;
  const cellPx = (widthPx - namePx - 40) / Math.max(columnOf.dates.length, 1);
  const axis = { type: 'category' as const, axisTick: { show: false }, axisLine: { show: false } };
  return {
    type: 'picture',
    heightPx: names.length * rowPx + 76,
    option: {
      ...commonOption(context),
      grid: { left: 8, right: 16, top: 36, bottom: 8, outerBoundsMode: 'same' },
      legend: { show: false },
      tooltip: { renderMode: 'richText', confine: true, formatter: (given) => detailOf(given) },
      xAxis: {
        ...axis,
        data: columnOf.dates.map((date) => formatTick(date, period, language)),
        axisLabel: { color: palette.mutedText, hideOverlap: true },
      },
      yAxis: {
        ...axis,
        data: names.map((name) => cutText(name, longestName)),
        inverse: true,
        axisLabel: { color: palette.text, interval: 0 },
      },
      visualMap: {
        type: 'continuous',
        min: 0,
        max: 100,
        dimension: 2,
        orient: 'horizontal',
        left: 0,
        top: 0,
        itemWidth: 12,
        itemHeight: 120,
        text: ['100', '0'],
        textStyle: { color: palette.mutedText },
        inRange: { color: [...palette.scale] },
      },
      series: [
        {
          type: 'heatmap',
          data: drawn.flatMap((row) => {
            const score = cells.number(row, 'score');
            const date = cells.text(row, 'date') ?? '';
            if (score === null) return [];
            return {
              value: [columnOf.place(date), names.indexOf(nameOf(row)), score],
              name: `${formatDate(date, language)}\n${plain(nameOf(row))}: ${formatNumber(score, language)}`,
              label: {
                show: cellPx >= narrowestTextPx,
                formatter: formatNumber(score, language, 0),
                color: inkOn(scaleColour(palette, score / 100)),
              },
            };
          }),
        },
      ],
    },
  };
}

/** A column a date; a week, where the points are further apart. Those without a point stay empty. */
function columnsOf(all: readonly string[]): { dates: string[]; place: (date: string) => number } {
  const dates = [...new Set(all)].sort();
  const [first, last] = [dates.at(0), dates.at(-1)];
  if (first === undefined || last === undefined) return { dates: [], place: () => 0 };
  const stepDays = usualStepDays(dates) > 3 ? 7 : 1;
  // 1970 began on a Thursday: weeks begin on Monday.
  const begin = stepDays === 1 ? dayOf(first) : dayOf(first) - ((dayOf(first) + 3) % 7);
  const place = (date: string) => Math.floor((dayOf(date) - begin) / stepDays);
  const count = place(last) + 1;
  return { dates: Array.from({ length: count }, (_, column) => dateOf(begin + column * stepDays)), place };
}

/** The highest of the newest date first. */
function namesByNewest(rows: readonly Row[]): string[] {
  const newest = new Map<string, { date: string; score: number }>();
  for (const row of rows) {
    const [date, score] = [cells.text(row, 'date') ?? '', cells.number(row, 'score') ?? -1];
    if (date >= (newest.get(nameOf(row))?.date ?? '')) newest.set(nameOf(row), { date, score });
  }
  return [...newest].sort(([, one], [, other]) => other.score - one.score).map(([name]) => name);
}

function detailOf(given: unknown): string {
  return typeof given === 'object' && given !== null && 'name' in given ? String(given.name) : '';
}
