// Plain text tables: columns as wide as their widest cell, numbers to the right. If they do not fit, columns that may
// go are left out, then prose breaks between words.
import { count } from '../../core/text.ts';
import { type Colors, fold, textWidth, wordsOf } from './text.ts';

/** The width below which prose is not narrowed while other columns can still go. */
const readable = 18;
const gap = 2;

export type Cell = string | number;

interface TableOptions {
  /** Columns of the terminal; infinite for pipes and files. */
  readonly width: number;
  readonly indent?: string;
  /** Prose columns by title; without a header by number, from 0. */
  readonly wraps?: readonly string[];
  /** Columns to leave out if they do not fit, the first one first. */
  readonly yields?: readonly string[];
  /** False: no row is a header. */
  readonly head?: false;
  /** Colours a line; `row` counts from the header, which is 0. */
  readonly paint?: (line: string, row: number) => string;
}

export const dimHead = (colors: Colors) => (line: string, row: number) =>
  row === 0 ? colors.dim(line) : line;

/** Lines of a table; the first row is the header. Numbers and percentages are aligned right, numbers are grouped. */
export function table(rows: readonly (readonly Cell[])[], options: TableOptions): string[] {
  const { width, indent = '', wraps = [], yields = [], paint = (line) => line } = options;
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)));
  const hasHead = options.head !== false;
  const titles = (texts[0] ?? []).map((title, index) => (hasHead ? title : String(index)));
  const body = rows.slice(hasHead ? 1 : 0);
  let columns = (texts[0] ?? []).map((_, index) => {
    const cells = texts.map((row) => row[index] ?? '');
    const natural = Math.max(...cells.map(textWidth));
    const isProse = wraps.includes(titles[index] ?? '');
    const least = Math.max(Math.min(natural, readable), ...cells.flatMap(wordsOf).map(textWidth));
    return { index, width: natural, least: isProse ? least : natural, isRight: body.some(isNumberAt(index)) };
  });
  const tooWide = (which: 'width' | 'least') =>
    columns.reduce((sum, column) => sum + column[which] + gap, indent.length - gap) > width;
  for (const title of yields) {
    if (tooWide('least')) columns = columns.filter(({ index }) => titles[index] !== title);
  }
  while (tooWide('width')) {
    const giving = columns.filter((column) => column.width > column.least);
    const [widest] = giving.sort((a, b) => b.width - a.width);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return texts.flatMap((row, index) => {
    const cells = columns.map((column) => fold(row[column.index] ?? '', column.width, 0));
    const height = Math.max(...cells.map(({ length }) => length), 1);
    return Array.from({ length: height }, (_, line) => {
      const parts = columns.map((column, at) => {
        const text = cells[at]?.[line] ?? '';
        const blanks = ' '.repeat(Math.max(column.width - textWidth(text), 0));
        return column.isRight ? blanks + text : text + blanks;
      });
      return paint(`${indent}${parts.join(' '.repeat(gap))}`.trimEnd(), index);
    });
  });
}

/** `45 %` counts as a number. */
const isNumberAt = (index: number) => (row: readonly Cell[]) => {
  const cell = row[index];
  return typeof cell === 'number' || /^\d+ %$/.test(cell ?? '');
};
