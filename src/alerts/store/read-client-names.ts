// Who may be named by --client: clients that are there or were, and the accounts themselves.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface KnownClient {
  readonly account: string;
  /** '': the account itself. */
  readonly clientId: string;
  readonly name: string;
  readonly hasLeft: boolean;
}

export async function readClientNames(db: Executor): Promise<readonly KnownClient[]> {
  const { rows } = await sql<KnownClient>`
    select account, client_id as "clientId", coalesce(client_name, client_id) as name, left_on is not null as "hasLeft"
    from bi.clients order by account, client_id`.execute(db);
  return rows;
}
