// The curated views with their columns, as their comments describe them.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';

export interface ViewColumn {
  readonly name: string;
  /** Postgres's name of the type. */
  readonly type: string;
  readonly comment: string;
}

export interface DescribedView {
  /** Without its schema. */
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ViewColumn[];
}

/** By name; columns in the order of the view. */
export async function describeViews(db: Executor): Promise<readonly DescribedView[]> {
  const { rows } = await sql<DescribedView>`
    select c.relname::text as name, coalesce(obj_description(c.oid, 'pg_class'), '') as comment,
      json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'comment', coalesce(col_description(c.oid, a.attnum), '')
      ) order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'bi'::regnamespace and c.relkind = 'v'
    group by c.oid, c.relname
    order by c.relname`.execute(db);
  return rows;
}
