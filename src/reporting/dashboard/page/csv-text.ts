// Writes a chart's figures as CSV (RFC 4180): every digit as Postgres wrote it, and no text that a spreadsheet would
// run.

import { spreadsheetCell } from '../../../core/csv.ts';
import type { Language, Row } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { fill } from '../charts/format.ts';

const number = /^[+-]?\d+(\.\d+)?$/;

/** Leaves figures as they are, and makes any other text safe for a spreadsheet. */
export function chartCell(value: string | null): string {
  return value !== null && number.test(value) ? value : spreadsheetCell(value);
}

export function csvText(columns: readonly string[], rows: readonly Row[], language: Language): string {
  const lines = [columns.map((name) => fill(columnOf(name).label, language)), ...rows];
  // Excel reads UTF-8 only after this mark.
  return `\uFEFF${lines.map((line) => `${line.map(chartCell).join(',')}\r\n`).join('')}`;
}
