import { describe, expect, it } from 'vitest';
import type { ViewSchema } from '../../src/db/code/catalogue.ts';
import { measuresOf } from '../../src/db/code/measures.ts';
import { supersetDatasets } from '../../src/export/views-files.ts';
import type { DescribedView } from '../../src/publish/views/list-views.ts';
import { unzip } from '../support/unzip.ts';

/** Columns by their names, some with what stands in brackets behind them: `score [none]`. */
const sqlOf = (schema: string, columns: string) =>
  measuresOf({
    schema,
    columns: columns.split(', ').map((column) => {
      const [, name = '', aggregates] = /^(\w+)(?: \[(.*)\])?$/.exec(column) ?? [];
      return { name, aggregates };
    }),
  }).map(({ name, sql }) => `${name}: ${sql}`);

describe('a measure', () => {
  it.each([
    ['visit_count', 'sum_visit_count: sum(visit_count)'],
    ['error_rate', 'avg_error_rate: avg(error_rate)'],
    ['score', 'avg_score: avg(score)'],
    ['change_7d', 'avg_change_7d: avg(change_7d)'],
    ['impact_points', 'avg_impact_points: avg(impact_points)'],
    ['mean_response_ms', 'avg_mean_response_ms: avg(mean_response_ms)'],
    ['client_id, run_date, domain, demand_value, priority_level, window_days'],
    // Of a boolean it is the share of those of which it is known.
    [
      'is_mentioned',
      'share_is_mentioned: avg(case when is_mentioned then 1.0 when not is_mentioned then 0.0 end)',
    ],
    // Of money it is empty where currencies are together, and of a period where several are.
    [
      'currency_code, revenue_amount',
      'sum_revenue_amount: case when count(distinct currency_code) = 1 then sum(revenue_amount) end',
    ],
    [
      'revenue_amount, currency_code, period_start_date, window_days, run_date',
      'sum_revenue_amount: case when count(distinct currency_code) = 1 then case when count(distinct period_start_date) <= 1 then sum(revenue_amount) end end',
    ],
    ['score [none]'],
    ['price_amount [mean]', 'avg_price_amount: avg(price_amount)'],
    [
      'mention_rate [mention_count / answer_count]',
      'all_mention_rate: sum(mention_count)::numeric / nullif(sum(answer_count), 0)',
    ],
    [
      'error_rate [mean by visit_count]',
      'avg_error_rate: sum(error_rate * visit_count) / nullif(sum(visit_count) filter (where error_rate is not null), 0)',
    ],
    ['tokens [sum]', 'sum_tokens: sum(tokens)'],
    [
      'rank_score [where is_current_method]',
      'avg_rank_score: avg(rank_score) filter (where is_current_method)',
    ],
  ])('follows from the name of its column and from brackets: %s', (columns, ...measures) => {
    expect(sqlOf('bi', columns)).toEqual(measures);
  });

  it('of bi_history is there three times, of the rows that are the last ones', () => {
    const ends = { now: 'is_latest', week_end: 'is_week_end', month_end: 'is_month_end' };
    const each = (measure: (suffix: string, filter: string) => string) =>
      Object.entries(ends).map(([suffix, column]) => measure(suffix, `filter (where ${column})`));
    expect(sqlOf('bi_history', 'is_latest, visit_count, new_count [each date]')).toEqual([
      ...each((suffix, filter) => `sum_visit_count_${suffix}: sum(visit_count) ${filter}`),
      'sum_new_count: sum(new_count)',
    ]);
    expect(sqlOf('bi_history', 'currency_code, price_amount')).toEqual(
      each((suffix, filter) => {
        const currencies = `count(distinct currency_code) ${filter}`;
        return `sum_price_amount_${suffix}: case when ${currencies} = 1 then sum(price_amount) ${filter} end`;
      }),
    );
  });

  it('over a window is of that window, and says it first; of several there is none', () => {
    const of = (windows: readonly (number | null)[]) =>
      measuresOf({ schema: 'bi', windows, columns: [{ name: 'visit_count' }, { name: 'window_days' }] });
    expect(of([7])).toMatchObject([
      { name: 'sum_visit_count_7_days', label: 'Visit count of 7 days', about: 'Of 7 days. Adds up.' },
    ]);
    expect(of([null])).toMatchObject([{ name: 'sum_visit_count', sql: 'sum(visit_count)' }]);
    expect([of([7, 28]), of([7, null])]).toEqual([[], []]);
  });

  it('in brackets that nobody knows is refused', () => {
    expect(() => sqlOf('bi', 'score [median]')).toThrow('got [median]');
  });
});

type Written = Partial<Readonly<Record<'table_name' | 'sql' | 'uuid' | 'database_uuid', string | null>>>;

describe('views --format superset', () => {
  const column = { comment: 'c', origin: { kind: 'known' } as never, aggregates: undefined };
  const view = (schema: ViewSchema, name: string): DescribedView => ({
    ...{ schema, name, view: `${schema}.${name}`, statement: '', row: 'a domain', question: 'Which?' },
    ...{ group: 'sources', line: undefined, time: undefined, loaded: undefined, newest: undefined },
    columns: [
      { ...column, name: 'domain', type: 'text' },
      { ...column, name: 'citation_count', type: 'bigint' },
    ],
  });
  const url = 'postgres://owner:secret@db.example.com:5433/airank?sslmode=require';
  const views = [view('bi', 'sources'), view('bi', 'events'), view('bi_history', 'sources')];
  const made = supersetDatasets(views, { name: 'AI Rank', url });
  const read = (zip: Buffer) =>
    new Map([...unzip(zip)].map(([name, text]): [string, Written] => [name, JSON.parse(text)]));
  const files = read(made);
  const datasets = ['bi.sources', 'bi.events', 'bi_history.sources'].map(
    (name) => files.get(`airank/datasets/airank/${name}.yaml`) ?? {},
  );

  it('is a ZIP of a connection without password and of a dataset a view', () => {
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
    const uuids = (of: Buffer) => [...read(of).values()].flatMap(({ uuid }) => uuid ?? []);
    expect(uuids(supersetDatasets(views, { name: 'AI Rank', url }))).toEqual(uuids(made));
    const others = uuids(supersetDatasets(views, { name: 'Other', url }));
    expect(new Set([...uuids(made), ...others]).size).toBe(2 * others.length);
  });
});
