import { describe, expect, it } from 'vitest';
import type { ViewSchema } from '../../src/db/code/catalogue.ts';
import { measuresOf } from '../../src/db/code/measures.ts';
import { supersetDatasets } from '../../src/export/views-files.ts';
import type { DescribedView } from '../../src/publish/views/list-views.ts';
import { unzip } from '../support/unzip.ts';

const sqlOf = (schema: string, ...columns: (string | [name: string, aggregates: string])[]) =>
  Object.fromEntries(
    measuresOf({
      schema,
      columns: columns.map((column) => {
        const [name = '', aggregates] = [column].flat();
        return { name, aggregates };
      }),
    }).map(({ name, sql }) => [name, sql]),
  );

describe('a measure', () => {
  it('follows from the name of its column', () => {
    expect(
      sqlOf(
        'bi',
        'visit_count',
        'error_rate',
        'score',
        'score_7d',
        'change_7d',
        'impact_points',
        'mean_response_ms',
      ),
    ).toEqual({
      sum_visit_count: 'sum(visit_count)',
      avg_error_rate: 'avg(error_rate)',
      avg_score: 'avg(score)',
      avg_score_7d: 'avg(score_7d)',
      avg_change_7d: 'avg(change_7d)',
      avg_impact_points: 'avg(impact_points)',
      avg_mean_response_ms: 'avg(mean_response_ms)',
    });
    expect(
      sqlOf('bi', 'client_id', 'run_date', 'domain', 'demand_value', 'priority_level', 'window_days'),
    ).toEqual({});
  });

  it('of a boolean is the share of those of which it is known', () => {
    expect(sqlOf('bi', 'is_mentioned')).toEqual({
      share_is_mentioned: 'avg(case when is_mentioned then 1.0 when not is_mentioned then 0.0 end)',
    });
  });

  it('of money is empty where currencies are together', () => {
    expect(sqlOf('bi', 'currency_code', 'revenue_amount')).toEqual({
      sum_revenue_amount: 'case when count(distinct currency_code) = 1 then sum(revenue_amount) end',
    });
  });

  it('of bi_history is there three times, of the rows that are the last ones', () => {
    const flags = { now: 'is_latest', week_end: 'is_week_end', month_end: 'is_month_end' };
    const each = (name: string, of: (filter: string) => string) =>
      Object.fromEntries(
        Object.entries(flags).map(([suffix, flag]) => [`${name}_${suffix}`, of(`filter (where ${flag})`)]),
      );
    expect(sqlOf('bi_history', 'is_latest', 'visit_count', 'score', ['new_count', 'each date'])).toEqual({
      ...each('sum_visit_count', (filter) => `sum(visit_count) ${filter}`),
      ...each('avg_score', (filter) => `avg(score) ${filter}`),
      sum_new_count: 'sum(new_count)',
    });
    expect(sqlOf('bi_history', 'currency_code', 'price_amount')).toEqual(
      each(
        'sum_price_amount',
        (filter) =>
          `case when count(distinct currency_code) ${filter} = 1 then sum(price_amount) ${filter} end`,
      ),
    );
  });

  it('over a window is of that window, and says it first; of several there is none', () => {
    const of = (windows: readonly (number | null)[]) =>
      measuresOf({ schema: 'bi', windows, columns: [{ name: 'visit_count' }, { name: 'window_days' }] });
    expect(of([7])).toMatchObject([
      {
        name: 'sum_visit_count_7_days',
        label: 'Visit count of 7 days',
        about: 'Of 7 days. Adds up.',
        sql: 'sum(visit_count) filter (where window_days = 7)',
      },
    ]);
    expect(of([null])).toMatchObject([{ name: 'sum_visit_count', sql: 'sum(visit_count)' }]);
    expect(of([7, 28])).toEqual([]);
    expect(of([7, null])).toEqual([]);
  });

  it('of what a run date says of a period is empty where several are together', () => {
    const money = ['revenue_amount', 'currency_code', 'period_start_date', 'window_days'];
    expect(sqlOf('bi', ...money, 'run_date')).toEqual({
      sum_revenue_amount:
        'case when count(distinct currency_code) = 1 then case when count(distinct period_start_date) <= 1 then sum(revenue_amount) end end',
    });
    expect(sqlOf('bi', ...money)).toEqual({
      sum_revenue_amount: 'case when count(distinct currency_code) = 1 then sum(revenue_amount) end',
    });
  });

  it('is what the brackets say', () => {
    expect(
      sqlOf(
        'bi',
        ['score', 'none'],
        ['price_amount', 'mean'],
        ['mention_rate', 'mention_count / answer_count'],
        ['error_rate', 'mean by visit_count'],
        ['tokens', 'sum'],
        ['rank_score', 'where is_current_method'],
      ),
    ).toEqual({
      avg_price_amount: 'avg(price_amount)',
      all_mention_rate: 'sum(mention_count)::numeric / nullif(sum(answer_count), 0)',
      avg_error_rate:
        'sum(error_rate * visit_count) / nullif(sum(visit_count) filter (where error_rate is not null), 0)',
      sum_tokens: 'sum(tokens)',
      avg_rank_score: 'avg(rank_score) filter (where is_current_method)',
    });
    expect(() => sqlOf('bi', ['score', 'median'])).toThrow('got [median]');
  });
});

