// Streams a view as CSV, NDJSON or Parquet, in constant memory.

import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { didYouMean } from '../config/nearest-name.ts';
import { csvCell, spreadsheetCell } from '../core/csv.ts';
import { ConfigError } from '../core/errors.ts';
import { catalogue } from '../db/code/catalogue.ts';
import { type ParquetColumn, parquetColumn, parquetFile, type ViewColumn } from './parquet-file.ts';
import { beginExport, columnOf, digitsSql, readColumns, readDigits, readRows } from './view-columns.ts';

export interface ExportOptions {
  readonly view: string;
  readonly format: 'csv' | 'ndjson' | 'parquet' | 'excel';
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The chosen client, in each account that has it; undefined: every client. */
  readonly clients: readonly { readonly account: string; readonly clientId: string }[] | undefined;
  readonly signal: AbortSignal;
}

/** Yields parts to write one after another. Values are written as Postgres writes them: no digit is lost. */
export async function* exportView(
  pool: pg.Pool,
  options: ExportOptions,
): AsyncGenerator<string | Uint8Array> {
  const view = await readView(pool, options);
  const client = await pool.connect();
  try {
    await client.query(beginExport);
    const rows = (selected: string) => readRows(client, { ...view, selected }, options.signal);
    if (options.format === 'csv' || options.format === 'excel') {
      const { mark, between, end, cell } = options.format === 'csv' ? plain : office;
      yield `${mark}${view.columns.map(({ name }) => cell(name, 'text')).join(between)}${end}`;
      const line = (row: readonly (string | null)[]) =>
        `${row.map((value, place) => cell(value, view.columns[place]?.type ?? 'text')).join(between)}${end}`;
      for await (const batch of rows(view.columns.map(columnOf).join(', '))) yield batch.map(line).join('');
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

/** Maps the columns to Parquet, after a scan of numeric columns for the digits that they need. */
async function parquetColumns(client: pg.PoolClient, view: ChosenView): Promise<ParquetColumn[]> {
  const measured = digitsSql(view.columns);
  if (measured.length === 0) return view.columns.map((column) => parquetColumn(column, undefined));
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${measured.join(', ')} ${view.source}`,
    values: [...view.values],
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  const digits = readDigits(view.columns, rows[0] ?? []);
  return view.columns.map((column) => parquetColumn(column, digits.get(column.name)));
}

interface ChosenView {
  readonly columns: readonly ViewColumn[];
  readonly source: string;
  readonly values: readonly (string | readonly string[])[];
}

async function readView(pool: pg.Pool, options: ExportOptions): Promise<ChosenView> {
  const [schema, name] = options.view.includes('.')
    ? [options.view.slice(0, options.view.indexOf('.')), options.view.slice(options.view.indexOf('.') + 1)]
    : ['bi', options.view];
  const columns = await readColumns(pool, schema ?? '', name ?? '');
  if (columns.length === 0) {
    const known = catalogue().map((view) => `${view.schema}.${view.name}`);
    const near = didYouMean(`${schema}.${name}`, known) ?? 'airank views lists them';
    throw new ConfigError([
      `Expected a view of schema bi, bi_history, ops or api, got "${options.view}". ${near}; the views are made by the first airank sync`,
    ]);
  }
  const date = ownDate({ schema: schema ?? '', name: name ?? '', columns });
  const wheres: string[] = [];
  const values: (string | readonly string[])[] = [];
  const add = (condition: (parameter: string) => string, value: string | readonly string[] | undefined) => {
    if (value === undefined) return;
    values.push(value);
    wheres.push(condition(`$${values.length}`));
  };
  if (date === undefined && (options.from !== undefined || options.to !== undefined)) {
    const dated = await datedViewsOf(pool, schema ?? '', name ?? '');
    const instead = dated.length === 0 ? '' : `. By date: ${dated.join(', ')}`;
    throw new ConfigError([
      `--from and --to do not apply to ${options.view}, which shows the present${instead}`,
    ]);
  }
  add((parameter) => `x.${escapeIdentifier(date ?? '')} >= ${parameter}::date`, options.from);
  add((parameter) => `x.${escapeIdentifier(date ?? '')} <= ${parameter}::date`, options.to);
  const has = (column: string) => columns.some((one) => one.name === column);
  if (options.clients !== undefined && !has('client_id')) {
    throw new ConfigError([`--client does not apply to ${options.view}, which has no client`]);
  }
  const of = (column: 'account' | 'clientId') => options.clients?.map((one) => one[column]);
  add((parameter) => `x.client_id = any(${parameter})`, of('clientId'));
  if (has('account')) add((parameter) => `x.account = any(${parameter})`, of('account'));
  const where = wheres.length === 0 ? '' : ` where ${wheres.join(' and ')}`;
  return {
    columns,
    source: `from ${escapeIdentifier(schema ?? '')}.${escapeIdentifier(name ?? '')} as x${where}`,
    values,
  };
}

/**
 * Finds the date that tells rows of a view apart; for views of the catalogue, theirs. Undefined: the view
 * shows the present.
 */
function ownDate(view: {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}): string | undefined {
  const described = catalogue().find((one) => one.view === `${view.schema}.${view.name}`);
  if (described !== undefined) return described.time;
  const hasRunDate = view.columns.some(({ name, type }) => name === 'run_date' && type === 'date');
  return hasRunDate && /_(daily|changes)$/.test(view.name) ? 'run_date' : undefined;
}

/** Finds views that show by date what this one shows of the present. */
async function datedViewsOf(pool: pg.Pool, schema: string, name: string): Promise<string[]> {
  const dated: readonly (readonly [string, string])[] =
    schema === 'bi'
      ? [['bi_history', name]]
      : [
          [schema, `${name}_daily`],
          [schema, `${name}_changes`],
        ];
  const found: string[] = [];
  for (const [schema, name] of dated)
    if ((await readColumns(pool, schema, name)).length > 0) found.push(`${schema}.${name}`);
  return found;
}

const numberTypes = /^(smallint|integer|bigint|numeric|real|double precision)/;

interface CsvForm {
  readonly mark: string;
  readonly between: string;
  readonly end: string;
  readonly cell: (value: string | null, type: string) => string;
}

const plain: CsvForm = { mark: '', between: ',', end: '\n', cell: csvCell };

/** CSV that an office in Spain can open by a double click: Excel reads UTF-8 only after the mark. */
const office: CsvForm = {
  ...{ mark: '\ufeff', between: ';', end: '\r\n' },
  cell: (value, type) =>
    value !== null && numberTypes.test(type) ? value.replace('.', ',') : spreadsheetCell(value),
};
