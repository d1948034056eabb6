// Colours of the pages, for light and dark. Those of series are told apart by colour-blind people too (Okabe and Ito), and
// no meaning is by colour alone.

type Rgb = readonly [red: number, green: number, blue: number];

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
  readonly background: string;
  readonly text: string;
  /** Axis labels, notes. */
  readonly mutedText: string;
  /** Grid lines, borders. */
  readonly line: string;
  /** A rise of what is good. Never orange, which is that of a fall. */
  readonly good: string;
  readonly bad: string;
  /** Of series beyond those that have a colour, and of bars of others. */
  readonly rest: string;
  /** In the order in which series take them; the first one is the accent. */
  readonly series: readonly string[];
  /** From low to high, for the cells of a matrix. */
  readonly scale: readonly string[];
}

export const lightPalette: Palette = {
  background: '#ffffff',
  text: '#1b1f24',
  mutedText: '#57606a',
  line: '#d0d7de',
  good: '#00694e',
  bad: '#b34700',
  rest: '#a0a8b1',
  series: ['#0072b2', '#b34700', '#007a5a', '#a3447a', '#8a6d00', '#4d4d4d'],
  scale: ['#f1eef6', '#bdc9e1', '#74a9cf', '#2b8cbe', '#045a8d'],
};

export const darkPalette: Palette = {
  background: '#14181d',
  text: '#e6edf3',
  mutedText: '#9da7b1',
  line: '#363d46',
  good: '#3fc79a',
  bad: '#ff9d5c',
  rest: '#646e79',
  series: ['#56b4e9', '#e69f00', '#3fc79a', '#e48cc0', '#f0e442', '#c9d1d9'],
  scale: ['#1c2733', '#1f4a6b', '#2a74a5', '#56a5d8', '#b9def5'],
};
