// Keeps the rows of a period, by the chart's date. Rows of a chart without one are as of now, and all stay.
import type { Chart, Period, Row } from '../charts/chart.ts';

/** A row whose date is not known belongs to no period. */
export function narrow(
  { columns, dateColumn }: Pick<Chart, 'columns' | 'dateColumn'>,
  rows: readonly Row[],
  periods: readonly Period[],
): readonly Row[] {
  if (dateColumn === undefined) return rows;
  const place = columns.findIndex(({ name }) => name === dateColumn);
  return rows.filter((row) => {
    // A moment is of its day.
    const day = row[place]?.slice(0, 10);
    return day !== undefined && periods.some(({ from, to }) => day >= from && day <= to);
  });
}
