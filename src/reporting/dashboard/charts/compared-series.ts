// Lines over time, each with its own dash and symbol, and fainter lines of the period beside it on the same dates.
import type { LineSeriesOption } from 'echarts';
import type { DrawContext } from './chart.ts';
import { isWithin, shiftedOnto } from './dates.ts';
import { formatDate } from './format.ts';
import { type DatedValue, linePoints } from './line-points.ts';

export interface NamedLine {
  readonly name: string;
  /** In the order of their dates, one a date. */
  readonly values: readonly DatedValue[];
}

const symbols = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'];
const dashes = ['solid', 'dashed', 'dotted'] as const;

export function comparedSeries(lines: readonly NamedLine[], context: DrawContext): LineSeriesOption[] {
  const { period, compare, palette } = context;
  return lines.flatMap(({ name, values }, place) => {
    const color = palette.series[place % palette.series.length] ?? palette.text;
    const symbol = symbols[place % symbols.length] ?? 'circle';
    const type = dashes[Math.floor(place / palette.series.length + place) % dashes.length] ?? 'solid';
    const points = (some: readonly DatedValue[]) =>
      linePoints(some).map((point) => (point.symbol === 'none' ? point : { ...point, symbol }));
    const now: LineSeriesOption = {
      type: 'line',
      name,
      symbol,
      symbolSize: 6,
      color,
      lineStyle: { type, width: 2 },
      data: points(values.filter(({ date }) => isWithin(date, period))),
    };
    const before = compare === undefined ? [] : onto(values, compare, context);
    if (before.length === 0) return [now];
    const word = { en: 'before', es: 'antes' }[context.language];
    const faint = { ...now, name: `${name}, ${word}`, symbolSize: 3, data: points(before) };
    return [now, { ...faint, lineStyle: { type, width: 1, opacity: 0.5 }, itemStyle: { opacity: 0.5 } }];
  });
}

/** Moved onto the dates of the period; its own date is said beside each value. */
function onto(
  values: readonly DatedValue[],
  compare: NonNullable<DrawContext['compare']>,
  { period, language }: DrawContext,
): DatedValue[] {
  return values
    .filter(({ date }) => isWithin(date, compare))
    .map(({ date, value }) => ({
      date: shiftedOnto(period, compare, date),
      value,
      detail: formatDate(date, language),
    }))
    .filter(({ date }) => isWithin(date, period));
}
