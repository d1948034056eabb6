// Colours of the charts, for light and dark. Those of series are told apart by colour-blind people too
// (Okabe and Ito), and no meaning is by colour alone.

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
