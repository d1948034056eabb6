// The columns of a view that may leave the warehouse.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { viewSchemas } from '../db/schemas.ts';
import type { ViewColumn } from './parquet-columns.ts';

/** In the order of the view; []: there is no such view of schema bi, bi_history, ops or api. */
export async function readColumns(
  db: pg.Pool | pg.PoolClient,
  schema: string,
  name: string,
): Promise<ViewColumn[]> {
  const { rows } = await db.query<ViewColumn>(
    `select a.attname as name, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and n.nspname = any ($3) and c.relkind = 'v'
     order by a.attnum`,
    [schema, name, viewSchemas],
  );
  return rows;
}

/** Of the view as x. */
export const columnOf = ({ name }: { readonly name: string }) => `x.${escapeIdentifier(name)}`;
