// The last part of a publish: the typed rows of what it touched, and what is derived from them.

import { sql } from 'kysely';
import { escapeLiteral } from 'pg';
import type { Executor } from '../connection/database.ts';
import { findMapping } from '../mapping/find-mapping.ts';
import { sourcesOf } from '../mapping/logical-sources.ts';
import type { Mapped } from '../mapping/match-fields.ts';
import type { VersionScope } from '../slices/slices.ts';
import { derivedFrom, insertDerived } from './derived.ts';
import { type Touched, touchedBy, typedColumns } from './touched.ts';
import { insertTyped, type TypedTable, tableName } from './typed-sql.ts';
import { lockMapping, type MappedTable, noteTable, readTables } from './typed-tables.ts';

/** Typed rows, by scope: the condition on an alias. */
const scopeOf = (scope: VersionScope) => (alias: string) =>
  `${alias}.account = ${escapeLiteral(scope.account)} and ${alias}.slice_client_id = ${escapeLiteral(scope.clientId)}`;

/**
 * Writes the typed rows of the versions in pg_temp.touched; lockScope comes before anything of the publish.
 * @param isFirst the slice's own records are all new, and not in pg_temp.touched
 */
export async function updateTyped(tx: Executor, scope: VersionScope, isFirst: boolean): Promise<void> {
  for (const table of await readTables(tx, sourcesOf(scope.stream))) {
    const { source } = table;
    const touched = source.envelope
      ? touchedBy(scope, 'envelope', false)
      : touchedBy(scope, scope.stream, isFirst);
    const mapping = table.mapping ?? (await mapFirst(tx, table));
    if (mapping === undefined) continue;
    await updateTable(tx, { table, mapping, scope, touched });
  }
}

async function updateTable(
  tx: Executor,
  update: { table: TypedTable; mapping: readonly Mapped[]; scope: VersionScope; touched: Touched },
): Promise<void> {
  const { table, mapping, scope, touched } = update;
  const of = scopeOf(scope);
  const run = async (text: string) => await sql.raw(text).execute(tx);
  const versions = {
    scope: `r.account = ${escapeLiteral(scope.account)} and r.client_id = ${escapeLiteral(scope.clientId)}`,
    key: 'r.record_key',
    from: 'r.run_date',
    until: 'r.until',
  };
  await run(`delete from ${tableName(table)} as x where ${touched.stale(typedColumns('x', of))}`);
  await run(insertTyped(table, mapping, touched.fresh(versions)));
  if (table.isNext) return;
  for (const derived of derivedFrom(table.source.name)) {
    await run(`delete from ${derived.table} as d where ${derived.stale(touched, typedColumns('d', of))}`);
    await run(insertDerived(derived, tableName(table), derived.fresh(touched, typedColumns('x', of))));
  }
}

/** The mapping of a source is made when something of it is published first. Undefined: nothing is known of it. */
async function mapFirst(tx: Executor, { source }: MappedTable): Promise<readonly Mapped[] | undefined> {
  await lockMapping(tx, source.name);
  const [current] = await readTables(tx, [source]);
  if (current?.mapping !== undefined) return current.mapping;
  const mapping = await findMapping(tx, source);
  if (mapping === undefined) return undefined;
  await noteTable(tx, { source, isNext: false }, mapping);
  return mapping;
}
