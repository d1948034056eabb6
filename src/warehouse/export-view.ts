// Streams a view in constant memory: a cursor on the server, a batch of rows at a time.
import type pg from 'pg';
import { ConfigError } from '../core/errors.ts';
import { identifier } from './views/view-sql.ts';

export interface ExportOptions {
  /** `bi.sources`, `sources` (of bi) or `api.products`. */
  readonly view: string;
  readonly format: 'csv' | 'ndjson';
  /** Dates, both included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly clientId: string | undefined;
  readonly signal: AbortSignal;
}

const batchRows = 1_000;

/** Texts to write one after another. Values are written as Postgres writes them: no digit is lost. */
export async function* exportView(pool: pg.Pool, options: ExportOptions): AsyncGenerator<string> {
  const { query, values, columns } = await readQuery(pool, options);
  const client = await pool.connect();
  try {
    // Whoever reads may take their time.
    await client.query('begin read only; set local idle_in_transaction_session_timeout = 0');
    await client.query("set local timezone = 'UTC'");
    await client.query(`declare rows no scroll cursor for ${query}`, [...values]);
    if (options.format === 'csv') yield `${columns.map(csvCell).join(',')}\n`;
    for (;;) {
      options.signal.throwIfAborted();
      const { rows } = await client.query<(string | null)[]>({
        text: `fetch ${batchRows} from rows`,
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      });
      if (rows.length === 0) break;
      yield rows
        .map((row) => (options.format === 'csv' ? row.map(csvCell).join(',') : (row[0] ?? '')))
        .map((line) => `${line}\n`)
        .join('');
    }
  } finally {
    // Ends the cursor, also when whoever reads has stopped in the middle.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

interface ViewQuery {
  readonly query: string;
  readonly values: readonly string[];
  readonly columns: readonly string[];
}

async function readQuery(pool: pg.Pool, options: ExportOptions): Promise<ViewQuery> {
  const [schema, name] = options.view.includes('.')
    ? [options.view.slice(0, options.view.indexOf('.')), options.view.slice(options.view.indexOf('.') + 1)]
    : ['bi', options.view];
  const known = await pool.query<{ column: string; type: string }>(
    `select a.attname as column, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and n.nspname in ('bi', 'api') and c.relkind = 'v'
     order by a.attnum`,
    [schema, name],
  );
  if (known.rows.length === 0) {
    throw new ConfigError([
      `Expected a view of schema bi or api, got "${options.view}". airank views lists them`,
    ]);
  }
  const columns = known.rows.map((row) => row.column);
  const date = dateColumn(known.rows);
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
  add((parameter) => `x.${identifier(date ?? '')} >= ${parameter}::date`, options.from);
  add((parameter) => `x.${identifier(date ?? '')} <= ${parameter}::date`, options.to);
  if (options.clientId !== undefined && !columns.includes('client_id')) {
    throw new ConfigError([`Expected no --client, because ${options.view} has no client`]);
  }
  add((parameter) => `x.client_id = ${parameter}`, options.clientId);
  const selected =
    options.format === 'csv'
      ? columns.map((column) => `x.${identifier(column)}`).join(', ')
      : 'row_to_json(x)';
  const where = wheres.length === 0 ? '' : ` where ${wheres.join(' and ')}`;
  return {
    query: `select ${selected} from ${identifier(schema ?? '')}.${identifier(name ?? '')} as x${where}`,
    values,
    columns,
  };
}

/** run_date where there is one, else the first date. */
function dateColumn(columns: readonly { column: string; type: string }[]): string | undefined {
  const dates = columns.filter((column) => column.type === 'date').map((column) => column.column);
  return ['run_date', 'date'].find((name) => dates.includes(name)) ?? dates[0];
}

/** RFC 4180; null is empty, and an empty text is quoted, as psql does it. */
function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
