// The clients of an account, as its published list of clients has them.
import { sql } from 'kysely';
import type { Executor } from './database.ts';
import { keyExpression } from './incoming.ts';

export interface KnownClients {
  /** Identifiers as the API gives them, in a stable order; they may differ only in letter case. */
  readonly ids: readonly string[];
  /** Clients in whose record the identifier is missing. */
  readonly withoutId: number;
}

/** Reads the current records of stream `clientes`. An unpinned or content identity gives no ids. */
export async function readClients(
  db: Executor,
  account: string,
  key: readonly (readonly string[])[] | undefined,
): Promise<KnownClients> {
  const result = await sql<{ id: string | null; clients: number }>`
    select ${keyExpression(key ?? [])} as id, count(*) as clients
    from (
      select payload as value from snapshot.record
      where stream = 'clientes' and account = ${account} and client_id = '' and until = 'infinity'
    ) as e
    group by 1 order by 1`.execute(db);
  return {
    ids: result.rows.flatMap((row) => (row.id === null || row.id === '' ? [] : [row.id])),
    withoutId: result.rows.reduce(
      (sum, row) => sum + (row.id === null || row.id === '' ? row.clients : 0),
      0,
    ),
  };
}
