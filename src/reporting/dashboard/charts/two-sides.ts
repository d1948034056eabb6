// Bars to the left and to the right of one line, each divided by polarity: colour, pattern and sign tell them apart.

import type { BarSeriesOption } from 'echarts';
import type { DrawContext, Drawing, Words } from './chart.ts';
import { cutText, formatNumber } from './format.ts';
import { inkOn, type Palette } from './palette.ts';
import { commonOption, plain } from './time-axes.ts';
import { valueWords } from './unknown.ts';

/** Whether an attribute speaks for or against a brand, by the words that the service may use for it. */
export type Polarity = 'positive' | 'neutral' | 'negative' | 'other';

const polarityWords: Readonly<Record<Polarity, Words>> = {
  positive: { en: 'positive', es: 'positivas' },
  neutral: { en: 'neutral', es: 'neutras' },
  negative: { en: 'negative', es: 'negativas' },
  other: valueWords.unknown,
};

const beginnings = [
  ['pos', 'positive'],
  ['neu', 'neutral'],
  ['neg', 'negative'],
] as const;

/** Of `positiva`, `Negative`, `neutro`; what is none of these is `other`, never guessed. */
export function polarityOf(word: string | null): Polarity {
  const lower = word?.trim().toLowerCase() ?? '';
  return beginnings.find(([beginning]) => lower.startsWith(beginning))?.[1] ?? 'other';
}

export interface SidedBar {
  readonly name: string;
  readonly side: 'left' | 'right';
  readonly polarity: Polarity;
  readonly count: number;
  /** What a pointer reads, a line each. */
  readonly details: readonly string[];
}

const order: readonly Polarity[] = ['positive', 'neutral', 'negative', 'other'];
const signs: Readonly<Record<Polarity, string>> = { positive: '+', neutral: '', negative: '−', other: '?' };
const [rowPx, mostNames, mostNarrowNames, mostDetails] = [28, 15, 10, 5];

export function drawTwoSides(
  bars: readonly SidedBar[],
  { left, right }: { readonly left: string; readonly right: string },
  context: DrawContext,
): Drawing {
  const { palette, widthPx, language } = context;
  const names = mostMentioned(bars).slice(0, widthPx < 600 ? mostNarrowNames : mostNames);
  return {
    type: 'picture',
    heightPx: names.length * rowPx + 84,
    option: {
      ...commonOption(context),
      grid: { left: 8, right: 20, top: 36, bottom: 28, outerBoundsMode: 'same' },
      tooltip: { renderMode: 'richText', confine: true, formatter: (given) => detailOf(given) },
      xAxis: {
        type: 'value',
        name: `◀ ${left}   |   ${right} ▶`,
        nameLocation: 'middle',
        nameGap: 26,
        nameTextStyle: { color: palette.text },
        axisLabel: {
          color: palette.mutedText,
          hideOverlap: true,
          formatter: (value: number) => formatNumber(Math.abs(value), language, 0),
        },
        splitLine: { lineStyle: { color: palette.line } },
      },
      yAxis: {
        type: 'category',
        data: names.map((name) => cutText(name, widthPx < 600 ? 12 : 30)),
        inverse: true,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: palette.mutedText } },
        axisLabel: { color: palette.text, interval: 0, margin: 8 },
        position: 'left',
      },
      series: seriesOf(bars, names, context),
    },
  };
}

/** A series a polarity and side; both sides of a polarity share a name, and so their place in the legend. */
function seriesOf(
  bars: readonly SidedBar[],
  names: readonly string[],
  { palette, language }: DrawContext,
): BarSeriesOption[] {
  const longest = Math.max(0, ...bars.map(({ count }) => count));
  const found = order.filter((polarity) => bars.some((bar) => bar.polarity === polarity));
  return found.flatMap((polarity) =>
    (['left', 'right'] as const).map((side): BarSeriesOption => {
      const color = colourOf(polarity, palette);
      const own = bars.filter((bar) => bar.side === side && bar.polarity === polarity);
      return {
        type: 'bar',
        name: polarityWords[polarity][language],
        stack: 'all',
        barMaxWidth: 18,
        itemStyle: {
          color,
          borderColor: palette.background,
          borderWidth: 1,
          ...(polarity === 'negative' && { decal: stripes(palette) }),
        },
        color,
        label: { show: true, fontSize: 10, color: inkOn(color), backgroundColor: color, padding: [1, 3] },
        data: names.map((name) => {
          const bar = own.find((one) => one.name === name);
          if (bar === undefined) return { value: '-', name: '' };
          const count = formatNumber(bar.count, language, 0);
          const more = bar.details.length > mostDetails ? ['…'] : [];
          const details = [...bar.details.slice(0, mostDetails).map(plain), ...more];
          const head = `${plain(name)}, ${polarityWords[polarity][language]}: ${count}`;
          return {
            value: side === 'left' ? -bar.count : bar.count,
            name: [head, ...details].join('\n'),
            // A short bar has no room for its figure.
            label: { show: bar.count > longest * 0.08, formatter: `${signs[polarity]}${count}` },
          };
        }),
      };
    }),
  );
}

function colourOf(polarity: Polarity, palette: Palette): string {
  return polarity === 'positive'
    ? palette.good
    : polarity === 'negative'
      ? palette.bad
      : polarity === 'neutral'
        ? palette.neutral
        : palette.line;
}

function stripes(palette: Palette) {
  return {
    symbol: 'rect',
    color: palette.background,
    dashArrayX: [1, 0],
    dashArrayY: [1, 5],
    rotation: -0.8,
  };
}

function mostMentioned(bars: readonly SidedBar[]): string[] {
  const counts = new Map<string, number>();
  for (const { name, count } of bars) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts]
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([name]) => name);
}

function detailOf(given: unknown): string {
  return typeof given === 'object' && given !== null && 'name' in given ? String(given.name) : '';
}
