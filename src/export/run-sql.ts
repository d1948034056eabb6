// Runs SQL that a person typed; values come back as the text that Postgres sends.
import type pg from 'pg';

export interface SqlResult {
  readonly tag: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** One result a statement. */
export async function runSql(pool: pg.Pool, text: string): Promise<readonly SqlResult[]> {
  const answer: unknown = await pool.query({
    text,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  // pg 8 gives a list when the text holds several statements, whatever its types say.
  const results = (Array.isArray(answer) ? answer : [answer]) as pg.QueryArrayResult<(string | null)[]>[];
  return results.map(({ command, rowCount, fields, rows }) => ({
    tag: rowCount === null ? command : `${command} ${rowCount}`,
    columns: fields.map((field) => field.name),
    rows,
  }));
}
