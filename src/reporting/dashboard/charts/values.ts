// Reads values of rows by the names of their columns.
import type { Column, Row } from './chart.ts';

export interface Cells {
  text(row: Row, name: string): string | null;
  /** For pictures and sorting; what people read is the text. Null: no value, or no number. */
  number(row: Row, name: string): number | null;
  flag(row: Row, name: string): boolean | null;
}

/** @throws Error where a column is read that the chart does not have: a fault of the chart, and no one of the data */
export function cellsOf(columns: readonly Column[]): Cells {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  const text = (row: Row, name: string): string | null => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`The chart has no column ${name}`);
    return row[place] ?? null;
  };
  return {
    text,
    number(row, name) {
      const value = text(row, name);
      const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : null;
    },
    flag(row, name) {
      const value = text(row, name);
      return value === null ? null : value === 'true' || value === 't';
    },
  };
}
