// Results of SQL as a table or as CSV, for machines without psql.

import { plural } from '../../core/plural.ts';
import type { SqlResult } from '../../export/run-sql.ts';
import { table } from './table.ts';

/** A result, much as psql shows it: rows that are wider than the terminal are a line a column. */
export function resultText(result: SqlResult, width: number): string {
  if (result.columns.length === 0) return `${result.tag}\n`;
  // A value may span lines; a cell may not.
  const rows = result.rows.map((row) => row.map((value) => (value ?? '').replace(/\r?\n/g, '⏎')));
  return `${table([result.columns, ...rows], { width, breaks: false }).join('\n')}\n(${plural(rows.length, 'row')})\n`;
}

/** RFC 4180; null is empty, and an empty text is quoted, as psql does it. */
export function resultCsv(result: SqlResult): string {
  if (result.columns.length === 0) return '';
  const lines = [result.columns, ...result.rows].map((row) => row.map(csvCell).join(','));
  return `${lines.join('\n')}\n`;
}

function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
