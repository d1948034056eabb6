// Named rows with their values along a horizontal axis.
import type { EChartsOption } from 'echarts';
import type { DrawContext } from './chart.ts';
import { commonOption } from './common-option.ts';
import { cutText } from './cut-text.ts';
import { formatNumber } from './format.ts';

export interface RowAxes {
  readonly min?: number;
  readonly max?: number;
  /** Do not begin at 0. */
  readonly isScaled?: boolean;
  /** How values are written on the axis. Default: with one digit after the mark. */
  readonly format?: (value: number) => string;
}

const rowPx = 30;

/** @param names from above to below; long ones are cut */
export function rowAxes(
  names: readonly string[],
  context: DrawContext,
  { min, max, isScaled, format }: RowAxes = {},
): EChartsOption {
  const { language, palette, widthPx } = context;
  return {
    ...commonOption(context),
    xAxis: {
      type: 'value',
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(min !== undefined && max !== undefined && { interval: (max - min) / 4 }),
      scale: isScaled === true,
      splitNumber: widthPx < 600 ? 3 : 6,
      axisLabel: {
        color: palette.mutedText,
        hideOverlap: true,
        formatter: format ?? ((value: number) => formatNumber(value, language)),
      },
      splitLine: { lineStyle: { color: palette.line } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      // Two rows may have one name: their places tell them apart.
      data: names.map((_, place) => String(place)),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: {
        color: palette.text,
        interval: 0,
        fontSize: widthPx < 600 ? 11 : 12,
        formatter: (_: string, place: number) => cutText(names[place] ?? '', widthPx < 600 ? 22 : 42),
      },
    },
  };
}

/** Height of so many rows with their axis and legend. */
export function heightOfRows(count: number): number {
  return count * rowPx + 72;
}
