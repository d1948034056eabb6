// Figures of a chart as CSV (RFC 4180), every digit as Postgres wrote it, and no text that a spreadsheet would run.
import type { Language, Row } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';

const number = /^[+-]?\d+(\.\d+)?$/;

/** Where a formula may begin: at the start, and where a spreadsheet that splits elsewhere begins a cell or a line. */
const formula = /(^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * A text that a spreadsheet takes for a formula gets a mark in front, also within it: one in Spanish splits at `;`, and
 * then takes neither quotes nor line breaks for what they are here. NULL is empty, an empty text is quoted.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  if (number.test(value)) return value;
  const safe = value.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
  return safe === '' || /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(columns: readonly string[], rows: readonly Row[], language: Language): string {
  const lines = [columns.map((name) => columnOf(name).label[language]), ...rows];
  // Excel reads UTF-8 only after this mark.
  return `\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`;
}
