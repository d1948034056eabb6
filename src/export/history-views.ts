// Which views are history: rows that stay as they are, by date. Not what is so now, nor what speaks of no client.
import type pg from 'pg';
import { catalogue } from '../db/code/catalogue.ts';
import { viewSchemas } from '../db/schemas.ts';
import type { ViewColumn } from './parquet-file.ts';

export interface HistoryView {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly ViewColumn[];
  readonly date: string;
}

interface ViewRow {
  readonly schema: string;
  readonly name: string;
  readonly readable: boolean;
  readonly columns: readonly ViewColumn[];
}

export interface HistoryViews {
  readonly views: readonly HistoryView[];
  /** Views that are history too, and that this role may not read. */
  readonly forbidden: readonly string[];
}

/**
 * @param archives streams whose records are added and hardly ever change: their changes hold each record once, where a
 * row for each record and date would be the square of it
 */
export async function readHistoryViews(pool: pg.Pool, archives: ReadonlySet<string>): Promise<HistoryViews> {
  const { rows } = await pool.query<ViewRow>(
    `
    select n.nspname as schema, c.relname as name,
      has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable,
      jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = any ($1) and c.relkind = 'v'
    group by n.nspname, n.oid, c.relname, c.oid
    order by n.nspname desc, c.relname`,
    [viewSchemas],
  );
  const known = new Set(rows.map((row) => `${row.schema}.${row.name}`));
  const found = rows.filter((row) =>
    row.schema === 'api' ? isHistoryOfApi(row.name, known, archives) : ownDate(row) !== undefined,
  );
  return {
    views: found.flatMap((row) => {
      const date = ownDate(row);
      return row.readable && date !== undefined ? [{ ...row, date }] : [];
    }),
    forbidden: found.flatMap((row) => (row.readable ? [] : [`${row.schema}.${row.name}`])),
  };
}

/** A stream may be called `…_daily` itself: its own view is none of another one. */
function isHistoryOfApi(name: string, known: ReadonlySet<string>, archives: ReadonlySet<string>): boolean {
  const stream = name.replace(/_(daily|changes)$/, '');
  return known.has(`api.${stream}`) && name === `${stream}_${archives.has(stream) ? 'changes' : 'daily'}`;
}

/** By which dates of a view are told apart: those of the catalogue's as it says. Undefined: it says what is so now. */
export function ownDate(view: {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}): string | undefined {
  const described = catalogue().find((one) => one.view === `${view.schema}.${view.name}`);
  if (described !== undefined) return described.time;
  const hasRunDate = view.columns.some(({ name, type }) => name === 'run_date' && type === 'date');
  return hasRunDate && /_(daily|changes)$/.test(view.name) ? 'run_date' : undefined;
}
