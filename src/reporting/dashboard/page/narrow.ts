// Keeps the chart's own rows, and of these the ones in a period by its date column. Rows of a chart without one are as
// of now, and all stay.
import type { Chart, ChartData, Period, Row } from '../charts/chart.ts';
import { addDays } from '../charts/dates.ts';
import { fieldsOf } from '../charts/tell.ts';

/** Leaves out rows with an unknown date; a week counts by its last day. */
export function narrow(
  { dateColumn, keep }: Pick<Chart, 'dateColumn' | 'keep'>,
  { columns, rows: all }: Pick<ChartData, 'columns' | 'rows'>,
  { from, to }: Period,
): readonly Row[] {
  const told = keep === undefined ? [] : fieldsOf(columns, all);
  const rows = all.filter((_, place) => {
    const row = told[place];
    return row === undefined || keep === undefined || keep(row, told);
  });
  if (dateColumn === undefined) return rows;
  const place = columns.indexOf(dateColumn);
  const first = dateColumn === 'week_date' ? addDays(from, -6) : from;
  return rows.filter((row) => {
    // A moment counts by its day.
    const day = row[place]?.slice(0, 10);
    return day !== undefined && day >= first && day <= to;
  });
}
