// The comparable points of the chart rank-trend, as a page holds them: date, method and score.
import { rankTrend } from '../../src/reporting/dashboard/charts/rank-trend.ts';
import { cellsOf } from '../../src/reporting/dashboard/charts/values.ts';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';

export function trendOf(page: PageData | undefined): (string | null)[][] {
  const cells = cellsOf(rankTrend.columns);
  const rows = page?.charts[rankTrend.name]?.rows ?? [];
  return rows
    .filter((row) => cells.text(row, 'excluded_reason') === null)
    .map((row) => ['date', 'method', 'score'].map((name) => cells.text(row, name)));
}
