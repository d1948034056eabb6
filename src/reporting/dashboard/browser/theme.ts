// Light or dark: as the system says, or as chosen. One set of colours for pages and charts.
import { darkPalette, lightPalette, type Palette } from '../charts/palette.ts';
import type { Theme } from '../page/page-state.ts';

const dark = () => matchMedia('(prefers-color-scheme: dark)');

export function paletteOf(theme: Theme): Palette {
  return theme === 'dark' || (theme === 'system' && dark().matches) ? darkPalette : lightPalette;
}

export function onSystemTheme(changed: () => void): void {
  dark().addEventListener('change', changed);
}

/** Gives the style sheet its colours. */
export function showPalette(palette: Palette): void {
  const root = document.documentElement;
  root.dataset['theme'] = palette.isDark ? 'dark' : 'light';
  for (const name of ['background', 'text', 'mutedText', 'line', 'good', 'bad', 'neutral'] as const) {
    root.style.setProperty(`--${name}`, palette[name]);
  }
  root.style.setProperty('--accent', palette.series[0] ?? palette.text);
  root.style.colorScheme = palette.isDark ? 'dark' : 'light';
}
