// One line over time, told from the others by colour, dash and symbol.
import type { LineSeriesOption } from 'echarts';
import type { DrawContext } from './chart.ts';

const symbols = ['circle', 'rect', 'triangle', 'diamond'];
const dashes = ['solid', 'dashed', 'dotted'] as const;

/** Most points on which each one has its symbol. */
const fewPoints = 40;

/** @param points by date; null is a gap */
export function lineOf(
  name: string,
  place: number,
  points: readonly (readonly [date: string, value: number | null])[],
  { palette }: DrawContext,
): LineSeriesOption {
  return {
    type: 'line',
    name,
    connectNulls: false,
    symbol: symbols[place % symbols.length] ?? 'circle',
    symbolSize: 7,
    showSymbol: points.length <= fewPoints,
    lineStyle: { type: dashes[place % dashes.length] ?? 'solid', width: 2 },
    color: palette.series[place % palette.series.length] ?? palette.text,
    data: points.map(([date, value]) => [date, value]),
  };
}
