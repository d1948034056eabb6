// The filters of a dashboard over every curated view, and how long the server takes for them.
import type pg from 'pg';
import type { CatalogueView } from '../../../src/db/code/catalogue.ts';
import { measuresOf } from '../../../src/db/code/measures.ts';
import { lastDay } from './fill.ts';

interface Filter {
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

/** The filters of a dashboard on a view. */
export function filtersOf(one: CatalogueView): Filter[] {
  const { view, time } = one;
  const has = (column: string) => one.columns.some(({ name }) => name === column);
  const [first] = measuresOf(one);
  const measure = first === undefined ? '' : `, ${first.sql}`;
  const since = (days: number) => (time === undefined ? 'true' : `${time} > date '${lastDay}' - ${days}`);
  const latest = has('is_latest') ? 'is_latest' : time === undefined ? 'true' : `${time} = date '${lastDay}'`;
  return [
    {
      targetMs: 150,
      query: (client) =>
        `select * from ${view} where ${has('client_id') ? `client_id = '${client}'` : 'true'} and ${since(365)}`,
    },
    { targetMs: 150, query: () => `select * from ${view} where ${latest}` },
    {
      targetMs: 300,
      query: () =>
        time === undefined
          ? `select count(*)${measure} from ${view}`
          : `select ${time}, count(*)${measure} from ${view} where ${since(28)} group by ${time}`,
    },
  ];
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
