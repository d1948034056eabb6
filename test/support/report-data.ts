// Makes a report with nothing in it, for tests that fill in some.
import type { ChartData } from '../../src/reporting/dashboard/charts/chart.ts';
import type { ReportData } from '../../src/reporting/report/read-report.ts';

type Rows = readonly Readonly<Record<string, string | null>>[];

/** Rows by the names of their columns, of charts by their names. */
export function reportData(
  some: Partial<Pick<ReportData, 'markers'>> & {
    readonly actions?: Rows;
    readonly experiments?: Rows;
    readonly charts?: Partial<Record<keyof ReportData['charts'], Rows>>;
  } = {},
): ReportData {
  const of = (name: keyof ReportData['charts']) => dataOf(some.charts?.[name] ?? []);
  const dataOf = (all: Rows): ChartData => {
    const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
    const rows = all.map((row) => columns.map((column) => row[column] ?? null));
    return { columns, rows, views: [], asOf: null, state: 'ready', missing: [], gaps: {} };
  };
  return {
    markers: some.markers ?? [],
    actions: dataOf(some.actions ?? []),
    experiments: dataOf(some.experiments ?? []),
    charts: {
      standing: of('standing'),
      'rank-trend': of('rank-trend'),
      'mention-rate': of('mention-rate'),
      voice: of('voice'),
      'rank-dimensions': of('rank-dimensions'),
      'changed-pages': of('changed-pages'),
    },
  };
}

export function actionWith(some: Rows[number] = {}): Rows[number] {
  const done = { status: 'hecha', is_new: 't', status_since_date: '2026-10-10', priority: '1' };
  return { title: 'Publish a guide', ...done, ...some };
}
