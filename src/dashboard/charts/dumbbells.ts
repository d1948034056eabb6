// Two values of a row, joined by a line: before and after, own and others'.
import type { ScatterSeriesOption } from 'echarts';
import type { DrawContext, Drawing } from './chart.ts';
import { cutText } from './cut-text.ts';
import { detailOf } from './detail.ts';
import { formatNumber } from './format.ts';
import { heightOfRows, type RowAxes, rowAxes } from './row-axes.ts';
import { shownOf } from './shown-of.ts';

export interface Dumbbell {
  readonly name: string;
  /** A hollow circle. Null: not known, and no line is drawn. */
  readonly from: number | null;
  /** A filled diamond. */
  readonly to: number | null;
}

export interface DumbbellWords {
  readonly from: string;
  readonly to: string;
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
  const { language, palette } = context;
  const shown = rows.slice(0, mostRows);
  const detail = ({ name, from, to }: Dumbbell) =>
    [
      cutText(name, 80),
      from === null ? '' : `${words.from}: ${formatNumber(from, language, digits)}`,
      to === null ? '' : `${words.to}: ${formatNumber(to, language, digits)}`,
    ]
      .filter((line) => line !== '')
      .join('\n');
  const ends = (end: 'from' | 'to'): ScatterSeriesOption => ({
    type: 'scatter',
    name: words[end],
    symbol: end === 'from' ? 'circle' : 'diamond',
    symbolSize: end === 'from' ? 11 : 14,
    itemStyle:
      end === 'from'
        ? {
            color: palette.background,
            borderColor: palette.series[0] ?? palette.text,
            borderWidth: 2,
            opacity: 1,
          }
        : { color: palette.series[1] ?? palette.text, opacity: 1 },
    data: shown.flatMap((row, place) => {
      const value = row[end];
      return value === null ? [] : [{ value: [value, place], detail: detail(row) }];
    }),
  });
  const joined = shown.flatMap(({ from, to }, place) =>
    from === null || to === null ? [] : [[{ coord: [from, place] }, { coord: [to, place] }]],
  );
  const from = {
    ...ends('from'),
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      lineStyle: { color: palette.mutedText, type: 'solid' as const, width: 2 },
      data: joined as NonNullable<ScatterSeriesOption['markLine']>['data'],
    },
  } as ScatterSeriesOption;
  const caption = [words.caption, shownOf(shown.length, rows.length, language)]
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
      series: [from, ends('to')],
    },
  };
}
