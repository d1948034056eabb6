// Of which date the rows of a chart are: told by the rows themselves, so data that stopped coming never looks newer.
import type { Chart, Row } from '../charts/chart.ts';
import { newestDay } from '../charts/newest-day.ts';
import { cellsOf } from '../charts/values.ts';

/** `2026-04-03`; null: no row tells it. */
export function dataDate(chart: Chart, rows: readonly Row[]): string | null {
  if (chart.asOf !== undefined) return chart.asOf(rows);
  const { columns, dateColumn } = chart;
  const name = columns.some((column) => column.name === 'run_date') ? 'run_date' : dateColumn;
  if (name === undefined) return null;
  const cells = cellsOf(columns);
  return newestDay(rows.map((row) => cells.text(row, name)));
}
