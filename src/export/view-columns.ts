// The columns of a view that may leave the warehouse.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { viewSchemas } from '../db/schemas.ts';
import type { Digits, ViewColumn } from './parquet-file.ts';

/** A row as texts. Rows are read in constant memory: by a cursor on the server, a batch at a time. */
type TextRow = readonly (string | null)[];

/** The select list and the rest of a query, with its parameters. */
interface RowSource {
  readonly selected: string;
  readonly source: string;
  readonly values: readonly (string | readonly string[])[];
}

/**
 * One state of the warehouse, however long the reader takes and whatever limits its role has for dashboards. The plan
 * is made for all rows, not for the first ones of a cursor.
 */
export const beginExport =
  "begin isolation level repeatable read read only; set local timezone = 'UTC'; set local cursor_tuple_fraction = 1; " +
  'set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0';

const batchRows = 1_000;

/** Values as the texts that Postgres writes: no digit is lost. In a transaction; one cursor at a time. */
export async function* readRows(
  client: pg.PoolClient,
  { selected, source, values }: RowSource,
  signal: AbortSignal,
): AsyncGenerator<TextRow[]> {
  await client.query(`declare rows no scroll cursor for select ${selected} ${source}`, [...values]);
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query<(string | null)[]>({
      text: `fetch ${batchRows} from rows`,
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close rows');
}

const numericOf = (columns: readonly ViewColumn[]) => columns.filter(({ type }) => type === 'numeric');

/** Aggregates over the view as x, three a numeric column. */
export function digitsSql(columns: readonly ViewColumn[]): string[] {
  return numericOf(columns).flatMap((column) => {
    const value = columnOf(column);
    return [
      `coalesce(max(length(nullif(trunc(abs(${value})), 0)::text)), 0)`,
      `coalesce(max(min_scale(${value})), 0)`,
      `coalesce(bool_and(${value} not in ('NaN', 'Infinity', '-Infinity')), true)`,
    ];
  });
}

/**
 * Reads digits by column; undefined: some values are no decimals (NaN, infinity).
 * @param texts the result of digitsSql, in its order
 */
export function readDigits(
  columns: readonly ViewColumn[],
  texts: readonly (string | null)[],
): ReadonlyMap<string, Digits | undefined> {
  return new Map(
    numericOf(columns).map(({ name }, index) => {
      const [whole, fraction, finite] = texts.slice(index * 3, index * 3 + 3);
      const digits = { whole: Number(whole), fraction: Number(fraction) };
      return [name, finite === 't' ? digits : undefined];
    }),
  );
}

/** Keeps the order of the view; []: there is no such view of schema bi, bi_history, ops or api. */
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

export const columnOf = ({ name }: { readonly name: string }) => `x.${escapeIdentifier(name)}`;
