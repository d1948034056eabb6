// Figures of a chart as CSV (RFC 4180), every digit as Postgres wrote it, and no text that a spreadsheet would run.
import { withoutFormula } from '../../../core/spreadsheet.ts';
import type { Language, Row } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';

const number = /^[+-]?\d+(\.\d+)?$/;

/** NULL is empty, an empty text is quoted. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  if (number.test(value)) return value;
  const safe = withoutFormula(value);
  return safe === '' || /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(columns: readonly string[], rows: readonly Row[], language: Language): string {
  const lines = [columns.map((name) => columnOf(name).label[language]), ...rows];
  // Excel reads UTF-8 only after this mark.
  return `\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`;
}
