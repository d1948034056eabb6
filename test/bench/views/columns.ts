// Asks each column of each view for a value that it has, and compares what that takes with the whole view. A planner that
// expects one row where thousands come joins them by a loop, and turns milliseconds into minutes.
import pg from 'pg';
import type { CatalogueView } from '../../../src/db/code/catalogue.ts';
import { lastDay } from './fill.ts';

/** Whole views that take longer are asked for 28 days. */
const longestWholeMs = 10_000;
/** A filter may take so many times the whole, and this much beside. */
const mostTimes = 3;
const besideMs = 100;

/** @returns how many filters are slow */
export async function measureColumns(
  pool: pg.Pool,
  views: readonly CatalogueView[],
  write: (line: string) => void,
): Promise<number> {
  let slow = 0;
  const client = await pool.connect();
  try {
    for (const { view, time } of views) {
      if (view.startsWith('ops.')) continue;
      let within = 'true';
      let wholeMs = await takes(client, `select * from ${view}`, longestWholeMs);
      if (wholeMs === undefined && time !== undefined) {
        within = `${time} > date '${lastDay}' - 28`;
        wholeMs = await takes(client, `select * from ${view} where ${within}`, longestWholeMs * 6);
      }
      wholeMs ??= longestWholeMs * 6;
      const columns = await client.query<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, null) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 order by attnum`,
        [view],
      );
      const row = await client.query<Record<string, string | null>>(
        `select ${columns.rows.map(({ name }) => `min("${name}"::text) as "${name}"`).join(', ')}
         from (select * from ${view} where ${within} limit 500) as v`,
      );
      const missed: string[] = [];
      for (const { name, type } of columns.rows) {
        const value = row.rows[0]?.[name];
        if (value === null || value === undefined) continue;
        const mostMs = wholeMs * mostTimes + besideMs;
        const asked = `"${name}" = ${pg.escapeLiteral(value)}::${type}`;
        const ms = await takes(client, `select * from ${view} where ${within} and ${asked}`, mostMs * 2);
        if (ms === undefined || ms > mostMs) missed.push(`${name} ${ms?.toFixed(0) ?? '–'}`);
      }
      slow += missed.length;
      const of = within === 'true' ? '' : ' of 28 days';
      const marked = missed.length === 0 ? '' : `  ! ${missed.join(', ')}`;
      write(`${view.padEnd(34)}${wholeMs.toFixed(0).padStart(8)} ms${of}${marked}`);
    }
  } finally {
    client.release();
  }
  return slow;
}

/** Milliseconds of planning and execution; undefined: longer than `mostMs`. */
async function takes(client: pg.PoolClient, query: string, mostMs: number): Promise<number | undefined> {
  await client.query(`set statement_timeout = ${Math.ceil(mostMs) + 1}`);
  try {
    const result = await client.query(`explain (analyze, timing off, format json) ${query}`);
    const [plan] = result.rows[0]['QUERY PLAN'];
    return plan['Planning Time'] + plan['Execution Time'];
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '57014') return undefined;
    throw error;
  } finally {
    await client.query('set statement_timeout = 0');
  }
}
