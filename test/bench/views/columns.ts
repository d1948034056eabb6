// Asks each column of each view for a value that it has, and compares what that takes with the whole view. A planner that
// expects one row where thousands come joins them by a loop, and turns milliseconds into minutes.
import pg from 'pg';
import { lastDay } from './fill.ts';
import { curatedViews, dateOf } from './measure.ts';

/** Whole views that take longer are asked for 28 days. */
const longestWholeMs = 10_000;
/** A filter may take so many times the whole, and this much beside. */
const mostTimes = 3;
const besideMs = 100;

interface SlowFilter {
  readonly view: string;
  readonly column: string;
  readonly wholeMs: number;
  /** Undefined: it was stopped, after it had taken too long. */
  readonly ms: number | undefined;
}

export async function measureColumns(
  pool: pg.Pool,
  only: string | undefined,
  write: (line: string) => void,
): Promise<readonly SlowFilter[]> {
  const slow: SlowFilter[] = [];
  const views = await curatedViews(pool);
  const client = await pool.connect();
  try {
    for (const view of views) {
      if (view.startsWith('ops.') || (only !== undefined && !view.match(only))) continue;
      const columns = await client.query<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, null) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and format_type(atttypid, null) not in ('jsonb', 'json') order by attnum`,
        [view],
      );
      const date = dateOf(columns.rows.map(({ name }) => name));
      const since = date === undefined ? 'true' : `${date} > date '${lastDay}' - 28`;
      let within = 'true';
      let wholeMs = await takes(client, `select * from ${view}`, longestWholeMs);
      if (wholeMs === undefined) {
        within = since;
        wholeMs =
          (await takes(client, `select * from ${view} where ${within}`, longestWholeMs * 6)) ??
          longestWholeMs * 6;
      }
      const row = await client.query<Record<string, string | null>>(
        `select ${columns.rows.map(({ name }) => `min("${name}"::text) filter (where "${name}" is not null) as "${name}"`).join(', ')}
         from (select * from ${view} where ${within} limit 500) as v`,
      );
      let missed = 0;
      for (const { name, type } of columns.rows) {
        const value = row.rows[0]?.[name];
        if (value === null || value === undefined) continue;
        const mostMs = wholeMs * mostTimes + besideMs;
        const ms = await takes(
          client,
          `select * from ${view} where ${within} and "${name}" = ${pg.escapeLiteral(value)}::${type}`,
          mostMs * 2,
        );
        if (ms !== undefined && ms <= mostMs) continue;
        missed += 1;
        slow.push({ view, column: name, wholeMs, ms });
      }
      write(
        `${view.padEnd(34)}${wholeMs.toFixed(0).padStart(8)} ms${within === 'true' ? '' : ' of 28 days'}${
          missed === 0
            ? ''
            : `  ! ${slow
                .slice(-missed)
                .map(({ column, ms }) => `${column} ${ms === undefined ? '–' : ms.toFixed(0)}`)
                .join(', ')}`
        }`,
      );
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
