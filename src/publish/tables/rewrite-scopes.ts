// Rewrites whole scopes of a table of typed rows, or of tables derived from one. A publish writes only what it touched
// (update-typed.ts), by the same definitions.
import { CompiledQuery, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { derivedFrom, insertDerived } from './derived.ts';
import { insertTyped, type TypedTable, tableName, versionRows } from './typed-sql.ts';
import { readTables } from './typed-tables.ts';

/** Deletes rows of forgotten clients from the tables written by publishes of the account's own slice. */
export async function dropForgottenRows(tx: Executor, scope: Scope): Promise<void> {
  for (const table of await readTables(tx, sourcesOf(scope.stream))) await dropForgottenOf(tx, table, scope);
}

async function dropForgottenOf(
  tx: Executor,
  table: TypedTable,
  { account, clientId }: Pick<Scope, 'account' | 'clientId'>,
): Promise<void> {
  // A record that belongs to one client was left out already, or deleted.
  if ((table.source.rows === undefined && !table.source.envelope) || clientId !== '') return;
  await sql`
    delete from ${sql.raw(tableName(table))} as x
    where x.account = ${account} and x.slice_client_id = '' and sync.is_forgotten(${account}, x.client_id)`.execute(
    tx,
  );
}

export type ScopeOfStream = Omit<Scope, 'stream'>;

const within = (alias: string, client: string) =>
  `(${alias}.account, ${alias}.${client}) in (select * from unnest($1::text[], $2::text[]))`;

/** Writes the typed rows of scopes; the caller holds their `scopeLocks`. */
export async function rewriteTyped(
  tx: Executor,
  table: TypedTable,
  mapping: readonly Mapped[],
  scopes: readonly ScopeOfStream[],
): Promise<void> {
  await runFor(tx, scopes, `delete from ${tableName(table)} as x where ${within('x', 'slice_client_id')}`);
  await runFor(
    tx,
    scopes,
    insertTyped(table, mapping, (from) => ({ from, where: within('r', 'client_id') })),
  );
  for (const scope of scopes) await dropForgottenOf(tx, table, scope);
}

export async function rewriteDerived(
  tx: Executor,
  table: TypedTable,
  mapping: readonly Mapped[],
  scopes: readonly ScopeOfStream[],
): Promise<void> {
  if (table.isShadow) return;
  const rows = versionRows(table, mapping);
  for (const one of derivedFrom(table.source.name)) {
    await runFor(
      tx,
      scopes,
      `delete from ${one.table} as d where ${one.all} and ${within('d', 'slice_client_id')}`,
    );
    await runFor(tx, scopes, insertDerived(one, { from: rows, where: within('x', 'slice_client_id') }));
  }
}

async function runFor(tx: Executor, scopes: readonly ScopeOfStream[], text: string): Promise<void> {
  const values = [scopes.map(({ account }) => account), scopes.map(({ clientId }) => clientId)];
  await tx.executeQuery(CompiledQuery.raw(text, values));
}
