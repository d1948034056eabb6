// Which fields a chart lacks because nobody knows where they are in the data.
import type { Readiness } from '../../warehouse/reports/view-readiness.ts';
import type { Chart } from '../charts/chart.ts';

/** @param statement of the chart: only columns that it names count. @returns logical fields, as `rank_now.score` */
export function unmappedFields(
  chart: Pick<Chart, 'views'>,
  statement: string,
  readiness: Readiness | undefined,
): readonly string[] {
  if (readiness === undefined) return [];
  const views = readiness.views.filter(({ view }) => chart.views.includes(view));
  const fields = views.flatMap(({ gaps }) =>
    gaps
      .filter(({ column, reads }) => reads === 'nothing' && isNamed(column, statement))
      .flatMap((gap) => gap.fields),
  );
  return [...new Set(fields)];
}

/** `(rows)`: the view has none at all, whatever is read of it. */
function isNamed(column: string, statement: string): boolean {
  return column === '(rows)' || new RegExp(`\\b${column}\\b`).test(statement);
}
