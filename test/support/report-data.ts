// What a report shows with nothing in it, for tests that fill in some.
import type { ChartData } from '../../src/reporting/dashboard/charts/chart.ts';
import type { Action, ReportData } from '../../src/reporting/report/read-report.ts';

type Rows = readonly Readonly<Record<string, string | null>>[];

/** Rows by the names of their columns, of charts by their names. */
export function reportData(
  some: Partial<Omit<ReportData, 'charts'>> & {
    readonly charts?: Partial<Record<keyof ReportData['charts'], Rows>>;
  } = {},
): ReportData {
  const of = (name: keyof ReportData['charts']): ChartData => {
    const all = some.charts?.[name] ?? [];
    const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
    const rows = all.map((row) => columns.map((column) => row[column] ?? null));
    return { columns, rows, views: [], asOf: null, state: 'ready', missing: [], gaps: {} };
  };
  return {
    markers: [],
    actions: [],
    experiments: [],
    ...some,
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

export function actionWith(some: Partial<Action>): Action {
  return {
    title: 'Publish a guide',
    status: 'hecha',
    meaning: 'done',
    since: '2026-10-10',
    hasChanged: true,
    priority: '1',
    postponedUntil: null,
    metric: '',
    expectedFrom: null,
    expectedTo: null,
    observed: null,
    reading: '',
    readOn: null,
    ...some,
  };
}