describe('views --format superset', () => {
  const column = (name: string, type: string) => ({
    name,
    type,
    comment: `What ${name} says: "ñ", 2026-11-22.`,
    origin: { kind: 'known' } as never,
    aggregates: undefined,
  });
  const view = (schema: ViewSchema, name: string, time: string | undefined): DescribedView => ({
    ...{
      schema,
      name,
      view: `${schema}.${name}`,
      statement: '',
      row: 'a domain',
      question: 'Which?',
      group: 'sources',
      line: undefined,
      time,
      loaded: undefined,
      newest: undefined,
    },
    columns: [
      column('domain', 'text'),
      column('seen_at', 'timestamp with time zone'),
      column('run_date', 'date'),
      column('citation_count', 'bigint'),
    ],
  });
  const connection = {
    name: 'AI Rank',
    url: 'postgres://owner:secret@db.example.com:5433/airank?sslmode=require',
  };
  const views = [
    view('bi', 'sources', undefined),
    view('bi', 'events', 'seen_at'),
    view('bi_history', 'sources', 'run_date'),
  ];
  const made = supersetDatasets(views, connection);
  const read = (zip: Buffer) =>
    new Map([...unzip(zip)].map(([name, text]): [string, Written] => [name, JSON.parse(text)]));
  const files = read(made);
  const datasets = ['bi.sources', 'bi.events', 'bi_history.sources'].map(
    (name) => files.get(`airank/datasets/airank/${name}.yaml`) ?? {},
  );

  it('is a ZIP of a connection without password, of a dataset a view, and of a dashboard', () => {
    expect([...files.keys()].map((name) => name.replace(/[^/]*$/, '')).sort()).toEqual([
      'airank/',
      'airank/charts/',
      'airank/dashboards/',
      'airank/databases/',
      ...datasets.map(() => 'airank/datasets/airank/'),
    ]);
    // A type would keep it from either import.
    expect(files.get('airank/metadata.yaml')).not.toHaveProperty('type');
    const database = files.get('airank/databases/airank.yaml');
    expect(database).toMatchObject({
      sqlalchemy_uri: 'postgresql+psycopg2://superset:XXXXXXXXXX@db.example.com:5433/airank?sslmode=require',
    });
    expect(made.includes('secret')).toBe(false);
    expect(datasets.map((one) => one.database_uuid)).toEqual(datasets.map(() => database?.uuid));
  });

  it('has the same identifiers each time, others for another connection', () => {
    const uuids = (of: Buffer) =>
      [...read(of).values()].flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
    expect(uuids(supersetDatasets(views, connection))).toEqual(uuids(made));
    expect(
      new Set([...uuids(made), ...uuids(supersetDatasets(views, { ...connection, name: 'Other' }))]).size,
    ).toBe(12);
    for (const uuid of uuids(made))
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('has no two datasets of a name, as Superset in SQLite takes none', () => {
    expect(datasets.map(({ table_name, sql }) => [table_name, sql])).toEqual([
      ['sources', null],
      ['events', null],
      ['sources_history', 'select * from bi_history.sources'],
    ]);
  });
});

interface Written {
  readonly table_name?: string;
  readonly sql?: string | null;
  readonly uuid?: string;
  readonly database_uuid?: string;
}
