// The filters of a dashboard over every curated view, and how long the server takes for them.
import type pg from 'pg';
import { lastDay } from './fill.ts';

interface Filter {
  readonly name: string;
  readonly targetMs: number;
  /** The query for the n-th client. */
  readonly query: (client: string) => string;
}

export interface Timing {
  /**
   * 95th percentile of queries that were asked a moment before, as the charts of one dashboard ask for the same rows.
   */
  readonly p95Ms: number;
  /** 95th percentile of first queries, when most of what is read is not among the server's buffers. */
  readonly firstP95Ms: number;
  readonly rows: number;
}

interface ViewFacts {
  readonly date: string | undefined;
  readonly isLatest: boolean;
  readonly hasClient: boolean;
  /** Column that a chart would average. */
  readonly measure: string | undefined;
}

const dateColumns = [
  'measured_date',
  'answered_date',
  'cited_date',
  'started_date',
  'fired_date',
  'run_date',
  'date',
  'decided_date',
  'alert_date',
  'created_date',
  'from_date',
  'day',
];

/** The column by which a dashboard would take the last days. */
export function dateOf(names: readonly string[]): string | undefined {
  return dateColumns.find((name) => names.includes(name));
}

export async function curatedViews(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class
     where relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and relkind = 'v' order by 1`,
  );
  return rows.map((row) => row.name);
}

export async function filtersOf(pool: pg.Pool, view: string): Promise<Filter[]> {
  const { date, isLatest, hasClient, measure } = await readFacts(pool, view);
  const averaged = measure === undefined ? '' : `, avg(${measure})`;
  const since = (days: number) => (date === undefined ? 'true' : `${date} > date '${lastDay}' - ${days}`);
  const latest = isLatest ? 'is_latest' : date === undefined ? 'true' : `${date} = date '${lastDay}'`;
  const isSeries = view !== 'bi.rank_latest';
  return [
    {
      name: 'client',
      targetMs: 150,
      query: (client) =>
        `select * from ${view} where ${hasClient ? `client_id = '${client}'` : 'true'} and ${since(365)}`,
    },
    {
      name: 'latest',
      targetMs: 150,
      query: () => `select * from ${view} where ${isSeries ? latest : 'true'}`,
    },
    {
      name: '28 days',
      targetMs: 300,
      query: () =>
        date === undefined
          ? `select count(*)${averaged} from ${view}`
          : `select ${date}, count(*)${averaged} from ${view} where ${since(28)} group by ${date}`,
    },
  ];
}

async function readFacts(pool: pg.Pool, view: string): Promise<ViewFacts> {
  const { rows } = await pool.query<{ column: string; type: string }>(
    `select attname as column, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 order by attnum`,
    [view],
  );
  const names = rows.map((row) => row.column);
  return {
    date: dateOf(names),
    isLatest: names.includes('is_latest'),
    hasClient: names.includes('client_id'),
    measure: rows.find((row) => row.type === 'numeric' || row.type === 'bigint')?.column,
  };
}

/** Every column of every row is computed, none is sent: what the server takes. Planning included. */
export async function measure(
  pool: pg.Pool,
  query: (client: string) => string,
  rounds: number,
  clients: number,
): Promise<Timing> {
  const firstTimes: number[] = [];
  const times: number[] = [];
  let rows = 0;
  const time = async (client: string) => {
    const result = await pool.query<{
      'QUERY PLAN': [{ Plan: { 'Actual Rows': number }; 'Planning Time': number; 'Execution Time': number }];
    }>(`explain (analyze, timing off, format json) ${query(client)}`);
    const plan = result.rows[0]?.['QUERY PLAN'][0];
    if (plan === undefined) throw new Error('no plan');
    rows = plan.Plan['Actual Rows'];
    return plan['Planning Time'] + plan['Execution Time'];
  };
  for (let round = 0; round < rounds; round += 1) {
    // Picks another client every round, always one with 100 products.
    const client = `c${1 + ((round * 10) % clients)}`;
    firstTimes.push(await time(client));
    times.push(await time(client));
    if (times.reduce((sum, time) => sum + time, 0) > 20_000) break;
  }
  return { p95Ms: p95(times), firstP95Ms: p95(firstTimes), rows };
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
}
