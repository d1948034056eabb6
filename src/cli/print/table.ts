// Plain text tables that fit their terminal: columns as wide as their widest cell where there is room, numbers
// to the right. Where there is not, columns give way by importance, and no word is cut.
import { count } from '../../core/text.ts';
import { textWidth, wordsOf, wrap } from './words.ts';

/**
 * Widths of a column. Where there is no room for all columns, prose gives way first, down to a width that
 * still reads well; then columns that may be left out go; then everything breaks at blanks.
 */
interface ColumnShape {
  /** Width of the widest cell. */
  readonly natural: number;
  /** Width of the longest word. */
  readonly least: number;
  /** Prose: breaks at blanks before a column is left out. */
  readonly wraps: boolean;
}

interface Fit {
  /** Undefined: the column is left out. */
  readonly widths: readonly (number | undefined)[];
}

/** The width below which prose is not narrowed while other columns can still go. */
const readable = 18;
const gap = 2;

/**
 * @param leavable columns that may be left out, the first one first
 * @returns undefined where nothing fits
 */
function fitColumns(
  columns: readonly ColumnShape[],
  leavable: readonly (readonly number[])[],
  room: number,
): Fit | undefined {
  const out = new Set<number>();
  for (let gone = 0; gone <= leavable.length; gone += 1) {
    for (const column of leavable[gone - 1] ?? []) out.add(column);
    const fit = shrink(columns, out, room, (column) =>
      column.wraps ? Math.max(column.least, Math.min(column.natural, readable)) : column.natural,
    );
    if (fit !== undefined) return fit;
  }
  return shrink(columns, out, room, ({ least }) => least);
}

/** Takes from the widest column that can give, one by one. */
function shrink(
  columns: readonly ColumnShape[],
  out: ReadonlySet<number>,
  room: number,
  leastOf: (column: ColumnShape) => number,
): Fit | undefined {
  const widths = columns.map(({ natural }, index) => (out.has(index) ? undefined : natural));
  const left = widths.filter((width) => width !== undefined).length;
  for (;;) {
    const total = widths.reduce<number>((sum, width) => sum + (width ?? 0), gap * Math.max(left - 1, 0));
    if (total <= room) return { widths };
    let widest: number | undefined;
    columns.forEach((column, index) => {
      const width = widths[index];
      if (width === undefined || width <= leastOf(column)) return;
      if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
    });
    if (widest === undefined) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

export type Cell = string | number;

interface TableOptions {
  /** Columns of the terminal; infinite for pipes and files. */
  readonly width: number;
  readonly indent?: string;
  /** Titles of columns of prose, which break at blanks first. */
  readonly wraps?: readonly string[];
  /** Titles of columns that are left out where there is no room for them, the first one first. */
  readonly yields?: readonly string[];
  /** False: no row is a header. */
  readonly head?: false;
  /** False: cells are data, and never broken at blanks. */
  readonly breaks?: false;
  /** Colours a line; `row` counts from the header, which is 0. */
  readonly paint?: (line: string, row: number) => string;
}

/** Lines of a table; the first row is the header. Numbers and percentages are aligned right, numbers are grouped. */
export function table(rows: readonly (readonly Cell[])[], options: TableOptions): string[] {
  const { width, indent = '', wraps = [], yields = [], breaks = true, paint = (line) => line } = options;
  const hasHead = options.head !== false;
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)));
  const titles = hasHead ? (texts[0] ?? []) : [];
  const columns = (texts[0] ?? []).map((_, column): ColumnShape => {
    const cells = texts.map((row) => row[column] ?? '');
    const natural = Math.max(...cells.map(textWidth));
    const least = breaks ? Math.max(...cells.map(longestWord)) : natural;
    return { natural, least, wraps: breaks && wraps.includes(titles[column] ?? '') };
  });
  const leavable = yields.map((title) => titles.flatMap((one, column) => (one === title ? [column] : [])));
  const fit = fitColumns(columns, leavable, width - indent.length);
  if (fit === undefined) return blocks(texts, options);
  const body = rows.slice(hasHead ? 1 : 0);
  const right = columns.map((_, column) => body.some((row) => isNumber(row[column])));
  const lines = texts.flatMap((row, index) =>
    rowLines(row, fit.widths, right).map((line) => paint(`${indent}${line}`.trimEnd(), index)),
  );
  // A title may itself have a comma: `since, UTC`.
  const out = titles.flatMap((title, column) =>
    fit.widths[column] === undefined ? [title.replace(/, .*/, '')] : [],
  );
  if (out.length === 0) return lines;
  const text = `Not shown in ${width} columns: ${[...new Set(out)].join(', ')}. A wider terminal or a pipe shows all.`;
  return [...lines, ...wrap(text, width, indent)];
}

/** Also `45 %`. */
function isNumber(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || /^\d+ %$/.test(cell ?? '');
}

/** One row, on as many lines as its cells take. */
function rowLines(
  row: readonly string[],
  widths: readonly (number | undefined)[],
  right: readonly boolean[],
): string[] {
  const cells = widths.flatMap((width, column) => {
    if (width === undefined) return [];
    const text = row[column] ?? '';
    return [
      {
        width,
        isRight: right[column] === true,
        lines: textWidth(text) <= width ? [text] : broken(text, width),
      },
    ];
  });
  const height = Math.max(...cells.map(({ lines }) => lines.length), 1);
  return Array.from({ length: height }, (_, line) =>
    cells
      .map(({ width, isRight, lines }) => {
        const text = lines[line] ?? '';
        const gap = ' '.repeat(Math.max(width - textWidth(text), 0));
        return isRight ? gap + text : text + gap;
      })
      .join('  '),
  );
}

function broken(text: string, width: number): string[] {
  return wrap(text, width, leadOf(text));
}

const leadOf = (text: string) => /^\s*/.exec(text)?.[0] ?? '';

function longestWord(text: string): number {
  return leadOf(text).length + Math.max(0, ...wordsOf(text).map(textWidth));
}

/** Renders a row as several lines, for terminals too narrow for columns; nothing is left out. */
function blocks(texts: readonly (readonly string[])[], options: TableOptions): string[] {
  const { width, indent = '', paint = (line) => line } = options;
  const hasHead = options.head !== false;
  const [titles = []] = hasHead ? texts : [];
  return texts.flatMap((row, index) => {
    if (hasHead && index === 0) return [];
    const [first = '', ...rest] = row;
    const below = hasHead
      ? rest.flatMap((text, column) =>
          text === '' ? [] : wrap(text, width, `${indent}  ${titles[column + 1] ?? ''}: `),
        )
      : wrap(rest.filter((text) => text !== '').join('  '), width, `${indent}  ${leadOf(first)}`);
    return [`${indent}${first}`, ...below].map((line) => paint(line.trimEnd(), index));
  });
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
