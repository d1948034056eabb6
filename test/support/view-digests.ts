// Reduces what every view shows, row by row, to one number a view: equal numbers are equal rows in any order.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';

/** Rows and digest by view, of schemas api, bi and bi_map; `rows` of all of them. */
export async function viewDigests(pool: pg.Pool): Promise<{ views: Record<string, string>; rows: number }> {
  const { rows: names } = await pool.query<{ schema: string; name: string }>(
    `select schemaname as schema, viewname as name from pg_views where schemaname in ('api', 'bi', 'bi_history', 'ops', 'bi_map') order by 1, 2`,
  );
  const client = await pool.connect();
  const views: Record<string, string> = {};
  let rows = 0;
  try {
    await client.query(`set jit = off; set timezone = 'UTC'`);
    for (const { schema, name } of names) {
      const view = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
      const { rows: found } = await client.query<{ rows: number; digest: string }>(
        `select count(*)::integer as rows, coalesce(sum(('x' || left(md5(x::text), 15))::bit(60)::bigint), 0)::text as digest
        from ${view} as x`,
      );
      const [one] = found;
      views[`${schema}.${name}`] = `${one?.rows} rows, ${one?.digest}`;
      rows += one?.rows ?? 0;
    }
  } finally {
    client.release(true);
  }
  return { views, rows };
}
