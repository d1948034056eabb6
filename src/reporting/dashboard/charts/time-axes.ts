// Axes of a chart over time, with what happened as lines on them.
import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { DrawContext, Language, Words } from './chart.ts';
import { cutText, formatDate, formatNumber, formatTick } from './format.ts';

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

/** Named rows with their values along a horizontal axis. */
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

/** Two axes of values, for points. */
interface NumberAxis {
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

/**
 * What a pointer on an axis of time reads: the date, and each series with its value and what is said beside it.
 */
interface Entry {
  readonly seriesName: string;
  readonly name: string;
  readonly marker: string;
  readonly date: string;
  readonly value: number | null;
}

/** For `tooltip.formatter` with `trigger: 'axis'`. @param format how values are written */
export function dateTooltip(
  language: Language,
  format = (value: number) => formatNumber(value, language),
): (given: unknown) => string {
  return (given) => {
    const entries = (Array.isArray(given) ? given : [given]).flatMap((one) => entryOf(one) ?? []);
    const shown = entries.filter(({ value, date }) => value !== null && date !== '');
    const lines = shown.map(({ marker, seriesName, value, name }) => {
      const detail = name === '' ? '' : ` · ${plain(name)}`;
      return `${marker}${plain(seriesName)}: ${format(value ?? 0)}${detail}`;
    });
    const [first] = shown;
    return first === undefined ? '' : [formatDate(first.date, language), ...lines].join('\n');
  };
}

/** One line, in which a brace of the data begins no style of its own. */
export function plain(text: string): string {
  return cutText(text, 100).replaceAll('{', '{\u2060');
}

function entryOf(given: unknown): Entry | undefined {
  if (typeof given !== 'object' || given === null || !('value' in given)) return undefined;
  const [date, value]: unknown[] = Array.isArray(given.value) ? given.value : [];
  const text = (name: string) => {
    const found: unknown = Object.entries(given).find(([key]) => key === name)?.[1];
    return typeof found === 'string' ? found : '';
  };
  return {
    seriesName: text('seriesName'),
    name: text('name'),
    marker: text('marker'),
    date: typeof date === 'string' ? date : '',
    value: typeof value === 'number' ? value : null,
  };
}

const markerWords: Readonly<Record<DrawContext['markers'][number]['type'], Words>> = {
  method_change: { en: 'Method', es: 'Método' },
  action: { en: 'Action', es: 'Acción' },
  alert: { en: 'Alert', es: 'Alerta' },
  note: { en: 'Note', es: 'Nota' },
};

interface ValueAxis {
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
