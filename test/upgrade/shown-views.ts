// What the views of a warehouse show, a line each: of bi how many rows, and one number for all of them in any order; of
// api the columns, which are never dropped.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';

export interface ShownView {
  /** `bi.rank_trend`. */
  readonly view: string;
  /** 0 and '' of schema api. */
  readonly rows: number;
  readonly digest: string;
  readonly columns: readonly string[];
}

interface FoundView {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** @param like of each view only the columns that it has there too */
export async function readShown(pool: pg.Pool, like?: readonly ShownView[]): Promise<ShownView[]> {
  const wanted = like && new Map(like.map(({ view, columns }) => [view, columns]));
  const { rows: found } = await pool.query<FoundView>(
    `select n.nspname::text as schema, c.relname::text as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 order by attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'v' and n.nspname in ('bi', 'bi_history', 'ops', 'api') order by 1, 2`,
  );
  const client = await pool.connect();
  const shown: ShownView[] = [];
  try {
    await client.query(`set jit = off; set timezone = 'UTC'`);
    for (const { schema, name, columns: own } of found) {
      const view = `${schema}.${name}`;
      const columns =
        wanted === undefined ? own : (wanted.get(view) ?? []).filter((one) => own.includes(one));
      if (columns.length === 0) continue;
      if (schema === 'api') {
        shown.push({ view, rows: 0, digest: '', columns });
        continue;
      }
      const { rows } = await client.query<{ rows: number; digest: string }>(
        `select count(*)::integer as rows,
          coalesce(sum(('x' || left(md5(row(${columns.map(escapeIdentifier).join(', ')})::text), 15))::bit(60)::bigint), 0)::text as digest
        from ${escapeIdentifier(schema)}.${escapeIdentifier(name)}`,
      );
      const [one] = rows;
      shown.push({ view, rows: one?.rows ?? 0, digest: one?.digest ?? '', columns });
    }
  } finally {
    client.release(true);
  }
  return shown;
}

export function parseShown(text: string): ShownView[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [view = '', rows = '', digest = '', columns = ''] = line.split('\t');
      return { view, rows: Number(rows), digest, columns: columns.split(',') };
    });
}
