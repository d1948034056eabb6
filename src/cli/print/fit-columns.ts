// How wide the columns of a table are where not all of them have room: prose gives way first, down to a
// width that still reads well, then the columns that may be left out go, then everything breaks at blanks.

export interface ColumnShape {
  /** Of its widest cell. */
  readonly natural: number;
  /** Of its longest word. */
  readonly least: number;
  /** Prose: breaks at blanks before a column is left out. */
  readonly wraps: boolean;
}

export interface Fit {
  /** Undefined: the column is left out. */
  readonly widths: readonly (number | undefined)[];
}

/** What prose is not narrowed below while other columns can go. */
const readable = 18;
const gap = 2;

/**
 * @param leavable columns that may be left out, the first one first
 * @returns undefined where nothing fits
 */
export function fitColumns(
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
