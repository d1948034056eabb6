// Runs the statements of sql/report. Values come back as the texts that Postgres writes, so no digit is lost.
import type pg from 'pg';
import { readStatement } from './statement-file.ts';

/** A row by the names of its columns. */
export type ReportRow = Readonly<Record<string, string | null>>;

/** The statements that read one client's data of a period and the one before. */
export const reportStatements = [
  'rank',
  'dimensions',
  'questions',
  'competitors',
  'pages',
  'actions',
  'experiments',
] as const;
export type ReportStatement = (typeof reportStatements)[number];

export interface ReportScope {
  readonly account: string;
  readonly clientId: string;
  /** Dates, both included. */
  readonly from: string;
  readonly to: string;
  /** Where the period before begins. */
  readonly beforeFrom: string;
}

/** @param pool of a role that reads `bi` */
export async function readReportRows(
  pool: pg.Pool,
  name: ReportStatement,
  scope: ReportScope,
): Promise<readonly ReportRow[]> {
  const { account, clientId, from, to, beforeFrom } = scope;
  return await read(pool, name, { account, client_id: clientId, from, to, before_from: beforeFrom });
}

/** What people noted in a period, where the warehouse has a place for it. */
export async function readNotes(pool: pg.Pool, scope: ReportScope): Promise<readonly ReportRow[]> {
  const { rows } = await pool.query<{ there: boolean }>(
    "select to_regclass('bi.events') is not null as there",
  );
  if (rows[0]?.there !== true) return [];
  const { account, clientId, from, to } = scope;
  return await read(pool, 'notes', { account, client_id: clientId, from, to });
}

/** Every client that is or was there, never an account itself. */
export async function readReportClients(pool: pg.Pool): Promise<readonly ReportRow[]> {
  return await read(pool, 'clients', {});
}

/** The slices of a client, and those of its account that hold records of it. */
export async function readReportSlices(
  pool: pg.Pool,
  { account, clientId }: Pick<ReportScope, 'account' | 'clientId'>,
): Promise<readonly ReportRow[]> {
  return await read(pool, 'slices', { account, client_id: clientId });
}

async function read(
  pool: pg.Pool,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<readonly ReportRow[]> {
  const { rows } = await pool.query<ReportRow>({
    ...readStatement(`report/${name}`, given),
    types: { getTypeParser: () => (value: string) => value },
  });
  return rows;
}
