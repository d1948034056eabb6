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
 * Writes the typed rows of the versions in pg_temp.touched, of all tables by one call; `scopeLocks` are held.
 * @param isFirst the slice's own records are all new, and not in pg_temp.touched
 */
export async function updateTyped(tx: Executor, scope: VersionScope, isFirst: boolean): Promise<void> {
  const texts: string[] = [];
  for (const table of await readTables(tx, sourcesOf(scope.stream))) {
    const { source } = table;
    const touched = source.envelope
      ? touchedBy(scope, 'envelope', false)
      : touchedBy(scope, scope.stream, isFirst);
    const mapping = table.mapping ?? (await mapFirst(tx, table));
    if (mapping === undefined) continue;
    texts.push(...updateTable({ table, mapping, scope, touched }));
  }
  if (texts.length > 0) await sql.raw(texts.join(';\n')).execute(tx);
}

interface TableUpdate {
  readonly table: TypedTable;
  readonly mapping: readonly Mapped[];
  readonly scope: VersionScope;
  readonly touched: Touched;
}

/** The statements that bring a table of typed rows, and what is derived from it, up to date. */
function updateTable({ table, mapping, scope, touched }: TableUpdate): string[] {
  const of = scopeOf(scope);
  const versions = {
    scope: `r.account = ${escapeLiteral(scope.account)} and r.client_id = ${escapeLiteral(scope.clientId)}`,
    key: 'r.record_key',
    from: 'r.run_date',
    until: 'r.until',
  };
  const deleting = (text: string) => (touched.isFirst ? [] : [text]);
  const own = [
    ...deleting(`delete from ${tableName(table)} as x where ${touched.stale(typedColumns('x', of))}`),
    insertTyped(table, mapping, touched.fresh(versions)),
  ];
  if (table.isNext) return own;
  const derived = derivedFrom(table.source.name).flatMap((one) => [
    ...deleting(`delete from ${one.table} as d where ${one.stale(touched, typedColumns('d', of))}`),
    insertDerived(one, tableName(table), one.fresh(touched, typedColumns('x', of))),
  ]);
  return [...own, ...derived];
}

/** The mapping of a source is made at its first publish. Undefined: nothing is known of the source. */
async function mapFirst(tx: Executor, { source }: MappedTable): Promise<readonly Mapped[] | undefined> {
  await lockMapping(tx, source.name);
  const [current] = await readTables(tx, [source]);
  if (current?.mapping !== undefined) return current.mapping;
  const mapping = await findMapping(tx, source);
  if (mapping === undefined) return undefined;
  await noteTable(tx, { source, isNext: false }, mapping);
  return mapping;
}
