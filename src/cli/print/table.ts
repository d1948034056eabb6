// Plain text tables: columns as wide as their widest cell, numbers to the right.
import { count } from '../../core/plural.ts';

export type Cell = string | number;

/** Lines of a table; the first row is the header. Numbers are aligned right and grouped. */
export function table(rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => width(row[column] ?? ''))),
  );
  const right = widths.map((_, column) => rows.slice(1).some((row) => typeof row[column] === 'number'));
  return texts.map((row) =>
    row
      .map((text, column) => {
        const gap = ' '.repeat(Math.max((widths[column] ?? 0) - width(text), 0));
        return right[column] ? gap + text : text + gap;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Characters, not UTF-16 units: names of clients may hold emoji. */
function width(text: string): number {
  return [...text].length;
}

/** 95 as `1m 35s`; at most two units. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** 1234567 as `1.2 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
