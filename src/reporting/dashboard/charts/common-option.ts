// What every picture has, whatever its axes.
import type { EChartsOption } from 'echarts';
import type { DrawContext } from './chart.ts';
import { cutText } from './cut-text.ts';

/** Grid, legend and tooltip. Texts of the data are never read as HTML. */
export function commonOption({ palette }: DrawContext): EChartsOption {
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { color: palette.text },
    grid: { left: 8, right: 16, top: 36, bottom: 8, outerBoundsMode: 'same' },
    legend: {
      top: 0,
      left: 0,
      type: 'scroll',
      textStyle: { color: palette.text },
      formatter: (name) => cutText(name, 32),
    },
    tooltip: { renderMode: 'richText', confine: true },
  };
}
