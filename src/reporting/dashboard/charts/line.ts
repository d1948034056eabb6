// One line over time, told from the others by colour, dash and symbol.
import type { LineSeriesOption } from 'echarts';
import type { DrawContext } from './chart.ts';
import { linePoints } from './line-points.ts';

const symbols = ['circle', 'rect', 'triangle', 'diamond'];
const dashes = ['solid', 'dashed', 'dotted'] as const;

/** @param points in the order of their dates; no line crosses dates that are missing */
export function lineOf(
  name: string,
  place: number,
  points: readonly (readonly [date: string, value: number | null])[],
  { palette }: DrawContext,
): LineSeriesOption {
  const own = symbols[place % symbols.length] ?? 'circle';
  return {
    type: 'line',
    name,
    // The legend's; each point has its own.
    symbol: own,
    symbolSize: 7,
    lineStyle: { type: dashes[place % dashes.length] ?? 'solid', width: 2 },
    color: palette.series[place % palette.series.length] ?? palette.text,
    data: linePoints(points.map(([date, value]) => ({ date, value }))).map(({ value, symbol }) => ({
      value,
      symbol: symbol === 'none' ? symbol : own,
    })),
  };
}
