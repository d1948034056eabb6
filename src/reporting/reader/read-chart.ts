// Runs the statement of a chart; values come back as the texts that Postgres writes, so no digit is lost.
import type pg from 'pg';
import { type ChartScope, chartStatement } from './chart-statement.ts';

export interface ChartRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** @param pool of a role that reads `bi` */
export async function readChart(pool: pg.Pool, name: string, scope: ChartScope): Promise<ChartRows> {
  const { fields, rows } = await pool.query<(string | null)[]>({
    ...chartStatement(name, scope),
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  return { columns: fields.map((field) => field.name), rows };
}
