// The dashboard that comes with the datasets for Superset: eight charts, each by a saved measure.
import { type Measure, measuresOf } from '../db/code/measures.ts';
import type { DescribedView } from '../publish/views/list-views.ts';

interface ChartOf {
  readonly name: string;
  readonly view: string;
  readonly measure: string;
  /** The axis: a date with the time that a point is of, or a column whose values are told apart. */
  readonly axis: string;
  readonly grain?: 'P1D' | 'P1W' | 'P1M';
  /** Column of the lines or colours. */
  readonly by?: string;
  /** Limits the chart to this many bars, the longest first. */
  readonly most?: number;
}

const charts: readonly ChartOf[] = [
  { name: 'AI Rank of all clients', view: 'rank_daily', measure: 'score', axis: 'date', grain: 'P1D' },
  { name: 'AI Rank by client', view: 'rank_latest', measure: 'score', axis: 'client_name' },
  { name: 'Change in 28 days by client', view: 'rank_latest', measure: 'change_28d', axis: 'client_name' },
  {
    name: 'Share of answers that name the brand, by engine and week',
    ...{ view: 'mention_rates', measure: 'mention_rate', axis: 'week_date', grain: 'P1W', by: 'engine' },
  },
  { name: 'Citations by domain', view: 'sources', measure: 'citation_count', axis: 'domain', most: 15 },
  { name: 'Visits of bots', view: 'crawl_health', measure: 'visit_count', axis: 'bot' },
  {
    name: 'Revenue by month and currency',
    view: 'revenue_by_period',
    ...{ measure: 'revenue_amount', axis: 'period_start_date', grain: 'P1M', by: 'currency_code' },
  },
  {
    name: 'Share of routes that are up to date',
    view: 'freshness',
    measure: 'is_fresh',
    axis: 'client_name',
  },
];

/** Functions that make an identifier or format for each thing. */
interface Made {
  readonly uuidOf: (name: string) => string;
  readonly datasetOf: (view: string) => string;
  readonly formatOf: (measure: Measure) => string;
}

/** Files by path, as JSON values. A chart whose columns are not in the views is left out. */
export function supersetDashboard(
  views: readonly DescribedView[],
  { uuidOf, datasetOf, formatOf }: Made,
): readonly (readonly [path: string, value: object])[] {
  const drawn = charts.flatMap((chart) => {
    const view = views.find(({ schema, name }) => schema === 'bi' && name === chart.view);
    const measure = view && measuresOf(view).find(({ column }) => column === chart.measure);
    const has = (column: string | undefined) =>
      column === undefined || view?.columns.some(({ name }) => name === column);
    if (measure === undefined || !has(chart.axis) || !has(chart.by)) return [];
    return [{ ...chart, measure, uuid: uuidOf(`chart ${chart.name}`) }];
  });
  const rows = drawn.flatMap((_, place) => (place % 2 === 0 ? [drawn.slice(place, place + 2)] : []));
  const rowIds = rows.map((_, place) => `ROW-${place + 1}`);
  const parents = ['ROOT_ID', 'GRID_ID'];
  const position = {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', parents: ['ROOT_ID'], children: rowIds },
    HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'AI Rank' } },
    ...Object.fromEntries(
      rows.flatMap((row, place) => {
        const id = `ROW-${place + 1}`;
        const cells = row.map(({ uuid, name }) => ({
          id: `CHART-${uuid.slice(0, 8)}`,
          type: 'CHART',
          children: [],
          parents: [...parents, id],
          // Superset gives its own number to each.
          meta: {
            uuid,
            sliceName: name,
            chartId: drawn.findIndex((one) => one.uuid === uuid) + 1,
            width: 6,
            height: 50,
          },
        }));
        const meta = { background: 'BACKGROUND_TRANSPARENT' };
        const all = [{ id, type: 'ROW', parents, meta, children: cells.map((cell) => cell.id) }, ...cells];
        return all.map((one) => [one.id, one]);
      }),
    ),
  };
  const dashboard = {
    dashboard_title: 'AI Rank',
    description: null,
    css: '',
    slug: null,
    uuid: uuidOf('dashboard'),
    position,
    metadata: {},
    version: '1.0.0',
  };
  return [
    ...drawn.map(({ name, view, measure, axis, grain, by, most, uuid }): [string, object] => {
      const groups = by === undefined ? [] : [by];
      const shown = {
        viz_type: grain === undefined ? 'echarts_timeseries_bar' : 'echarts_timeseries_line',
        x_axis: axis,
        ...(grain === undefined
          ? { x_axis_sort: measure.name, x_axis_sort_asc: false }
          : { time_grain_sqla: grain }),
        metrics: [measure.name],
        groupby: groups,
        adhoc_filters: [],
        row_limit: most ?? 10_000,
        y_axis_format: formatOf(measure),
        rich_tooltip: true,
        show_legend: by !== undefined,
      };
      const x = {
        ...{ columnType: 'BASE_AXIS', expressionType: 'SQL', label: axis, sqlExpression: axis },
        ...(grain !== undefined && { timeGrain: grain }),
      };
      const query = {
        columns: [x, ...groups],
        metrics: [measure.name],
        filters: [],
        orderby: [[measure.name, false]],
        row_limit: shown.row_limit,
        extras: grain === undefined ? {} : { time_grain_sqla: grain },
      };
      const chart = {
        slice_name: name,
        description: measure.about,
        viz_type: shown.viz_type,
        params: shown,
        query_context: JSON.stringify({
          ...{ datasource: { id: 0, type: 'table' }, force: false, queries: [query], form_data: shown },
          ...{ result_format: 'json', result_type: 'full' },
        }),
        cache_timeout: null,
        uuid,
        version: '1.0.0',
        dataset_uuid: datasetOf(`bi.${view}`),
      };
      return [`charts/${uuid}.yaml`, chart];
    }),
    ['dashboards/airank.yaml', dashboard],
  ];
}
