// Typed rows of elements: a record of the account may hold those of several clients, one of whom is forgotten.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { type TypedTable, tableName } from './typed-sql.ts';
import { readTables } from './typed-tables.ts';

/** Of the tables that a publish of the account's own slice wrote. */
export async function dropForgottenRows(tx: Executor, scope: Scope): Promise<void> {
  for (const table of await readTables(tx, sourcesOf(scope.stream))) await dropForgottenOf(tx, table, scope);
}

export async function dropForgottenOf(
  tx: Executor,
  table: TypedTable,
  { account, clientId }: Pick<Scope, 'account' | 'clientId'>,
): Promise<void> {
  if (table.source.rows === undefined || clientId !== '') return;
  await sql`
    delete from ${sql.raw(tableName(table))} as x
    where x.account = ${account} and x.slice_client_id = '' and sync.is_forgotten(${account}, x.client_id)`.execute(
    tx,
  );
}
