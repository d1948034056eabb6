// Rows by their metric: values of different metrics never stand on one axis.
import type { Row } from './chart.ts';
import { cutText } from './cut-text.ts';

export interface Metric {
  readonly caption: string;
  readonly rows: readonly Row[];
}

/** In the order of the rows. */
export function metricsOf(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
  /** Where the name is not there. */
  none: string,
): readonly Metric[] {
  return [...new Set(rows.map(nameOf))].map((name) => ({
    caption: cutText(name ?? none, 60),
    rows: rows.filter((row) => nameOf(row) === name),
  }));
}
