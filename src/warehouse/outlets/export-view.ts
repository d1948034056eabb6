// Streams a view in constant memory: a cursor on the server, a batch of rows at a time.

import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { ConfigError } from '../../core/errors.ts';
import { type Digits, type ParquetColumn, parquetColumn, type ViewColumn } from './parquet-columns.ts';
import { parquetFile } from './parquet-file.ts';

export interface ExportOptions {
  /** `bi.sources`, `sources` (of bi) or `api.products`. */
  readonly view: string;
  readonly format: 'csv' | 'ndjson' | 'parquet';
  /** Dates, both included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly clientId: string | undefined;
  readonly signal: AbortSignal;
}

type Row = readonly (string | null)[];

const batchRows = 1_000;

/** Parts to write one after another. Values are written as Postgres writes them: no digit is lost. */
export async function* exportView(
  pool: pg.Pool,
  options: ExportOptions,
): AsyncGenerator<string | Uint8Array> {
  const view = await readView(pool, options);
  const client = await pool.connect();
  try {
    // A reader may be slow, and sees one state of the warehouse even when the view is read twice.
    await client.query(
      'begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0',
    );
    await client.query("set local timezone = 'UTC'");
    const rows = (selected: string) => readRows(client, view, selected, options.signal);
    if (options.format === 'csv') {
      yield `${view.columns.map(({ name }) => csvCell(name)).join(',')}\n`;
      for await (const batch of rows(view.columns.map(columnOf).join(', '))) {
        yield batch.map((row) => `${row.map(csvCell).join(',')}\n`).join('');
      }
    } else if (options.format === 'ndjson') {
      for await (const batch of rows('row_to_json(x)'))
        yield batch.map((row) => `${row[0] ?? ''}\n`).join('');
    } else {
      const columns = await parquetColumns(client, view);
      const selected = columns.map((column) => column.expression(columnOf(column)));
      yield* parquetFile(columns, rows(selected.join(', ')));
    }
  } finally {
    // Ends the cursor, also when the reader stopped in the middle.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

const columnOf = ({ name }: { readonly name: string }) => `x.${escapeIdentifier(name)}`;

async function* readRows(
  client: pg.PoolClient,
  { source, values }: ChosenView,
  selected: string,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  await client.query(`declare rows no scroll cursor for select ${selected} ${source}`, [...values]);
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query<(string | null)[]>({
      text: `fetch ${batchRows} from rows`,
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    if (rows.length === 0) return;
    yield rows;
  }
}

/** The columns as Parquet has them. Number columns are scanned first, for how many digits they need. */
async function parquetColumns(client: pg.PoolClient, view: ChosenView): Promise<ParquetColumn[]> {
  const numeric = view.columns.filter(({ type }) => type === 'numeric');
  const digits = new Map<string, Digits>();
  if (numeric.length > 0) {
    const measured = numeric.flatMap((column) => {
      const value = columnOf(column);
      return [
        `coalesce(max(length(nullif(trunc(abs(${value})), 0)::text)), 0)`,
        `coalesce(max(min_scale(${value})), 0)`,
        `coalesce(bool_and(${value} not in ('NaN', 'Infinity', '-Infinity')), true)`,
      ];
    });
    const { rows } = await client.query<(string | null)[]>({
      text: `select ${measured.join(', ')} ${view.source}`,
      values: [...view.values],
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    for (const [index, { name }] of numeric.entries()) {
      const [whole, fraction, finite] = rows[0]?.slice(index * 3, index * 3 + 3) ?? [];
      if (finite === 't') digits.set(name, { whole: Number(whole), fraction: Number(fraction) });
    }
  }
  return view.columns.map((column) => parquetColumn(column, digits.get(column.name)));
}

interface ChosenView {
  readonly columns: readonly ViewColumn[];
  /** `from … where …`, the view as x. */
  readonly source: string;
  readonly values: readonly string[];
}

async function readView(pool: pg.Pool, options: ExportOptions): Promise<ChosenView> {
  const [schema, name] = options.view.includes('.')
    ? [options.view.slice(0, options.view.indexOf('.')), options.view.slice(options.view.indexOf('.') + 1)]
    : ['bi', options.view];
  const known = await pool.query<ViewColumn>(
    `select a.attname as name, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and n.nspname in ('bi', 'api') and c.relkind = 'v'
     order by a.attnum`,
    [schema, name],
  );
  const columns = known.rows;
  if (columns.length === 0) {
    throw new ConfigError([
      `Expected a view of schema bi or api, got "${options.view}". airank views lists them`,
    ]);
  }
  const date = dateColumn(columns);
  const wheres: string[] = [];
  const values: string[] = [];
  const add = (condition: (parameter: string) => string, value: string | undefined) => {
    if (value === undefined) return;
    values.push(value);
    wheres.push(condition(`$${values.length}`));
  };
  if (date === undefined && (options.from !== undefined || options.to !== undefined)) {
    throw new ConfigError([`Expected no --from or --to, because ${options.view} has no date`]);
  }
  add((parameter) => `x.${escapeIdentifier(date ?? '')} >= ${parameter}::date`, options.from);
  add((parameter) => `x.${escapeIdentifier(date ?? '')} <= ${parameter}::date`, options.to);
  if (options.clientId !== undefined && !columns.some((column) => column.name === 'client_id')) {
    throw new ConfigError([`Expected no --client, because ${options.view} has no client`]);
  }
  add((parameter) => `x.client_id = ${parameter}`, options.clientId);
  const where = wheres.length === 0 ? '' : ` where ${wheres.join(' and ')}`;
  return {
    columns,
    source: `from ${escapeIdentifier(schema ?? '')}.${escapeIdentifier(name ?? '')} as x${where}`,
    values,
  };
}

/** run_date where there is one, else the first date. */
function dateColumn(columns: readonly ViewColumn[]): string | undefined {
  const dates = columns.filter((column) => column.type === 'date').map((column) => column.name);
  return ['run_date', 'date'].find((name) => dates.includes(name)) ?? dates[0];
}

/** RFC 4180; null is empty, and an empty text is quoted, as psql does it. */
function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
