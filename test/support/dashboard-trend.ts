// The comparable points of the chart rank-trend, as a page holds them: date, method and score.
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';

export function trendOf(page: PageData | undefined): (string | null)[][] {
  const data = page?.charts['rank-trend'];
  return fieldsOf(data?.columns ?? [], data?.rows ?? [])
    .filter((row) => row.text('excluded_reason') === null)
    .map((row) => ['date', 'method', 'score'].map((name) => row.text(name)));
}
