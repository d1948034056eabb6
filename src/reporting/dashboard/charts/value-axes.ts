// Two axes of values, for points.
import type { EChartsOption } from 'echarts';
import type { DrawContext } from './chart.ts';
import { commonOption } from './common-option.ts';
import { formatNumber } from './format.ts';

export interface NumberAxis {
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
  readonly format?: (value: number) => string;
}

/** The name of the horizontal axis stands below it, that of the vertical one above. */
export function valueAxes(x: NumberAxis, y: NumberAxis, context: DrawContext): EChartsOption {
  const { language, palette, widthPx } = context;
  const axisOf = ({ name, min, max, format }: NumberAxis) => ({
    type: 'value' as const,
    name,
    nameTextStyle: { color: palette.mutedText },
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(min !== undefined && max !== undefined && { interval: (max - min) / 4 }),
    splitNumber: widthPx < 600 ? 3 : 5,
    axisLabel: {
      color: palette.mutedText,
      hideOverlap: true,
      formatter: format ?? ((value: number) => formatNumber(value, language)),
    },
    splitLine: { lineStyle: { color: palette.line } },
  });
  return {
    ...commonOption(context),
    grid: { left: 8, right: 16, top: 36, bottom: 8, outerBoundsMode: 'same' },
    xAxis: { ...axisOf(x), nameLocation: 'middle', nameGap: 28 },
    yAxis: { ...axisOf(y), nameTextStyle: { color: palette.mutedText, align: 'left' } },
  };
}
