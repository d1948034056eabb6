// Values beside their names, one below the other. A value that is too wide breaks at its blanks.
import { textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

export function namedLines(
  rows: readonly (readonly [name: string, value: string])[],
  { width, indent }: { readonly width: number; readonly indent: string },
): string[] {
  const widest = Math.max(...rows.map(([name]) => textWidth(name)), 0);
  return rows.flatMap(([name, value]) => {
    const gap = ' '.repeat(widest - textWidth(name) + 2);
    return wrap(value, width, `${indent}${name}${gap}`);
  });
}
