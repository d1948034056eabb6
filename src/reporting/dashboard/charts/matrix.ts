// Rows and columns of words with a share in each cell: darker is more, and the cell says it in words too.
import type { EChartsOption } from 'echarts';
import type { DrawContext, Drawing } from './chart.ts';
import { cutText, detailOf } from './format.ts';
import { inkOn, scaleColour } from './palette.ts';
import { commonOption } from './time-axes.ts';

export interface MatrixCell {
  readonly column: number;
  readonly row: number;
  /** 0 to 1; null: nothing is known, which is drawn empty with a dashed edge; none: there can be no value, which is drawn grey. */
  readonly share: number | null | 'none';
  /** Stands in the cell where there is room. */
  readonly text: string;
  /** What a pointer reads. */
  readonly detail: string;
}

export interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly cells: readonly MatrixCell[];
}

const rowPx = 34;
const narrowestTextPx = 30;
const narrowestLabelPx = 44;

export function drawMatrix({ columns, rows, cells }: Matrix, context: DrawContext): Drawing {
  const { palette, widthPx } = context;
  const longestName = widthPx < 600 ? 14 : 32;
  const namePx = Math.min(Math.max(...rows.map((name) => name.length), 1), longestName) * 7;
  const cellPx = (widthPx - namePx - 48) / columns.length;
  const place = ({ column, row, text, detail }: Omit<MatrixCell, 'share'>, share: number, ink: string) => ({
    value: [column, row, share],
    detail,
    label: {
      show: cellPx >= narrowestTextPx,
      formatter: () => text,
      fontSize: cellPx < 40 ? 10 : 11,
      // Of two lines: without it they stand on each other.
      lineHeight: 13,
      color: ink,
    },
  });
  const axis = {
    type: 'category' as const,
    axisTick: { show: false },
    axisLine: { show: false },
    splitArea: { show: false },
  };
  const option: EChartsOption = {
    ...commonOption(context),
    grid: { left: 8, right: 16, top: 8, bottom: 8, outerBoundsMode: 'same' },
    tooltip: {
      renderMode: 'richText',
      confine: true,
      formatter: detailOf,
    },
    xAxis: {
      ...axis,
      data: columns.map((name) => cutText(name, longestName)),
      axisLabel: {
        color: palette.mutedText,
        fontSize: cellPx < 60 ? 11 : 12,
        ...(cellPx < narrowestLabelPx ? { hideOverlap: true } : { interval: 0 }),
      },
    },
    yAxis: {
      ...axis,
      data: rows.map((name) => cutText(name, longestName)),
      inverse: true,
      axisLabel: { color: palette.text, interval: 0 },
    },
    // Says which share has which colour; what has no share has none.
    visualMap: [palette.scale, [palette.background, palette.background], [palette.line, palette.line]].map(
      (color, seriesIndex) => ({
        show: false,
        seriesIndex,
        min: 0,
        max: 1,
        dimension: 2,
        inRange: { color: [...color] },
      }),
    ),
    series: [
      {
        type: 'heatmap',
        data: cells.flatMap(({ share, ...cell }) =>
          typeof share === 'number' ? [place(cell, share, inkOn(scaleColour(palette, share)))] : [],
        ),
        itemStyle: { borderColor: palette.background, borderWidth: 2 },
      },
      {
        type: 'heatmap',
        data: cells.flatMap(({ share, ...cell }) =>
          share === null ? [place(cell, 0, palette.mutedText)] : [],
        ),
        itemStyle: {
          borderColor: palette.mutedText,
          borderWidth: 1,
          borderType: 'dashed',
        },
      },
      {
        type: 'heatmap',
        data: cells.flatMap(({ share, ...cell }) =>
          share === 'none' ? [place(cell, 0, inkOn(palette.line))] : [],
        ),
        itemStyle: { borderColor: palette.background, borderWidth: 2 },
      },
    ],
  };
  return { type: 'picture', heightPx: rows.length * rowPx + 48, option };
}
