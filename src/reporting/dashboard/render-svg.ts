// A picture of a chart as SVG, in Node, without a browser: for files that are printed.
import type { EChartsOption } from 'echarts';
import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  LegendScrollComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { escapeHtml } from '../../core/text.ts';

export interface SvgOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** What screen readers say of it. */
  readonly label: string;
}

const drawable: readonly string[] = ['line', 'bar', 'scatter', 'heatmap'];

/**
 * Scales with the width that it is given. Texts of the data are escaped; it holds no script and refers to nothing.
 * @throws Error for a type of series that is not registered here, which ECharts would leave out in silence
 */
export function renderSvg(option: EChartsOption, { widthPx, heightPx, label }: SvgOptions): string {
  register();
  for (const { type } of [option.series ?? []].flat()) {
    if (type === undefined || !drawable.includes(type)) {
      throw new Error(`Expected a series to be one of ${drawable.join(', ')}, got ${String(type)}`);
    }
  }
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: heightPx });
  try {
    const textStyle = { ...option.textStyle, fontFamily: 'system-ui, sans-serif' };
    chart.setOption({ ...option, animation: false, textStyle });
    const svg = chart.renderToSVGString({ useViewBox: true });
    // The styles are those of hovering. A function: $' in a label would mean what follows.
    return svg
      .replace(/<style[\s\S]*?<\/style>\s*/g, '')
      .replace('<svg ', () => `<svg role="img" aria-label="${escapeHtml(label)}" `);
  } finally {
    chart.dispose();
  }
}

let isRegistered = false;

/** Not at import: nothing happens there. */
function register(): void {
  if (isRegistered) return;
  isRegistered = true;
  use([LineChart, BarChart, ScatterChart, HeatmapChart]);
  use([GridComponent, LegendComponent, LegendScrollComponent, TooltipComponent, VisualMapComponent]);
  use([MarkAreaComponent, MarkLineComponent, MarkPointComponent, AriaComponent, SVGRenderer]);
}
