// How the methods of the AI Rank look wherever they are drawn: v2 solid, v1 dashed, each in its own colour.
import type { Palette } from './palette.ts';

const known = ['v2', 'v1'];

/** The newest method first, an unknown one last. */
export function inMethodOrder(methods: Iterable<string>): string[] {
  return [...new Set(methods)].sort((one, other) => (one < other ? 1 : -1));
}

export function methodStyle(
  method: string,
  palette: Palette,
): { color: string; lineType: 'solid' | 'dashed' | 'dotted' } {
  const place = known.indexOf(method);
  const color = palette.series[place < 0 ? known.length : place] ?? palette.text;
  return { color, lineType: (['solid', 'dashed'] as const)[place] ?? 'dotted' };
}
