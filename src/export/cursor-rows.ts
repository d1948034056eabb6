// Rows in constant memory: a cursor on the server, a batch of rows at a time.
import type pg from 'pg';

export type TextRow = readonly (string | null)[];

/** What is selected, and from where, with its parameters. */
export interface RowSource {
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
