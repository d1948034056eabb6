// Colours of the charts, for light and dark. Those of series are told apart by colour-blind people too
// (Okabe and Ito), and no meaning is by colour alone.
import type { BarSeriesOption } from 'echarts';

/** Patterns on areas, so that series are told apart without colour. */
type Decal = Exclude<NonNullable<NonNullable<BarSeriesOption['itemStyle']>['decal']>, 'none'>;

const patterns: readonly (Decal | undefined)[] = [
  undefined,
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  {
    symbol: 'circle',
    symbolSize: 0.7,
    dashArrayX: [
      [8, 8],
      [0, 8, 8, 0],
    ],
    dashArrayY: [6, 0],
  },
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [4, 3], rotation: 0 },
];

/** For `itemStyle`; the first series has none. */
export function decalOf(place: number, { background }: Palette): { decal?: Decal } {
  const pattern = patterns[place % patterns.length];
  return pattern === undefined ? {} : { decal: { ...pattern, color: `${background}88` } };
}

/** Colours between low and high, and the colour of a text on them. */
type Rgb = readonly [red: number, green: number, blue: number];

/** @param share from 0 to 1, 0 the low end */
export function scaleColour({ scale }: Palette, share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const low = rgbOf(scale[Math.floor(place)] ?? '#000000');
  const high = rgbOf(scale[Math.ceil(place)] ?? '#000000');
  const mixed = low.map((from, part) => Math.round(from + ((high[part] ?? from) - from) * (place % 1)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Black or white, whichever can be read on it. */
export function inkOn(colour: string): string {
  const [red, green, blue] = rgbOf(colour);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

function linear(part: number): number {
  return part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
}

function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

export interface Palette {
  readonly isDark: boolean;
  readonly background: string;
  readonly text: string;
  /** Axis labels, notes. */
  readonly mutedText: string;
  /** Grid lines, borders. */
  readonly line: string;
  readonly good: string;
  readonly bad: string;
  readonly neutral: string;
  /** In the order in which series take them. */
  readonly series: readonly string[];
  /** From low to high, for heatmaps. */
  readonly scale: readonly string[];
}

export const lightPalette: Palette = {
  isDark: false,
  background: '#ffffff',
  text: '#1b1f24',
  mutedText: '#57606a',
  line: '#d0d7de',
  good: '#00694e',
  bad: '#b34700',
  neutral: '#57606a',
  series: ['#0072b2', '#b34700', '#007a5a', '#a3447a', '#8a6d00', '#2f8fc4', '#4d4d4d', '#7a5195'],
  scale: ['#f1eef6', '#bdc9e1', '#74a9cf', '#2b8cbe', '#045a8d'],
};

export const darkPalette: Palette = {
  isDark: true,
  background: '#14181d',
  text: '#e6edf3',
  mutedText: '#9da7b1',
  line: '#363d46',
  good: '#3fc79a',
  bad: '#ff9d5c',
  neutral: '#9da7b1',
  series: ['#56b4e9', '#e69f00', '#3fc79a', '#e48cc0', '#f0e442', '#8ab4d8', '#c9d1d9', '#b79bd9'],
  scale: ['#1c2733', '#1f4a6b', '#2a74a5', '#56a5d8', '#b9def5'],
};
