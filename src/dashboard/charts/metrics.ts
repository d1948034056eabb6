// Rows by their metric: values of different metrics never stand on one axis.
import type { Language, Row } from './chart.ts';
import { cutText } from './cut-text.ts';

export interface Metric {
  readonly caption: string;
  readonly rows: readonly Row[];
}

/** In the order of the rows. */
export function metricsOf(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
  language: Language,
): readonly Metric[] {
  return [...new Set(rows.map(nameOf))].map((name) => ({
    caption: cutText(name ?? { en: 'metric not stated', es: 'métrica sin indicar' }[language], 60),
    rows: rows.filter((row) => nameOf(row) === name),
  }));
}
