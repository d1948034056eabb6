// Two values of a row, joined by a line: before and after, own and others'.

import type { ScatterSeriesOption } from 'echarts';
import type { DrawContext, Drawing, Row } from './chart.ts';
import { cutText, detailOf, formatNumber, shownOf } from './format.ts';
import { heightOfRows, type RowAxes, rowAxes } from './time-axes.ts';

/** Rows by their metric: values of different metrics never stand on one axis. */
interface Metric {
  readonly caption: string;
  readonly rows: readonly Row[];
}

/** In the order of the rows. */
export function metricsOf(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
  /** Where the name is not there. */
  none: string,
): readonly Metric[] {
  return [...new Set(rows.map(nameOf))].map((name) => ({
    caption: cutText(name ?? none, 60),
    rows: rows.filter((row) => nameOf(row) === name),
  }));
}

export interface Dumbbell {
  readonly name: string;
  /** A hollow circle. Null: not known, and no line is drawn. */
  readonly from: number | null;
  /** A filled diamond. */
  readonly to: number | null;
  /** A value to be seen against the two: they are ticks then, and it is the diamond. */
  readonly at?: number | null;
}

interface DumbbellWords {
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  /** What several pictures of one chart are told apart by. */
  readonly caption?: string;
}

const mostRows = 15;
const digits = 2;

/** @param rows from above to below; the first ones are drawn */
export function drawDumbbells(
  rows: readonly Dumbbell[],
  words: DumbbellWords,
  context: DrawContext,
  axes: RowAxes = {},
): Drawing {
  const shown = rows.slice(0, mostRows);
  const ends = (['from', 'to', 'at'] as const).filter((end) => words[end] !== undefined);
  const caption = [words.caption, shownOf(shown.length, rows.length, context.language)]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    type: 'picture',
    ...(caption !== '' && { caption }),
    heightPx: heightOfRows(shown.length),
    option: {
      ...rowAxes(
        shown.map(({ name }) => name),
        context,
        axes,
      ),
      tooltip: { renderMode: 'richText', confine: true, formatter: detailOf },
      series: ends.map((end) => seriesOf(end, shown, words, context)),
    },
  };
}

function seriesOf(
  end: 'from' | 'to' | 'at',
  rows: readonly Dumbbell[],
  words: DumbbellWords,
  context: DrawContext,
): ScatterSeriesOption {
  return {
    type: 'scatter',
    name: words[end] ?? '',
    ...looksOf(end, words.at !== undefined, context),
    data: rows.flatMap((row, place) => {
      const value = row[end] ?? null;
      return value === null ? [] : [{ value: [value, place], detail: detailText(row, words, context) }];
    }),
    ...(end === 'from' && {
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: { color: context.palette.mutedText, type: 'solid', width: 2 },
        data: rows.flatMap(({ from, to }, place) =>
          from === null || to === null ? [] : [[{ coord: [from, place] }, { coord: [to, place] }]],
        ),
      },
    }),
  };
}

function looksOf(end: 'from' | 'to' | 'at', isRange: boolean, { palette }: DrawContext): ScatterSeriesOption {
  const [first, second] = [palette.series[0] ?? palette.text, palette.series[1] ?? palette.text];
  if (isRange && end !== 'at') {
    return { symbol: 'rect', symbolSize: [3, 14], itemStyle: { color: palette.mutedText, opacity: 1 } };
  }
  if (end !== 'from') return { symbol: 'diamond', symbolSize: 14, itemStyle: { color: second, opacity: 1 } };
  const hollow = { color: palette.background, borderColor: first, borderWidth: 2, opacity: 1 };
  return { symbol: 'circle', symbolSize: 11, itemStyle: hollow };
}

function detailText(row: Dumbbell, words: DumbbellWords, { language }: DrawContext): string {
  const values = (['from', 'to', 'at'] as const).flatMap((end) => {
    const value = row[end] ?? null;
    return value === null ? [] : [`${words[end] ?? ''}: ${formatNumber(value, language, digits)}`];
  });
  return [cutText(row.name, 80), ...values].join('\n');
}
