// Runs the statements of sql/dashboard and sql/report. Values come back as Postgres's own text, so that no digit is
// lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { packageRoot } from '../../core/files.ts';

interface Statement {
  readonly text: string;
  readonly values: string[];
}

/**
 * Leaves names that are not given as they are. A name that ends in `from` or `to` is a date, any other a text.
 * @param path below sql/, without its ending: `dashboard/rank-trend`
 * @throws when there is no such file
 */
export function readStatement(path: string, given: Readonly<Record<string, string>>): Statement {
  const used: string[] = [];
  const file = readFileSync(join(packageRoot(), 'sql', `${path}.sql`), 'utf8');
  // Comments may name them too.
  const text = file.replace(/^--.*$/gm, '').replace(/(?<!:):([a-z_]+)\b/g, (word, name: string) => {
    if (given[name] === undefined) return word;
    if (!used.includes(name)) used.push(name);
    return `$${used.indexOf(name) + 1}::${/(^|_)(from|to)$/.test(name) ? 'date' : 'text'}`;
  });
  return { text, values: used.map((name) => given[name] ?? '') };
}

/** Account, client and dates (both included) of the rows to read. */
export interface ChartScope {
  readonly account: string;
  /** '' for the account itself, or for all of its clients. */
  readonly clientId: string;
  readonly from: string;
  readonly to: string;
}

/** Numbers `:account`, `:client_id`, `:from` and `:to` in the file's order. @throws when there is no such file */
export function chartStatement(name: string, scope: ChartScope): Statement {
  const { account, clientId, from, to } = scope;
  return readStatement(`dashboard/${name}`, { account, client_id: clientId, from, to });
}

export interface ChartRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** @param pool of a role that reads `bi` */
export async function readChart(pool: pg.Pool, name: string, scope: ChartScope): Promise<ChartRows> {
  return await readRows(pool, chartStatement(name, scope));
}

export async function readReportChart(
  pool: pg.Pool,
  name: (typeof reportStatements)[number],
  { account, clientId, from, to }: ChartScope,
): Promise<ChartRows> {
  return await readRows(pool, readStatement(`report/${name}`, { account, client_id: clientId, from, to }));
}

async function readRows(pool: pg.Pool, statement: Statement): Promise<ChartRows> {
  const { fields, rows } = await pool.query<(string | null)[]>({
    ...statement,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  return { columns: fields.map((field) => field.name), rows };
}

/** True if a view has rows that do not name their client in an account. */
export async function isThereOfAccount(pool: pg.Pool, view: string, account: string): Promise<boolean> {
  const { rowCount } = await pool.query(`select from ${view} where account = $1 and client_id = '' limit 1`, [
    account,
  ]);
  return rowCount === 1;
}

/** Rejects with the driver's own error if `bi` is missing, or may not be read. */
export async function expectBi(pool: pg.Pool): Promise<void> {
  await pool.query('select from bi.clients limit 0');
}

export type ReportRow = Readonly<Record<string, string | null>>;

/** Statements that read one client's data of a period, besides those of the dashboard. */
export const reportStatements = ['rank', 'actions', 'experiments'] as const;

/** Reads every present or former client, never an account itself. */
export async function readReportClients(pool: pg.Pool): Promise<readonly ReportRow[]> {
  return await read(pool, readStatement('report/clients', {}));
}

/** Reads the slices of a client, and those of its account that hold its records. */
export async function readReportSlices(
  pool: pg.Pool,
  { account, clientId }: Pick<ChartScope, 'account' | 'clientId'>,
): Promise<readonly ReportRow[]> {
  return await read(pool, readStatement('report/slices', { account, client_id: clientId }));
}

async function read(pool: pg.Pool, statement: Statement): Promise<readonly ReportRow[]> {
  const { rows } = await pool.query<ReportRow>({
    ...statement,
    types: { getTypeParser: () => (value: string) => value },
  });
  return rows;
}
