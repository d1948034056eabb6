// Figures of a chart as CSV (RFC 4180), every digit as Postgres wrote it, and no text that a spreadsheet would run.
import type { Column, Language, Row } from '../charts/chart.ts';

const number = /^[+-]?\d+(\.\d+)?$/;

/** A text that a spreadsheet takes for a formula gets a mark in front. NULL is empty, an empty text is quoted. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const safe = /^[=+\-@\t\r]/.test(value) && !number.test(value) ? `'${value}` : value;
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(columns: readonly Column[], rows: readonly Row[], language: Language): string {
  const lines = [columns.map(({ label }) => label[language]), ...rows];
  // Excel reads UTF-8 only after this mark.
  return `\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`;
}
