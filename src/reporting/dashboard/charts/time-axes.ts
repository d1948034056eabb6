// Axes of a chart over time, with what happened as lines on them.
import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { DrawContext, Words } from './chart.ts';
import { commonOption } from './common-option.ts';
import { cutText } from './cut-text.ts';
import { dateTooltip } from './date-tooltip.ts';
import { formatNumber, formatTick } from './format.ts';

const markerWords: Readonly<Record<DrawContext['markers'][number]['type'], Words>> = {
  method_change: { en: 'Method', es: 'Método' },
  action: { en: 'Action', es: 'Acción' },
  alert: { en: 'Alert', es: 'Alerta' },
  note: { en: 'Note', es: 'Nota' },
};

export interface ValueAxis {
  readonly min?: number;
  readonly max?: number;
  /** How values are written on the axis. Default: with one digit after the mark. */
  readonly format?: (value: number) => string;
  /** How a pointer reads them. Default: as on the axis. */
  readonly tooltipFormat?: (value: number) => string;
}

/** Grid, both axes, legend and tooltip; markers stand on a series of their own, without values. */
export function timeAxes(
  context: DrawContext,
  { min, max, format, tooltipFormat }: ValueAxis = {},
): EChartsOption {
  const { language, palette, period } = context;
  const label = { color: palette.mutedText, hideOverlap: true };
  return {
    ...commonOption(context),
    // The last date stands below the end of the axis.
    grid: { left: 8, right: 20, top: 36, bottom: 8, outerBoundsMode: 'same' },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      formatter: dateTooltip(language, tooltipFormat ?? format),
    },
    xAxis: {
      type: 'time',
      min: period.from,
      max: period.to,
      // Bars at its ends would widen it beyond the period.
      containShape: false,
      axisLabel: {
        ...label,
        formatter: (time: number) => formatTick(new Date(time).toISOString().slice(0, 10), period, language),
      },
      axisLine: { lineStyle: { color: palette.line } },
    },
    yAxis: {
      type: 'value',
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      axisLabel: { ...label, formatter: format ?? ((value: number) => formatNumber(value, language)) },
      splitLine: { lineStyle: { color: palette.line } },
    },
  };
}

/** A series without values that carries the markers; none where none is in the period. */
export function markerSeries({ language, markers, palette, period }: DrawContext): LineSeriesOption[] {
  const shown = markers.filter(({ date }) => date >= period.from && date <= period.to);
  if (shown.length === 0) return [];
  const line: LineSeriesOption = {
    type: 'line',
    name: language === 'es' ? 'Sucesos' : 'Events',
    data: [],
    markLine: {
      silent: false,
      symbol: ['none', 'circle'],
      symbolSize: 6,
      lineStyle: { color: palette.neutral, type: 'dotted', width: 1 },
      label: { show: false },
      emphasis: { label: { show: true, color: palette.text, formatter: '{b}' } },
      data: shown.map(({ date, type, title }) => ({
        xAxis: date,
        name: cutText(`${markerWords[type][language]}: ${title}`, 60),
      })),
    },
  };
  return [line];
}
